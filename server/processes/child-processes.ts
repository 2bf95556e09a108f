import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { PATIENCE_VARIABLE } from './lengthen-wait.ts';
import { yieldProcess } from './yield-priority.ts';

const STACK_KILOBYTES = 3900;

/** Settings of a process that are fixed from its start on. */
export interface ProcessSettings {
    readonly heapMegabytes: number;
    /** Names of environment variables that it may read beside those of the system. */
    readonly secrets: readonly string[];
}

interface Program {
    readonly file: URL;
    /** That of its processes; see `yieldProcess`. */
    readonly priority: number;
    /** Milliseconds for which a process waits for something to do; absent where it waits for ever. */
    readonly longestWait?: number;
}

/** A process that waits for work with these settings, which are compared as text. */
interface Spare {
    readonly child: ChildProcess;
    readonly settings: string;
    readonly timer: NodeJS.Timeout | undefined;
}

/** Starts processes of one program. One may be started before there is work for it: starting takes longer than most of the work. */
export class ChildProcesses {
    readonly #program: Program;
    #spare: Spare | undefined;

    constructor(program: Program) {
        this.#program = program;
    }

    /** The process that waits, or else a new one. */
    start(settings: ProcessSettings): ChildProcess {
        const options = optionsFor(settings);
        const { child, settings: waited } = this.#takeSpare() ?? {};
        if (child !== undefined && waited === JSON.stringify(options)) {
            keepAwake(child, true);
            return child;
        }
        child?.kill('SIGKILL');
        return this.#forked(options);
    }

    /** Starts a process that waits, unless one does. It keeps no program from ending. */
    prepare(settings: ProcessSettings): void {
        if (settings.secrets.length > 0 || this.#spare !== undefined) return;
        const options = optionsFor(settings);
        const child = this.#forked(options);
        keepAwake(child, false);
        const { longestWait } = this.#program;
        const timer =
            longestWait === undefined ? undefined : setTimeout(() => this.#takeSpare()?.child.kill('SIGKILL'), longestWait).unref();
        const leave = (): void => {
            if (this.#spare?.child === child) this.#takeSpare();
        };
        child.once('error', leave).once('exit', leave);
        this.#spare = { child, settings: JSON.stringify(options), timer };
    }

    #takeSpare(): Spare | undefined {
        const taken = this.#spare;
        this.#spare = undefined;
        clearTimeout(taken?.timer);
        return taken;
    }

    #forked(options: ReturnType<typeof optionsFor>): ChildProcess {
        const { file, priority } = this.#program;
        const child = fork(file, [], { ...options, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
        if (child.pid !== undefined) yieldProcess(child.pid, priority);
        return child;
    }
}

function optionsFor({ heapMegabytes, secrets }: ProcessSettings) {
    return {
        execArgv: ['--disable-proto=delete', `--stack-size=${STACK_KILOBYTES}`, `--max-old-space-size=${heapMegabytes}`],
        env: processEnvironment(secrets),
    };
}

/** Whether this process goes on as long as the other one does. */
function keepAwake(child: ChildProcess, isAwake: boolean): void {
    const change = isAwake ? 'ref' : 'unref';
    child[change]();
    child.channel?.[change]();
    (child.stderr as Socket | null)?.[change]();
}

/** Such a process needs nothing of the environment but what finding files and telling the time does, and the secrets that it is granted. */
export function processEnvironment(secrets: readonly string[]): NodeJS.ProcessEnv {
    const system = ['PATH', 'HOME', 'USERPROFILE', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'ELECTRON_RUN_AS_NODE'];
    const kept = [...system, 'TZ', 'LANG', 'LC_ALL', 'LC_MESSAGES', 'RULELANG_LOCALE', PATIENCE_VARIABLE, ...secrets];
    return Object.fromEntries(kept.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}
