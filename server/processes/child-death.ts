import type { ChildProcess } from 'node:child_process';

/** How a process came to its end. */
export interface ChildDeath {
    /** A signal, or the code with which it ended. */
    readonly by: NodeJS.Signals | number;
    readonly ranOutOfMemory: boolean;
    /** Places in our code that it named in the end, and no text of the user. */
    readonly frames: readonly string[];
}

const KEPT_ERROR = 2000;

/** Tells of the end of a process, after everything that it has said. */
export function onDeath(child: ChildProcess, tell: (death: ChildDeath) => void): void {
    let errorText = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        errorText = (errorText + text).slice(-KEPT_ERROR);
    });
    child.on('exit', (code, signal) => {
        const end = (): void => tell({ by: signal ?? code ?? 0, ...deathIn(errorText) });
        if (child.connected) child.once('disconnect', end);
        else end();
    });
}

function deathIn(errorText: string): Pick<ChildDeath, 'ranOutOfMemory' | 'frames'> {
    return {
        ranOutOfMemory: /heap out of memory|Array buffer allocation failed|ERR_WORKER_OUT_OF_MEMORY/.test(errorText),
        frames: errorText
            .split('\n')
            .filter(line => /^\s+at /u.test(line))
            .map(frame => frame.trim()),
    };
}
