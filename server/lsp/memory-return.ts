import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** UTF-16 units of a text whose meaning takes so much memory that a pause of some 100 ms is worth it. */
const LARGE = 1024 * 1024;
/** Milliseconds without work on the text. */
const AFTER = 1000;

/** Gives memory back to the system when a large text is closed: nothing is collected while a server waits for its editor. */
export function memoryReturn(): (closed: string) => void {
    let due: NodeJS.Timeout | undefined;
    return closed => {
        if (closed.length < LARGE) return;
        clearTimeout(due);
        due = setTimeout(collector(), AFTER);
        due.unref();
    };
}

/** Returns the garbage collector; without effect if the host of the server does not have it. */
function collector(): () => void {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('globalThis.gc');
    return typeof collect === 'function' ? () => void collect() : () => undefined;
}
