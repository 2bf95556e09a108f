import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from './append.ts';
import type { AggregatedColumns, ColumnSource, RuleFacts } from './program-facts.ts';
import { dependsOn } from './resolve-rule.ts';

/** Which columns rules aggregate, and how every rule of such a predicate fills them (5.5). */
export function aggregatedColumns(rules: readonly RuleFacts[]): AggregatedColumns {
    const aggregating = new Set<PredicateKey>();
    for (const { resolved, aggregated } of rules)
        if (aggregated.size > 0) for (const { predicate } of resolved.heads) aggregating.add(predicate);
    const sources = new Map<PredicateKey, Map<number, ColumnSource[]>>();
    for (const facts of rules) {
        for (const { atom, predicate } of facts.resolved.heads) {
            if (!aggregating.has(predicate)) continue;
            const columns = sources.get(predicate) ?? new Map<number, ColumnSource[]>();
            sources.set(predicate, columns);
            atom.arguments.forEach((term, column) => {
                append(columns, column, columnSource(facts, term));
            });
        }
    }
    for (const columns of sources.values()) {
        for (const [column, list] of columns) if (!list.some(source => source.aggregated)) columns.delete(column);
    }
    return sources;
}

function columnSource({ index, place, resolved, aggregated }: RuleFacts, term: ColumnSource['term']): ColumnSource {
    const assignment = term.kind === 'variable' ? resolved.assignments.find(({ variable }) => variable.name === term.name) : undefined;
    return {
        rule: index,
        place,
        term,
        aggregated: dependsOn(term, aggregated),
        ...(assignment?.value.kind === 'aggregate' && { aggregate: assignment.value }),
    };
}
