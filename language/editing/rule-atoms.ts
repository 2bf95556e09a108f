import { lastClauseStartingAt, type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';

/** An atom of a rule, and the predicate that it means. */
export interface RuleAtom {
    readonly predicate: PredicateKey;
    readonly range: TextRange;
    readonly part: 'head' | 'body';
}

/** The atoms of the rules within a part of a text, in text order. */
export function* ruleAtoms({ analysed, file }: OpenDocument, part: TextRange): Iterable<RuleAtom> {
    const { clauses } = analysed.program;
    const first = clauses[Math.max(lastClauseStartingAt(clauses, part.start), 0)];
    if (first === undefined) return;
    for (const { rule, heads, literals } of analysed.rules) {
        const { place } = rule;
        if (place.file !== file || place.offset < first.place.offset) continue;
        if (place.offset >= part.end) return;
        for (const { atom, predicate } of heads) yield { predicate, range: rangeOf({ place, span: atom.span }), part: 'head' };
        for (const { atom, predicate } of literals) yield { predicate, range: rangeOf({ place, span: atom.span }), part: 'body' };
    }
}
