import { AGGREGATES } from '#language/library/aggregates.ts';
import type { AnalysedProgram, AnalysedRule, PredicateKey, Stratum } from '#language/program/analysed-program.ts';

/** A stratum in the sense of 4.9: components that need not be complete before each other, and what is checked after them. */
export interface Level {
    /** What others need first. */
    readonly components: readonly Stratum[];
    /** Indexes of rules with an equality head. */
    readonly equalities: readonly number[];
}

/**
 * The strongly connected components by level, lowest first. A component is above what it negates, aggregates with
 * a function that needs its whole input, or gives to a relation function; an equality head belongs to the highest level
 * of its body. That does not depend on the order of the text, while the order of components does.
 */
export function levelsOf(program: AnalysedProgram): Level[] {
    const levels = new Map<PredicateKey, number>();
    const levelOf = (key: PredicateKey): number => levels.get(key) ?? 0;
    const found: { components: Stratum[]; equalities: number[] }[] = [];
    const at = (level: number): (typeof found)[number] => {
        while (found.length <= level) found.push({ components: [], equalities: [] });
        return found[level]!;
    };
    for (const component of program.strata) {
        let level = 0;
        for (const index of component.rules) {
            const rule = program.rules[index]!;
            const above = needsWholeInput(rule) ? 1 : 0;
            for (const { predicate, negated } of rule.literals) level = Math.max(level, levelOf(predicate) + (negated ? 1 : above));
            if (rule.relation !== undefined) level = Math.max(level, levelOf(rule.relation) + 1);
        }
        for (const key of component.predicates) levels.set(key, level);
        at(level).components.push(component);
    }
    for (const rule of program.rules) {
        if (rule.rule.head.kind !== 'equality') continue;
        at(Math.max(0, ...rule.literals.map(literal => levelOf(literal.predicate)))).equalities.push(rule.index);
    }
    return found;
}

function needsWholeInput({ assignments }: AnalysedRule): boolean {
    return assignments.some(({ aggregates }) => aggregates.some(({ name }) => AGGREGATES[name].direction === undefined));
}
