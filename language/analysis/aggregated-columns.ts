import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import type { AggregatedColumns, ColumnSource, RuleFacts } from './program-facts.ts';
import { dependsOn } from './resolve-rule.ts';

/** Finds the columns of a predicate that its rules aggregate, and how each rule fills them (5.5). */
export function aggregatedColumns(predicate: PredicateKey, rules: readonly RuleFacts[]): AggregatedColumns {
    if (!rules.some(({ aggregated }) => aggregated.size > 0)) return NONE;
    const columns = new Map<number, ColumnSource[]>();
    for (const facts of rules) {
        for (const head of facts.resolved.heads) {
            if (head.predicate !== predicate) continue;
            head.atom.arguments.forEach((term, column) => {
                append(columns, column, columnSource(facts, term));
            });
        }
    }
    for (const [column, list] of columns) if (!list.some(source => source.aggregated)) columns.delete(column);
    return columns;
}

const NONE: AggregatedColumns = new Map();

function columnSource({ place, resolved, aggregated }: RuleFacts, term: ColumnSource['term']): ColumnSource {
    const assignment = term.kind === 'variable' ? resolved.assignments.find(({ variable }) => variable.name === term.name) : undefined;
    return {
        place,
        term,
        aggregated: dependsOn(term, aggregated),
        ...(assignment?.value.kind === 'aggregate' && { aggregate: assignment.value }),
    };
}
