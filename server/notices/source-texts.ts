import { withoutSecrets } from '#server/secrets/without-secrets.ts';

/** A text with its lines, for places in it. */
export interface SourceText {
    readonly text: string;
    /** Offset of the first character of each line. */
    readonly lineStarts: readonly number[];
    /** The text as people may see it, in as many characters. */
    readonly shown: () => string;
}

/** Zero-based, in UTF-16 units. */
export interface Position {
    readonly line: number;
    readonly character: number;
}

export function sourceText(text: string): SourceText {
    const lineStarts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
    let shown: string | undefined;
    return {
        text,
        lineStarts,
        shown: () => {
            shown ??= withoutSecrets(text);
            return shown;
        },
    };
}

export function positionAt({ lineStarts }: SourceText, offset: number): Position {
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((lineStarts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
    }
    return { line: low, character: offset - (lineStarts[low] ?? 0) };
}

/** The offset of a position, which `positionAt` gives back. */
export function offsetAt({ lineStarts }: SourceText, { line, character }: Position): number {
    return (lineStarts[line] ?? 0) + character;
}

/** A line without its line break, and without the values of credentials. */
export function lineAt({ shown, lineStarts }: SourceText, line: number): string {
    const text = shown();
    const start = lineStarts[line] ?? text.length;
    return text.slice(start, lineStarts[line + 1] ?? text.length).replace(/\r?\n$/, '');
}
