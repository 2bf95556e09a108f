import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { type Dependency, type DependencyNode, dependencyView } from './dependency-view.ts';

/** The predicates of a program in the order in which they are evaluated, each with what it needs. */
export interface ProgramOutline {
    /** By stratum, and within one in the order of evaluation. */
    readonly predicates: readonly OutlinePredicate[];
    /** How many predicates the program has; more than are listed where there was a limit. */
    readonly total: number;
}

export interface OutlinePredicate extends Omit<DependencyNode, 'place'> {
    /** A rule of it asks that something does not hold. */
    readonly negation: boolean;
    /** A rule of it aggregates, or reads a whole relation at once. */
    readonly aggregation: boolean;
    /** Once for each way in which it needs another predicate, or itself, in the order of the program's predicates. */
    readonly needs: readonly Need[];
}

export interface Need extends Pick<Dependency, 'kind' | 'recursive'> {
    readonly key: PredicateKey;
}

/** The outline of a program. With a limit, the predicates that are nearest to the outputs are in it. */
export function programOutline(analysed: AnalysedProgram, limit = Number.POSITIVE_INFINITY): ProgramOutline {
    const { predicates, edges, total } = dependencyView(analysed, limit);
    const needs = new Map<PredicateKey, Need[]>();
    for (const { predicate, needs: key, kind, recursive } of edges) append(needs, predicate, { key, kind, recursive });
    // Field by field: the rest of an object costs a large program a tenth of what its analysis does.
    const outlined = predicates.map(({ key, name, arity, stratum, recursive, input, output, facts, rules }) => {
        const own = needs.get(key) ?? [];
        const negation = own.some(({ kind }) => kind === 'negated');
        const aggregation = own.some(({ kind }) => kind === 'aggregated');
        return { key, name, arity, stratum, recursive, input, output, facts, rules, negation, aggregation, needs: own };
    });
    return { predicates: outlined, total };
}
