/** The name of a concept that is being written after an `@`. */
export interface Mention {
    /** Of the `@`. */
    readonly from: number;
    readonly to: number;
    readonly written: string;
}

/** Names that are offered at once. */
const MOST = 50;
const WORD = /\w/u;

/** The mention in which the cursor stands, if it does. An `@` within a word begins none: addresses have one. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
    let from = cursor;
    while (from > 0 && WORD.test(text.charAt(from - 1))) from--;
    if (text.charAt(from - 1) !== '@' || (from > 1 && WORD.test(text.charAt(from - 2)))) return undefined;
    let to = cursor;
    while (WORD.test(text.charAt(to))) to++;
    return { from: from - 1, to, written: text.slice(from, cursor) };
}

/** The names that fit what is written: those that begin with it before those that have it somewhere. */
export function fittingNames<T extends { readonly name: string }>(all: readonly T[], written: string): readonly T[] {
    const sought = written.toLowerCase();
    const starts = all.filter(({ name }) => name.toLowerCase().startsWith(sought));
    const holds = all.filter(({ name }) => name.toLowerCase().indexOf(sought) > 0);
    const exact = starts.filter(({ name }) => name === written);
    return [...new Set([...exact, ...starts, ...holds])].slice(0, MOST);
}

/** The text with the whole name in the place of what was written of it, and where the cursor is then. */
export function withMention(text: string, { from, to }: Mention, name: string): { readonly text: string; readonly cursor: number } {
    const after = text.slice(to);
    const put = `@${name}${/^\s/u.test(after) ? '' : ' '}`;
    return { text: text.slice(0, from) + put + after, cursor: from + name.length + 2 };
}

/** A text in pieces: those between mentions of known names, and these names. */
export function mentionsIn(
    text: string,
    isKnown: (name: string) => boolean,
): readonly { readonly mention?: string; readonly text: string }[] {
    const pieces: { mention?: string; text: string }[] = [];
    let end = 0;
    for (const found of text.matchAll(/(?<![\w@])@(\w+)/gu)) {
        const [whole, name = ''] = found;
        if (!isKnown(name)) continue;
        pieces.push({ text: text.slice(end, found.index) }, { text: whole, mention: name });
        end = found.index + whole.length;
    }
    pieces.push({ text: text.slice(end) });
    return pieces.filter(piece => piece.text !== '');
}
