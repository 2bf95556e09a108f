import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause } from '#language/program/program.ts';
import type { Location } from '#language/program/span.ts';

/** What an editing function reads: one text, what it means, and what is wrong with it. Nothing in it is ever changed. */
export interface OpenDocument {
    /** Name of the file, the same as in the places of its clauses. */
    readonly file: string;
    readonly text: string;
    readonly analysed: AnalysedProgram;
    /** Of all stages, in text order. */
    readonly problems: readonly Problem[];
    /** The clause that holds an offset or ends at it; of two that touch, the one that holds more of the line before it. */
    clauseAt(offset: number): Clause | undefined;
}

/** Offsets in a document's text, `start` inclusive, `end` exclusive, in UTF-16 units. */
export interface TextRange {
    readonly start: number;
    readonly end: number;
}

/** The offsets of a place in its file. */
export function rangeOf({ place, span }: Location): TextRange {
    return { start: place.offset + span.start, end: place.offset + span.end };
}
