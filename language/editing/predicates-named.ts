import type { AnalysedProgram, Predicate, PredicateKey } from '#language/program/analysed-program.ts';

const STRATA = new WeakMap<AnalysedProgram, ReadonlyMap<PredicateKey, number>>();

/** The predicate that an atom with so many terms means: the one with as many columns, else the smallest with more (D-24). */
export function predicateMeant(analysed: AnalysedProgram, name: string, terms: number | undefined): Predicate | undefined {
    const predicates = analysed.predicatesNamed(name);
    if (terms === undefined) return predicates[0];
    return predicates.find(predicate => predicate.arity >= terms) ?? predicates.at(-1);
}

/** The place of a predicate's stratum in the order of evaluation, from zero. */
export function stratumOf(analysed: AnalysedProgram, key: PredicateKey): number | undefined {
    let table = STRATA.get(analysed);
    if (table === undefined) {
        table = new Map(analysed.strata.flatMap(({ predicates }, index) => predicates.map(member => [member, index] as const)));
        STRATA.set(analysed, table);
    }
    return table.get(key);
}
