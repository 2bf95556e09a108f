/** A longer text has lenses near what is in sight: VS Code makes room for every line of them, which takes it about a millisecond for two. */
const LONG = 500;
/** The lines of a part come in blocks: within one, a text that is scrolled has the lenses that it needs. */
const BLOCK = 50;

interface Lines {
    readonly start: { readonly line: number };
    readonly end: { readonly line: number };
}

/** The first line that is asked for lenses and the one behind the last; nothing where all of them are asked. */
export function lensPart(lineCount: number, seen: readonly Lines[]): { readonly from: number; readonly to: number } | undefined {
    if (lineCount <= LONG || seen.length === 0) return undefined;
    const first = Math.min(...seen.map(({ start }) => start.line));
    const last = Math.max(...seen.map(({ end }) => end.line));
    const from = Math.max(0, (Math.floor(first / BLOCK) - 1) * BLOCK);
    return { from, to: Math.min(lineCount, (Math.floor(last / BLOCK) + 2) * BLOCK) };
}
