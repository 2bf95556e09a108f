import type { TextRange } from '#language/document/open-document.ts';
import type { TextEdit } from '#language/editing/format-edits.ts';
import { printExpression } from '#language/program/print.ts';
import type { Clause } from '#language/program/program.ts';
import { type Match, matchesIn, spanOf } from './find-matches.ts';
import type { Bound } from './match-terms.ts';
import type { Search } from './read-search.ts';
import { replaced } from './replace-matches.ts';

/** A place that a search has found, with offsets in the text. */
export interface Found {
    readonly range: TextRange;
    /** Values of the holes and variables of the pattern, as source text, by name. */
    readonly bindings: ReadonlyMap<string, string>;
    /**
     * Edits that turn the match into its replacement. Absent without a replacement, if another match shares parts with this one, and if
     * nothing would be left.
     */
    readonly edits?: readonly TextEdit[];
}

/** One edit in place of those of a match, which has the whole match in it. */
export function asOneEdit(text: string, { range, edits = [] }: Found): TextEdit | undefined {
    if (edits.length === 0) return undefined;
    const ends = [range.start, range.end].map(at => ({ start: at, end: at, text: '' }));
    const [first, ...more] = [...edits, ...ends].sort((a, b) => a.start - b.start || a.end - b.end);
    return more.reduce<TextEdit | undefined>(
        (whole, edit) =>
            whole && {
                start: whole.start,
                end: Math.max(whole.end, edit.end),
                text: whole.text + text.slice(whole.end, edit.start) + edit.text,
            },
        first,
    );
}

/** All places of a program's own text that are as a pattern says, in the order of the text. */
export function* searchProgram(clauses: readonly Clause[], { pattern, replacement }: Search): Generator<Found> {
    for (const clause of clauses) {
        const taken = new Set<number>();
        let isHeadTaken = false;
        for (const match of matchesIn(clause, pattern)) {
            const isTaken = match.items.some(item => taken.has(item)) || (isHeadTaken && match.head !== undefined);
            // Items that are taken out leave their commas to those beside them.
            const isFree = !isTaken && (taken.size === 0 || replacement?.items?.length !== 0);
            const edits = replacement !== undefined && isFree ? replaced(match, replacement) : undefined;
            if (edits !== undefined) {
                isHeadTaken ||= match.head !== undefined;
                for (const item of match.items) taken.add(item);
            }
            const { offset } = clause.place;
            const placed = edits?.map(({ span, text }) => ({ start: offset + span.start, end: offset + span.end, text }));
            yield foundOf(match, placed);
        }
    }
}

function foundOf(match: Match, edits: readonly TextEdit[] | undefined): Found {
    const { start, end } = spanOf(match);
    const { offset } = match.clause.place;
    const bindings = [...match.bindings].map(([name, bound]) => [name, boundText(bound)] as const);
    return {
        range: { start: offset + start, end: offset + end },
        bindings: new Map(bindings.filter(([name]) => !name.startsWith('$_'))),
        ...(edits !== undefined && { edits }),
    };
}

function boundText(bound: Bound): string {
    switch (bound.kind) {
        case 'term':
            return printExpression(bound.term);
        case 'terms':
            return bound.terms.map(printExpression).join(', ');
        case 'predicate':
            return bound.name;
    }
}
