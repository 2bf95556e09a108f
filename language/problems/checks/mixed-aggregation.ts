import type { ColumnSource, ProgramFacts } from '#language/analysis/program-facts.ts';
import { AGGREGATES } from '#language/library/aggregates.ts';
import type { Predicate } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem, withRelated, withSeverity } from '../catalogue.ts';

/**
 * Columns that rules fill in different ways although one aggregates them, RL3020, and facts among them, RL3021 (D-38).
 * RL3011 speaks for an aggregate in recursion that is only a part of the value.
 */
export function* checkMixedAggregation(predicate: Predicate, program: ProgramFacts): Iterable<Problem> {
    const columns = program.aggregatedColumns.get(predicate.key);
    if (columns === undefined) return;
    const recursive = program.strata[program.stratumOf.get(predicate.key) ?? -1]?.recursive ?? false;
    let monotonic = false;
    for (const [column, sources] of columns) {
        const first = sources.find(isMonotonic);
        if (first?.aggregate === undefined) continue;
        monotonic = true;
        const { family } = AGGREGATES[first.aggregate.name];
        for (const source of sources) {
            if (source.aggregate !== undefined && AGGREGATES[source.aggregate.name].family === family) continue;
            if (recursive && source.aggregated && source.aggregate === undefined) continue;
            const found = problem('RL3020', source.place, source.term.span, column + 1, predicate.name, first.aggregate.name);
            const related = [{ place: first.place, span: first.aggregate.span, message: `aggregated with '${first.aggregate.name}' here` }];
            yield withRelated(recursive || source.aggregated ? found : withSeverity(found, 'warning'), related);
        }
    }
    if (monotonic) for (const fact of predicate.facts) yield problem('RL3021', fact.place, fact.atom.span);
}

function isMonotonic({ aggregate }: ColumnSource): boolean {
    return aggregate !== undefined && AGGREGATES[aggregate.name].direction !== undefined;
}
