import { analyse } from '#language/analysis/analyse.ts';
import type { AnalysisOptions } from '#language/analysis/program-facts.ts';
import { ownProblems } from '#language/modules/all-problems.ts';
import { type FindModule, withModules } from '#language/modules/include.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause, Program } from '#language/program/program.ts';
import type { Location } from '#language/program/span.ts';
import { readProgram } from '#language/read-program.ts';
import { endOf } from './clause-list.ts';

/** The input of editing functions: one text, its program, its analysis and its problems. Nothing in it ever changes. */
export interface OpenDocument {
    /** Name of the file, the same as in the places of its clauses. */
    readonly file: string;
    readonly text: string;
    /** The program that the text contains. */
    readonly program: Program;
    readonly analysed: AnalysedProgram;
    /** Present where a text has so many rules that what they mean is not found out: then it is a program without clauses. */
    readonly isUnread?: true;
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

/** The document that a text is, read and analysed from its first character to its last, with the modules that are found. */
export function openDocument(text: string, file: string, options: AnalysisOptions = {}, find?: FindModule): OpenDocument {
    const read = readProgram(text, file);
    const analysed = analyse(find === undefined ? read.value : withModules(read.value, find), options);
    const problems = [...read.problems, ...ownProblems(analysed)];
    problems.sort((a, b) => rangeOf(a).start - rangeOf(b).start || rangeOf(a).end - rangeOf(b).end);
    return analysedDocument(text, analysed, problems);
}

/** The document that a text is, when all about it is known already. */
export function analysedDocument(text: string, analysed: AnalysedProgram, problems: readonly Problem[]): OpenDocument {
    const { file, clauses } = analysed.program;
    return { file, text, program: analysed.program, analysed, problems, clauseAt: offset => clauseHolding(clauses, offset) };
}

/** The clause that holds an offset or ends at it. */
export function clauseHolding(clauses: readonly Clause[], offset: number): Clause | undefined {
    const index = lastClauseStartingAt(clauses, offset);
    const clause = clauses[index];
    const before = clauses[index - 1];
    if (clause === undefined) return undefined;
    if (clause.place.offset === offset && before !== undefined && endOf(before) === offset) return before;
    return offset <= endOf(clause) ? clause : undefined;
}

/** Index of the last clause that starts at the offset or before it; -1 when there is none. */
export function lastClauseStartingAt(clauses: readonly Clause[], offset: number): number {
    let low = 0;
    let high = clauses.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if ((clauses[middle]?.place.offset ?? 0) <= offset) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}
