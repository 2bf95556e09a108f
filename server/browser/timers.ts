import { setImmediate as whenHeard } from './system.ts';

/** In the place of Node's `timers/promises`: lets other messages be heard. */
export function setImmediate(): Promise<void> {
    return new Promise(resolve => whenHeard(resolve));
}

export function setTimeout<T>(milliseconds: number, value: T): Promise<T> {
    return new Promise(resolve => globalThis.setTimeout(() => resolve(value), milliseconds));
}
