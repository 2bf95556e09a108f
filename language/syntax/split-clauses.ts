import type { Fact } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { afterTrivia, CARRIAGE_RETURN, LINE_FEED } from './characters.ts';
import { clauseExtent } from './clause-end.ts';
import { documentationAbove } from './documentation.ts';
import { readPlainFact } from './plain-fact.ts';

/** A clause's extent in its file, without the blanks and comments around it. It starts at `place.offset`. */
export interface ClauseSlice {
    readonly place: ClausePlace;
    readonly end: number;
    readonly documentation: string | undefined;
    /** The clause itself when it is a plain fact, which is read on the way. */
    readonly fact: Fact | undefined;
    /** Only blanks and comments follow. */
    readonly last: boolean;
    /** Nothing after the line in which the clause ends decides where it ends. */
    readonly settled: boolean;
}

/** A clause after which splitting goes on: where it starts and where it ends. */
export interface SplitPosition {
    readonly place: Readonly<Omit<ClausePlace, 'file'>>;
    readonly end: number;
}

const BEGINNING: SplitPosition = { place: { offset: 0, line: 0, column: 0 }, end: 0 };

/** The clauses of a text after one of them, or all of them, in order; what lies between them is blanks and comments. */
export function* splitClauses(text: string, file: string, after = BEGINNING): Generator<ClauseSlice> {
    const { offset, line, column } = after.place;
    const position = { offset, line, column };
    let start = afterTrivia(text, after.end);
    let before = after.end;
    while (start < text.length) {
        moveTo(position, text, start);
        const place: ClausePlace = { file, offset: start, line: position.line, column: position.column };
        const fact = readPlainFact(text, start, place);
        const { end, settled } = fact === undefined ? extent(text, start) : { end: start + fact.span.end, settled: true };
        const documentation = documentationAbove(text, before, start);
        before = end;
        start = afterTrivia(text, end);
        yield { place, end, documentation, fact, last: start >= text.length, settled };
    }
}

/** Joins dots without clauses before them to one clause, so that junk gives one problem. */
function extent(text: string, start: number): { readonly end: number; readonly settled: boolean } {
    DOTS.lastIndex = start;
    return DOTS.test(text) ? { end: DOTS.lastIndex, settled: false } : clauseExtent(text, start);
}

const DOTS = /\.(?:[ \t\r\n]*\.)+/uy;

/** Moves a position forward; a line ends with `\n`, `\r\n` or a lone `\r`. */
function moveTo(position: { offset: number; line: number; column: number }, text: string, offset: number): void {
    let { line, column } = position;
    for (let at = position.offset; at < offset; at++) {
        const unit = text.charCodeAt(at);
        const ends = unit === LINE_FEED || (unit === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED);
        line += ends ? 1 : 0;
        column = ends ? 0 : column + 1;
    }
    Object.assign(position, { offset, line, column });
}
