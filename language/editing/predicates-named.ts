import { append } from '#language/analysis/append.ts';
import type { AnalysedProgram, Predicate, PredicateKey } from '#language/program/analysed-program.ts';

const BY_NAME = new WeakMap<AnalysedProgram, ReadonlyMap<string, readonly Predicate[]>>();
const STRATA = new WeakMap<AnalysedProgram, ReadonlyMap<PredicateKey, number>>();

/** The predicates of a name, by arity; made once for each analysis. */
export function predicatesNamed(analysed: AnalysedProgram, name: string): readonly Predicate[] {
    return predicatesByName(analysed).get(name) ?? [];
}

/** Every predicate of the program under its name. */
export function predicatesByName(analysed: AnalysedProgram): ReadonlyMap<string, readonly Predicate[]> {
    let table = BY_NAME.get(analysed);
    if (table === undefined) {
        const made = new Map<string, Predicate[]>();
        for (const predicate of analysed.predicates.values()) append(made, predicate.name, predicate);
        for (const predicates of made.values()) predicates.sort((a, b) => a.arity - b.arity);
        table = made;
        BY_NAME.set(analysed, table);
    }
    return table;
}

/** The predicate that an atom with so many terms means: the one with as many columns, else the smallest with more (D-24). */
export function predicateMeant(analysed: AnalysedProgram, name: string, terms: number | undefined): Predicate | undefined {
    const predicates = predicatesNamed(analysed, name);
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
