import type { Position, Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';

/** The unit of a position's character; the protocol's own word is UTF-16 units. */
export type Encoding = 'utf-8' | 'utf-16' | 'utf-32';

/** Between offsets in UTF-16 units and the positions of the protocol. */
export interface TextPositions {
    readonly text: string;
    readonly lineCount: number;
    offsetAt(position: Position): number;
    positionAt(offset: number): Position;
    rangeOf(range: { readonly start: number; readonly end: number }): Range;
}

export function textPositions(document: TextDocument, encoding: Encoding): TextPositions {
    const lineFrom = (line: number): string => document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
    const positionAt = (offset: number): Position => {
        const position = document.positionAt(offset);
        return encoding === 'utf-16'
            ? position
            : { ...position, character: unitsOf(lineFrom(position.line), position.character, encoding) };
    };
    return {
        text: document.getText(),
        lineCount: document.lineCount,
        offsetAt: position => {
            if (encoding === 'utf-16') return document.offsetAt(position);
            return document.offsetAt({ ...position, character: utf16Of(lineFrom(position.line), position.character, encoding) });
        },
        positionAt,
        rangeOf: ({ start, end }) => ({ start: positionAt(start), end: positionAt(end) }),
    };
}

/** The units before a character of a line. */
export function unitsOf(line: string, character: number, encoding: Encoding): number {
    let units = 0;
    for (let i = 0; i < character; ) {
        const code = line.codePointAt(i) ?? 0;
        const width = code > 0xffff ? 2 : 1;
        if (i + width > character) break;
        units += unitWidth(code, encoding);
        i += width;
    }
    return units;
}

/** The character of a line that stands after so many units, or its end. */
function utf16Of(line: string, units: number, encoding: Encoding): number {
    let seen = 0;
    let character = 0;
    for (const one of line) {
        const width = unitWidth(one.codePointAt(0) ?? 0, encoding);
        if (seen + width > units) break;
        seen += width;
        character += one.length;
    }
    return character;
}

function unitWidth(code: number, encoding: Encoding): number {
    switch (encoding) {
        case 'utf-16':
            return code > 0xffff ? 2 : 1;
        case 'utf-32':
            return 1;
        case 'utf-8':
            return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    }
}
