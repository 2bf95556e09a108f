/** The order of texts by their code points, which is not that of `<` where a character takes two units. */
export function byCodePoint(left: string, right: string): number {
    const a = [...left];
    const b = [...right];
    const at = a.findIndex((character, i) => character !== b[i]);
    if (at < 0) return a.length - b.length;
    return (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? -1);
}
