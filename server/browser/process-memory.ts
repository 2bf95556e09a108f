/** Browsers do not say how much memory a worker holds, and end it by themselves where that is too much. */
export function residentBytes(): undefined {
    return undefined;
}

/** What a worker was writing goes with it. */
export function removeTemporary(): void {
    // Its files are in its own memory.
}
