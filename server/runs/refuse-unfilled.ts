import { stop } from '#engine/reports/reports.ts';
import type { AnalysedProgram, AnalysedRule, Bind, PredicateKey } from '#language/program/analysed-program.ts';

/**
 * Ends the run with RT066 where it would write a predicate that nothing can fill: that would destroy what its bind names and
 * keep nothing. The check says so earlier (RL6093); this is the last defence, and asks the analysis for no direction of a bind.
 */
export function refuseUnfilled(program: AnalysedProgram, keys: readonly PredicateKey[]): void {
    const targets = keys.flatMap(key => program.predicates.get(key)?.outputBinds.map(bind => [key, bind] as const) ?? []);
    if (targets.length === 0) return;
    const filled = filledPredicates(program);
    const lost = targets.find(([key]) => !filled.has(key));
    if (lost !== undefined) refuse(lost[1]);
}

function refuse({ predicate, inner, place, annotation }: Bind): never {
    stop('RT066', { location: { place, span: annotation.span } }, predicate, inner);
}

/** The predicates that may have rows, as far as facts, sources and the atoms of rules show. */
function filledPredicates({ predicates, rules, strata }: AnalysedProgram): ReadonlySet<PredicateKey> {
    const filled = new Set<PredicateKey>();
    for (const { key, facts, inputBinds, input } of predicates.values()) {
        if (facts.length > 0 || inputBinds.length > 0 || input) filled.add(key);
    }
    // What a rule needs comes before it, but for recursions.
    let waiting = strata.flatMap(stratum => stratum.rules.flatMap(index => rules[index] ?? []));
    for (let before = -1; before !== waiting.length; ) {
        before = waiting.length;
        const left: AnalysedRule[] = [];
        for (const rule of waiting) {
            if (needsOf(rule).every(key => filled.has(key) || !predicates.has(key)))
                for (const { predicate } of rule.heads) filled.add(predicate);
            else left.push(rule);
        }
        waiting = left;
    }
    return filled;
}

/** Returns the predicates of which a rule needs rows. A predicate that a query or a function reads as a whole may be empty. */
function needsOf({ literals }: AnalysedRule): PredicateKey[] {
    return literals.flatMap(({ negated, predicate }) => (negated ? [] : [predicate]));
}
