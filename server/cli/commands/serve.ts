import { resolve } from 'node:path';
import { say } from '#language/program/say.ts';
import { countOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { hostsOf, modelCallsOf, PYTHON_OPTIONS, pythonOf, secretNameOf } from '../evaluation-options.ts';

const PORTS = { port: 8000, 'engine-port': 8080, 'chat-port': 8090 } as const;
const LARGEST_PORT = 65_535;
const PARALLEL = { usual: 2, most: 16 } as const;
const SESSIONS = 100;
const LIMITS = { 'llm-limit': 1000, 'embedding-limit': 500 } as const;

export const serve: Command = {
    name: 'serve',
    summary: 'Serve the platform, engine and assistant APIs on this machine',
    usage: '[options]',
    description: `Serves HTTP on the loopback addresses of this machine, until Ctrl-C. The
addresses are printed and written to endpoints.json in the data directory. The
platform API requires a token; there is one in auth/token in the data directory.
Requests are logged to standard error, one JSON object per line.`,
    options: {
        'data-dir': {
            value: 'DIR',
            help: 'The folder for data. Default: rulelang in your folder for application data, such as ~/.local/share.',
        },
        'accept-loss': { help: 'Start although the store has lost saved changes. Its files are copied first.' },
        port: { value: 'N', help: `Port of the platform API; 0 means any free port. Default: ${PORTS.port}.` },
        'engine-port': { value: 'N', help: `Port of the engine API. Default: ${PORTS['engine-port']}.` },
        'chat-port': { value: 'N', help: `Port of the documentation assistant. Default: ${PORTS['chat-port']}.` },
        'max-parallel-evaluations': {
            value: 'N',
            help: `Run at most N evaluations of the platform at a time. Default: ${PARALLEL.usual}.`,
        },
        'engine-repository': {
            value: 'DIR',
            help: 'The folder of programs that the engine finds by name. Default: engine/repository in the data directory.',
        },
        'engine-roots': {
            value: 'DIR',
            repeats: true,
            help: 'Let programs of all callers of the engine also read and write below DIR.',
        },
        'engine-require-token': { help: 'Require a token for the engine.' },
        'assistant-require-token': { help: 'Require a token for the documentation assistant.' },
        'agent-max-sessions': { value: 'N', help: `Remember at most N conversations with the agent. Default: ${SESSIONS}.` },
        'llm-limit': { value: 'N', help: `Send at most N requests per month to a language model. Default: ${LIMITS['llm-limit']}.` },
        'embedding-limit': { value: 'N', help: `Send at most N requests per month for embeddings. Default: ${LIMITS['embedding-limit']}.` },
        'allow-net': {
            value: 'HOST[:PORT]',
            repeats: true,
            help: 'Let programs of users connect to databases on HOST. Databases of this machine need no option.',
        },
        secret: { value: 'NAME', repeats: true, help: 'Let binds of users use the environment variable NAME as a credential.' },
        'allow-python': {
            help: 'Run the Python scripts of concepts. On Linux a script can read only the files of Python, and can write temporary files only. On other systems it can do everything that you can do.',
        },
        python: PYTHON_OPTIONS.python ?? { help: '' },
        'python-net': PYTHON_OPTIONS['python-net'] ?? { help: '' },
        'allow-model': { help: 'Let programs of users ask the language model that these users have configured.' },
        'model-calls': { value: 'N', help: 'Let a program ask the model at most N times; kept answers do not count. Default: 100.' },
        'path-prefix': { value: '/PATH', help: 'Begin every path of the platform API with /PATH. Default: none.' },
        'end-with-input': { help: 'Stop when standard input ends, together with the program that started the services.' },
    },
    examples: [
        ['rulelang serve', 'on the default ports'],
        ['rulelang serve --port 0 --engine-port 0 --chat-port 0', 'on free ports'],
    ],
    job: args => {
        if (args.positionals.length > 0) throw new UsageError(say`takes no argument '${args.positionals[0]}'`);
        const portOf = (name: keyof typeof PORTS): number => {
            const port = countOf(args, name) ?? PORTS[name];
            if (port > LARGEST_PORT) throw new UsageError(say`option '--${name}' needs a port up to ${LARGEST_PORT}, not '${port}'`);
            return port;
        };
        const prefix = args.value('path-prefix') ?? '';
        if (!/^(?:\/[A-Za-z0-9_.~-]+)*$/u.test(prefix)) throw new UsageError(say`option '--path-prefix' needs a path such as /svc`);
        const parallel = countOf(args, 'max-parallel-evaluations') ?? PARALLEL.usual;
        if (parallel < 1 || parallel > PARALLEL.most)
            throw new UsageError(say`option '--max-parallel-evaluations' needs a number from 1 to ${PARALLEL.most}`);
        const agentSessions = countOf(args, 'agent-max-sessions') ?? SESSIONS;
        if (agentSessions < 1) throw new UsageError(say`option '--agent-max-sessions' needs at least 1`);
        const limitOf = (name: keyof typeof LIMITS): number => countOf(args, name) ?? LIMITS[name];
        const repository = args.value('engine-repository');
        const dataDirectory = args.value('data-dir');
        const options = {
            port: portOf('port'),
            enginePort: portOf('engine-port'),
            chatPort: portOf('chat-port'),
            pathPrefix: prefix,
            acceptLoss: args.has('accept-loss'),
            currentFolder: process.cwd(),
            parallel,
            engineRoots: args.values('engine-roots').map(folder => resolve(folder)),
            hosts: hostsOf(args, 'allow-net'),
            secrets: args.values('secret').map(secretNameOf),
            requireToken: { engine: args.has('engine-require-token'), assistant: args.has('assistant-require-token') },
            agentSessions,
            endsWithInput: args.has('end-with-input'),
            python: pythonOf(args, 'serve'),
            modelCalls: modelCallsOf(args).modelCalls,
            usageLimits: { llm: limitOf('llm-limit'), embedding: limitOf('embedding-limit') },
            ...(repository !== undefined && { repository: resolve(repository) }),
            ...(dataDirectory !== undefined && { dataDirectory }),
        };
        return async () => (await import('#server/api/main.ts')).serve(options);
    },
};
