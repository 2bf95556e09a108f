import { say } from '#language/program/say.ts';
import { usableMemory } from '#server/processes/process-memory.ts';
import { usualThreads } from '#server/processes/usual-threads.ts';
import { type HostGrant, hostGrant } from '#server/protocol/host-grant.ts';
import type { Access, EvaluationLimits, EvaluationOptions, GivenSurroundings } from '#server/protocol/jobs.ts';
import type { PythonUse } from '#server/protocol/run-process.ts';
import { type Arguments, bytesOf, countOf, durationOf, instantOf, type Options, pairsOf, UsageError } from './arguments.ts';

export const PARAMETER_OPTION: Options = {
    param: {
        value: 'NAME=VALUE',
        repeats: true,
        help: 'Set parameter NAME to VALUE, which is converted to the type of its default; lists and sets are JSON arrays.',
    },
};

export const FOLDER_OPTION: Options = {
    'allow-read': { value: 'DIR', repeats: true, help: 'Let binds, includes and scripts also read files below DIR.' },
};

export const WATCH_OPTION: Options = {
    watch: { help: 'Repeat when the program, an included file or a data file changes. Ctrl-C ends.' },
};

/** Options for reading beyond the files below the program's folder and the current folder. */
export const READING_OPTIONS: Options = {
    ...FOLDER_OPTION,
    'allow-net': { value: 'HOST[:PORT]', repeats: true, help: 'Let binds connect to HOST, at PORT if you give one, else at any port.' },
    secret: { value: 'NAME', repeats: true, help: 'Let binds use the environment variable NAME as a credential.' },
};

export const WRITING_OPTION: Options = {
    'allow-write': {
        value: 'PATH',
        repeats: true,
        help: 'Let binds also write below the folder PATH, or into the file PATH whatever its name.',
    },
};

export const PYTHON_OPTIONS: Options = {
    'allow-python': {
        help: 'Run the Python scripts of rules (python:run). On Linux a script can read files below the folder of the program and below each DIR of --allow-read, and can write temporary files only. On other systems it can do everything that you can do.',
    },
    python: {
        value: 'PATH',
        help: 'The Python 3.9 or later that runs scripts; the one of a virtual environment has its packages. Default: python3.',
    },
    'python-net': { help: 'Let scripts use the network, which is closed to them on Linux.' },
};

export const MODEL_OPTIONS: Options = {
    'allow-model': {
        help: 'Let the program ask a language model. The variables LLM_PROVIDER, LLM_API_KEY, LLM_VERSION and LLM_BASE_URL say which one.',
    },
    'model-calls': { value: 'N', help: 'Ask the model at most N times; kept answers do not count. Default: 100.' },
};

const MODEL_CALLS = 100;

export function modelCallsOf(args: Arguments): { readonly modelCalls?: number } {
    const most = countOf(args, 'model-calls');
    if (args.has('allow-model')) return { modelCalls: most ?? MODEL_CALLS };
    if (most !== undefined) throw new UsageError(say`option '--model-calls' needs '--allow-model' beside it`);
    return {};
}

export const LIMIT_OPTIONS: Options = {
    timeout: { value: 'TIME', help: 'Stop after TIME: seconds, or a number with ms, s, m or h.' },
    'max-memory': {
        value: 'SIZE',
        help: 'Stop when facts need more than SIZE: bytes, or a number with k, m or g. Default: three quarters of the memory.',
    },
    'max-facts': { value: 'N', help: 'Stop after N facts.' },
    threads: { value: 'N', help: 'Use at most N threads. Default: the number of processors, at most 8.' },
    'max-rounds': {
        value: 'N',
        help: 'Stop a recursion that creates values after N rounds more than it has input facts. Default: 10000.',
    },
    'iso-depth': {
        value: 'N',
        help: 'Where a recursion joins unknown values that it creates, keep at most N copies of a fact that differ only in them. Default: 3.',
    },
};

const SURROUNDING_OPTIONS: Options = {
    seed: { value: 'N', help: 'Use the same random values in every run with this N.' },
    now: { value: 'TIME', help: 'Use TIME as the current time, such as 2031-04-09 or 2031-04-09T10:15:00Z.' },
};

/** Options of all commands that evaluate a program, whatever it may reach. */
export const COMPUTING_OPTIONS: Options = { ...PARAMETER_OPTION, ...SURROUNDING_OPTIONS, ...LIMIT_OPTIONS };

/** Options of commands that evaluate a program as it is, and write nothing. */
export const EVALUATION_OPTIONS: Options = { ...COMPUTING_OPTIONS, ...READING_OPTIONS, ...PYTHON_OPTIONS, ...MODEL_OPTIONS };

/** Returns the values of these options. Those that a command does not have are absent or off. */
export function evaluationOf(args: Arguments): EvaluationOptions {
    return {
        parameters: pairsOf(args, 'param'),
        limits: limitsOf(args),
        surroundings: surroundingsOf(args),
        python: pythonOf(args, 'run'),
        ...modelCallsOf(args),
        ...accessOf(args),
    };
}

const SHARE = 0.75;

export function accessOf(args: Arguments): Access {
    return {
        currentFolder: process.cwd(),
        allowRead: args.values('allow-read'),
        allowWrite: args.values('allow-write'),
        allowNet: hostsOf(args, 'allow-net'),
        secrets: args.values('secret').map(secretNameOf),
    };
}

/** Hosts that an option names. */
export function hostsOf(args: Arguments, name: string): HostGrant[] {
    return args.values(name).map(text => {
        const grant = hostGrant(text);
        if (grant === undefined)
            throw new UsageError(say`option '--${name}' needs a host such as db.example.org or localhost:5432, not '${text}'`);
        return grant;
    });
}

/** A value beside the name would be seen by all who see the commands of this machine. */
export function secretNameOf(text: string): string {
    if (!/^[A-Za-z][A-Za-z0-9_]*$/u.test(text))
        throw new UsageError(
            say`option '--secret' needs the name of a variable of the environment, and nothing else: --secret DB_PASSWORD`,
        );
    return text;
}

export function limitsOf(args: Arguments): EvaluationLimits {
    const maxFacts = countOf(args, 'max-facts');
    const maxRounds = countOf(args, 'max-rounds');
    const timeout = durationOf(args, 'timeout');
    const isoDepth = countOf(args, 'iso-depth');
    const threads = countOf(args, 'threads') ?? usualThreads();
    if (threads === 0) throw new UsageError(say`option '--threads' needs at least 1`);
    if (isoDepth === 0) throw new UsageError(say`option '--iso-depth' needs at least 1`);
    return {
        maxMemory: bytesOf(args, 'max-memory') ?? usableMemory() * SHARE,
        ...(maxFacts === undefined ? {} : { maxFacts }),
        ...(maxRounds === undefined ? {} : { maxRounds }),
        ...(timeout === undefined ? {} : { timeout }),
        ...(isoDepth === undefined ? {} : { isoDepth }),
        threads,
    };
}

export function pythonOf(args: Arguments, door: PythonUse['door']): PythonUse {
    const path = args.value('python');
    return { enabled: args.has('allow-python'), network: args.has('python-net'), door, ...(path !== undefined && { path }) };
}

function surroundingsOf(args: Arguments): GivenSurroundings {
    const seed = countOf(args, 'seed');
    const now = instantOf(args, 'now');
    return { ...(seed === undefined ? {} : { seed }), ...(now === undefined ? {} : { now }) };
}
