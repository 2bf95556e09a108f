import type { AnalysedRule, Predicate } from '#language/program/analysed-program.ts';
import type { Database } from '../contracts/database.ts';
import type { QueryLineage } from '../contracts/lineage.ts';
import { answerKey } from '../plan/relation-call.ts';
import { castValue } from '../values/cast.ts';
import type { ValueId } from '../values/value-id.ts';
import { withoutCasts } from './contributions.ts';
import type { FactRow, RuleMatch } from './match-rule.ts';
import { patternRows } from './pattern-rows.ts';

/** What the query of a rule makes a fact from: one match, or all of a group, of which there may be more than are told. */
export interface QueryResult {
    readonly kind: QueryLineage['kind'];
    readonly matches: readonly RuleMatch[];
    readonly count: number;
}

/** The results of a rule's query that are this fact; none where it is not known which rows they come from. */
export function queryResults(database: Database, rule: AnalysedRule, predicate: Predicate, values: readonly ValueId[]): QueryResult[] {
    const key = answerKey(rule);
    const lineage = database.lineage?.(key);
    if (lineage === undefined) return [];
    const { kind } = lineage;
    const answer = database.relation(key)!;
    const becomes = (row: number): boolean =>
        predicate.columns.every(({ cast, type }, column) => {
            const value = answer.columns[column]![row]!;
            return !cast || value === values[column] || castValue(database.dictionary, value, type, { kind: 'mixed' }) === values[column];
        });
    return patternRows(answer, withoutCasts(predicate, values))
        .filter(becomes)
        .flatMap(row => lineage.of(row))
        .map(({ count, matches }) => ({ kind, count, matches: matches.map(match => factsOf(database, lineage, match)) }));
}

/** The facts of a match. */
export function factsOf(database: Database, { inputs }: QueryLineage, match: Int32Array): FactRow[] {
    return inputs.flatMap((predicate, input) => {
        const row = match[input]!;
        return row < 0 || database.relation(predicate) === undefined ? [] : [{ predicate, row }];
    });
}
