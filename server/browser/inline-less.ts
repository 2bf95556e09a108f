/** Nobody sets how V8 compiles in a browser. */
export function inlineLess(): void {
    // It is as it is.
}
