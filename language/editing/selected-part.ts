import { type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import type { Clause } from '#language/program/program.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import { defined } from './cell-predicates.ts';
import { bodyItems, ruleOf } from './refactorings/rule-parts.ts';

/** A part of a program that can be evaluated by itself: some predicates, by name, or a body. */
export type ProgramPart = { readonly predicates: readonly string[] } | { readonly body: string };

/** Finds the part to evaluate for a selection: the items of a body that it touches, else the predicates of the heads in it. */
export function selectedPart(document: OpenDocument, range: TextRange): ProgramPart | undefined {
    const touched = document.program.clauses.filter(clause => {
        const { start, end } = rangeOf({ place: clause.place, span: clause.span });
        return start < range.end && end > range.start;
    });
    const [only] = touched;
    const body = touched.length === 1 && only !== undefined ? selectedItems(document, only, range) : undefined;
    if (body !== undefined) return { body };
    const predicates = [...new Set(touched.flatMap(defined))];
    return predicates.length === 0 ? undefined : { predicates };
}

/** The text of the whole items that a selection touches which begins behind the head. */
function selectedItems(document: OpenDocument, clause: Clause, range: TextRange): string | undefined {
    const rule = ruleOf(document.analysed, clause);
    const { offset } = clause.place;
    const own = clauseText(document, clause);
    const items = (rule && bodyItems(rule, tokenize(own))) ?? [];
    const start = range.start - offset;
    if (items[0] === undefined || start < items[0].span.start) return undefined;
    const chosen = items.filter(({ span }) => span.start < range.end - offset && span.end > start);
    const [first, last] = [chosen[0], chosen.at(-1)];
    return first && last && own.slice(first.span.start, last.span.end);
}
