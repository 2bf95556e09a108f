/** Does nothing: a page cannot set how V8 compiles. */
export function inlineLess(): void {
    // It is as it is.
}
