import { isBlank, isLineEnd, lineStart } from './characters.ts';

/**
 * The text of the `%%` lines directly above the clause at `start`, without the marks (decision D-06). `before` is where
 * the clause before it ended; a comment behind that clause on its line is not documentation.
 */
export function documentationAbove(text: string, before: number, start: number): string | undefined {
    const lines: string[] = [];
    let at = start;
    while (at > before && !isLineEnd(text.charCodeAt(at - 1))) {
        if (!isBlank(text.charCodeAt(at - 1))) return undefined;
        at--;
    }
    while (at > before) {
        const end = lineBreakStart(text, at);
        const above = lineStart(text, end);
        if (above < before) break;
        const line = text.slice(above, end).trim();
        if (!line.startsWith('%%')) break;
        lines.unshift(line.slice(line.startsWith('%% ') ? 3 : 2));
        at = above;
    }
    return lines.length === 0 ? undefined : lines.join('\n');
}

/** Offset of the line break, `\n`, `\r` or `\r\n`, that ends just before `offset`. */
function lineBreakStart(text: string, offset: number): number {
    if (offset >= 2 && text.charAt(offset - 1) === '\n' && text.charAt(offset - 2) === '\r') return offset - 2;
    return isLineEnd(text.charCodeAt(offset - 1)) ? offset - 1 : offset;
}
