import { say } from '#language/program/say.ts';
import { usableMemory } from '#server/processes/process-memory.ts';
import { usualThreads } from '#server/processes/usual-threads.ts';
import { type HostGrant, hostGrant } from '#server/protocol/host-grant.ts';
import type { Access, EvaluationLimits, EvaluationOptions, GivenSurroundings } from '#server/protocol/jobs.ts';
import type { PythonUse } from '#server/protocol/run-process.ts';
import { type Arguments, bytesOf, countOf, durationOf, instantOf, type Options, pairsOf, UsageError } from './arguments.ts';

export const PARAMETER_OPTION: Options = {
    param: { value: 'NAME=VALUE', repeats: true, help: 'Give parameter NAME a value, converted to the type of its default.' },
};

export const FOLDER_OPTION: Options = {
    'allow-read': { value: 'DIR', repeats: true, help: 'Let binds, includes and scripts read below DIR too.' },
};

export const WATCH_OPTION: Options = {
    watch: { help: 'Do it again whenever a file changes that was read: the program, what it includes, its data. Ctrl-C ends.' },
};

/** Options for reading beyond the files below the program's folder and the current folder. */
export const READING_OPTIONS: Options = {
    ...FOLDER_OPTION,
    'allow-net': { value: 'HOST[:PORT]', repeats: true, help: 'Let binds talk to HOST, at PORT alone where one is named.' },
    secret: { value: 'NAME', repeats: true, help: 'Let credentials of binds name the variable NAME of the environment.' },
};

export const WRITING_OPTION: Options = {
    'allow-write': {
        value: 'PATH',
        repeats: true,
        help: 'Let binds write below the folder PATH too, or the file PATH whatever it is called.',
    },
};

export const PYTHON_OPTIONS: Options = {
    'allow-python': {
        help: 'Run the scripts that rules name with python:run. On Linux they read files below the folder of the program and each DIR of --allow-read, and write none but temporary ones; elsewhere they may do what you may do.',
    },
    python: {
        value: 'PATH',
        help: 'The Python that runs them, 3.9 or later; that of a virtual environment brings its packages. Usually python3.',
    },
    'python-net': { help: 'Let scripts use the network where they have no way to it otherwise.' },
};

export const MODEL_OPTIONS: Options = {
    'allow-model': {
        help: 'Let the program ask the language model that the environment names: LLM_PROVIDER, LLM_API_KEY, LLM_VERSION, LLM_BASE_URL.',
    },
    'model-calls': { value: 'N', help: 'Make N calls of it at most for which no earlier answer is kept. Usually 100.' },
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
        help: 'Stop when facts need more than SIZE: bytes, or a number with k, m or g. Usually three quarters of the memory.',
    },
    'max-facts': { value: 'N', help: 'Stop after N facts.' },
    threads: { value: 'N', help: 'Work with N threads at once where that is worth it. Usually as many as processors, and 8 at most.' },
    'max-rounds': {
        value: 'N',
        help: 'Where a recursion makes new values, stop it after N rounds more than it has facts to read. Usually 10000.',
    },
    'iso-depth': {
        value: 'N',
        help: 'Where a recursion creates unknown values and joins them, keep N facts that differ in them alone. Usually 3.',
    },
};

const SURROUNDING_OPTIONS: Options = {
    seed: { value: 'N', help: 'Draw the same random values in every run with this N.' },
    now: { value: 'TIME', help: 'Take TIME for the present, such as 2031-04-09 or 2031-04-09T10:15:00Z.' },
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
