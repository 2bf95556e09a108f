/** Browsers do not say how much memory a worker holds, and end it by themselves where that is too much. */
export function residentBytes(): undefined {
    return undefined;
}

/** Does nothing: the unfinished files of a worker go with it. */
export function removeTemporary(): void {
    // Its files are in its own memory.
}
