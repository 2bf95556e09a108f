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
    description: `Serves HTTP on the loopback addresses of this machine alone, until Ctrl-C. The
addresses are printed and written to endpoints.json in the data directory, and
so is a token in auth/token there, which the platform API asks for. Requests are
logged to standard error, one JSON object per line.`,
    options: {
        'data-dir': { value: 'DIR', help: 'Where data are kept. Usually with the data of your other applications.' },
        'accept-loss': { help: 'Start with a store that lost changes which had been saved; its files are copied first.' },
        port: { value: 'N', help: `Port of the platform API. Usually ${PORTS.port}; 0 is any free one.` },
        'engine-port': { value: 'N', help: `Port of the engine API. Usually ${PORTS['engine-port']}.` },
        'chat-port': { value: 'N', help: `Port of the documentation assistant. Usually ${PORTS['chat-port']}.` },
        'max-parallel-evaluations': { value: 'N', help: `How many evaluations of the platform run at a time. Usually ${PARALLEL.usual}.` },
        'engine-repository': {
            value: 'DIR',
            help: 'Where the engine finds programs by name. Usually engine/repository in DIR of --data-dir.',
        },
        'engine-roots': {
            value: 'DIR',
            repeats: true,
            help: 'Let programs of the engine read and write below DIR too, whoever sends them.',
        },
        'engine-require-token': { help: 'The engine asks for a token, too.' },
        'assistant-require-token': { help: 'The documentation assistant asks for a token, too.' },
        'agent-max-sessions': { value: 'N', help: `Conversations with the agent that are remembered. Usually ${SESSIONS}.` },
        'llm-limit': { value: 'N', help: `Requests to a language model in a month. Usually ${LIMITS['llm-limit']}.` },
        'embedding-limit': { value: 'N', help: `Requests for embeddings in a month. Usually ${LIMITS['embedding-limit']}.` },
        'allow-net': {
            value: 'HOST[:PORT]',
            repeats: true,
            help: 'Let programs of users talk to databases on HOST; those of this machine they may.',
        },
        secret: { value: 'NAME', repeats: true, help: 'Let credentials in binds of users name the environment variable NAME.' },
        'allow-python': {
            help: 'Run the scripts of concepts. On Linux they see no files but those of Python, and write none but temporary ones; elsewhere they may do what you may do.',
        },
        python: PYTHON_OPTIONS.python ?? { help: '' },
        'python-net': PYTHON_OPTIONS['python-net'] ?? { help: '' },
        'allow-model': { help: 'Let programs of users ask the language model that they have configured.' },
        'model-calls': { value: 'N', help: 'Let a program make N calls of it at most for which no earlier answer is kept. Usually 100.' },
        'path-prefix': { value: '/PATH', help: 'What every path of the platform API begins with. Usually nothing.' },
        'end-with-input': { help: 'End when standard input does, and so together with the program that started the services.' },
    },
    examples: [
        ['rulelang serve', 'on the usual ports'],
        ['rulelang serve --port 0 --engine-port 0 --chat-port 0', 'on free ones'],
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
