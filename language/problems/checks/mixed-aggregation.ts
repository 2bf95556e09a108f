import type { AggregatedColumns, ColumnSource } from '#language/analysis/program-facts.ts';
import { isTestFile } from '#language/analysis/test-cases.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Fact } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated, withSeverity } from '../catalogue.ts';

/** The input of the check: a predicate whose rules aggregate. */
export interface AggregatedPredicate {
    readonly name: string;
    readonly columns: AggregatedColumns;
    readonly recursive: boolean;
    readonly facts: readonly Fact[];
}

/**
 * Columns that rules fill in different ways although one aggregates them, RL3020, and facts among them, RL3021 (D-38).
 * RL3011 speaks for an aggregate in recursion that is only a part of the value.
 */
export function* checkMixedAggregation({ name, columns, recursive, facts }: AggregatedPredicate): Iterable<Problem> {
    let monotonic = false;
    for (const [column, sources] of columns) {
        const first = sources.find(isMonotonic);
        if (first?.aggregate === undefined) continue;
        monotonic = true;
        const { family } = AGGREGATES[first.aggregate.name];
        for (const source of sources) {
            if (source.aggregate !== undefined && AGGREGATES[source.aggregate.name].family === family) continue;
            if (recursive && source.aggregated && source.aggregate === undefined) continue;
            const found = problem('RL3020', source.place, source.term.span, column + 1, name, first.aggregate.name);
            const related = [
                { place: first.place, span: first.aggregate.span, message: say`aggregated with '${first.aggregate.name}' here` },
            ];
            yield withRelated(recursive || source.aggregated ? found : withSeverity(found, 'warning'), related);
        }
    }
    if (!monotonic) return;
    // A test expects facts of such predicates.
    for (const fact of facts) if (!isTestFile(fact.place.file)) yield problem('RL3021', fact.place, fact.atom.span);
}

function isMonotonic({ aggregate }: ColumnSource): boolean {
    return aggregate !== undefined && AGGREGATES[aggregate.name].direction !== undefined;
}
