import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { yieldProcess } from '#server/processes/yield-priority.ts';

const STACK_KILOBYTES = 3900;
/** Milliseconds for which a process waits for a run. */
const LONGEST_WAIT = 60_000;

/** What a process has from its start on. */
export interface ProcessSettings {
    readonly heapMegabytes: number;
    /** Names of environment variables that it may read beside those of the system. */
    readonly secrets: readonly string[];
}

/** A process that waits for a run with these settings, which are compared as text. */
interface Spare {
    readonly child: ChildProcess;
    readonly settings: string;
    readonly timer: NodeJS.Timeout;
}

let spare: Spare | undefined;

/** A process for one run: the one that waits, or else a new one. Starting one takes longer than most runs. */
export function startProcess(settings: ProcessSettings): ChildProcess {
    const options = optionsFor(settings);
    const { child, settings: waited } = takeSpare() ?? {};
    if (child !== undefined && waited === JSON.stringify(options)) {
        keepAwake(child, true);
        return child;
    }
    child?.kill('SIGKILL');
    return forked(options);
}

/** Starts a process for the next run with these settings. It goes when no run comes, and keeps nobody from ending. */
export function prepareProcess(settings: ProcessSettings): void {
    if (settings.secrets.length > 0 || spare !== undefined) return;
    const options = optionsFor(settings);
    const child = forked(options);
    keepAwake(child, false);
    const timer = setTimeout(() => takeSpare()?.child.kill('SIGKILL'), LONGEST_WAIT).unref();
    const leave = (): void => {
        if (spare?.child === child) takeSpare();
    };
    child.once('error', leave).once('exit', leave);
    spare = { child, settings: JSON.stringify(options), timer };
}

function takeSpare(): Spare | undefined {
    const taken = spare;
    spare = undefined;
    clearTimeout(taken?.timer);
    return taken;
}

function optionsFor({ heapMegabytes, secrets }: ProcessSettings) {
    return {
        execArgv: ['--disable-proto=delete', `--stack-size=${STACK_KILOBYTES}`, `--max-old-space-size=${heapMegabytes}`],
        env: processEnvironment(secrets),
    };
}

function forked(options: ReturnType<typeof optionsFor>): ChildProcess {
    const child = fork(new URL('./run-process.mjs', import.meta.url), [], {
        ...options,
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (child.pid !== undefined) yieldProcess(child.pid);
    return child;
}

/** Whether this process goes on as long as the other one does. */
function keepAwake(child: ChildProcess, isAwake: boolean): void {
    const change = isAwake ? 'ref' : 'unref';
    child[change]();
    child.channel?.[change]();
    (child.stderr as Socket | null)?.[change]();
}

/** A run needs nothing of the environment but what finding files and telling the time does, and the secrets that it is granted. */
export function processEnvironment(secrets: readonly string[]): NodeJS.ProcessEnv {
    const system = ['PATH', 'HOME', 'USERPROFILE', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'ELECTRON_RUN_AS_NODE'];
    const kept = [...system, 'TZ', 'LANG', 'LC_ALL', 'LC_MESSAGES', 'RULELANG_LOCALE', ...secrets];
    return Object.fromEntries(kept.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}
