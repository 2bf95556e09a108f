import type { AnalysedRule, Predicate } from '#language/program/analysed-program.ts';
import type { QueryLack, ShownValue, TableRow } from '../contracts/queries.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Absence, reasonIn } from './absence.ts';
import { type Cause, type Given, nearestReason, type Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import type { HeadPattern } from './match-rule.ts';
import { missingReason } from './missing-fact.ts';
import { hasRow } from './pattern-rows.ts';
import { queryLacks } from './query-questions.ts';

/** Why the query of a rule gives no row that fits a pattern. */
export function queryReasons(absence: Absence, rule: AnalysedRule, asked: HeadPattern, depth: number): Reason[] {
    const lacks = queryLacks(absence.database, rule, asked);
    const found = lacks.map(lack => reasonOf(absence, rule, lack, asked, depth));
    return found.length > 0
        ? found.map(reason => ({ ...reason, needed: true }))
        : [{ ...reasonIn(rule, { kind: 'query' }, rule.rule.body.span, [], DISTANCE.function), needed: true }];
}

function reasonOf(absence: Absence, rule: AnalysedRule, lack: QueryLack, asked: HeadPattern, depth: number): Reason {
    const { span } = rule.rule.body;
    const { words } = absence;
    switch (lack.kind) {
        case 'condition': {
            const cause: Cause = { kind: 'condition', condition: lack.condition, values: givenOf(absence, lack.values) };
            return reasonIn(rule, cause, span, premisesOf(absence, rule, lack.rows), DISTANCE.condition);
        }
        case 'value': {
            const [head] = rule.heads;
            const columns = (head && absence.database.program.predicates.get(head.predicate)?.columns) ?? [];
            const named = (value: ValueId | undefined, at: number): Given => ({
                name: columns[at]?.name ?? '',
                value: value === undefined ? 'NULL' : words.term(value),
            });
            const wanted = asked[lack.column];
            const column = { ...named(lack.given, lack.column), wanted: wanted === undefined ? '_' : words.term(wanted) };
            const beside = asked.flatMap((value, at) => (value === undefined || at === lack.column ? [] : [named(value, at)]));
            const cause: Cause = { kind: 'query', column, beside };
            return reasonIn(rule, cause, span, [], DISTANCE.queryValue);
        }
        case 'table':
            return tableReason(absence, rule, lack, asked, depth);
        case 'empty':
            return reasonIn(rule, { kind: 'query', isEmpty: true }, span, [], DISTANCE.function);
    }
}

/** A table without a row that fits: the fact that is missing, where none has the values that it needs. */
function tableReason(
    absence: Absence,
    rule: AnalysedRule,
    lack: Extract<QueryLack, { kind: 'table' }>,
    asked: HeadPattern,
    depth: number,
): Reason {
    const { database } = absence;
    const { span } = rule.rule.body;
    const premises = premisesOf(absence, rule, lack.rows);
    const predicate = tableOf(absence, rule, lack.of);
    const pattern = predicate?.columns.map((_, column) => lack.known?.get(column));
    if (predicate !== undefined && pattern !== undefined && !hasRow(database.relation(predicate.key), pattern, absence.steps.pause)) {
        const { cause, distance, missing } = missingReason(absence, predicate, pattern);
        if (cause.kind === 'missing' && missing !== undefined) {
            const because = cause.derivable ? absence.absent(predicate.key, pattern, depth + 1, false) : undefined;
            const first = because && nearestReason(because);
            return {
                ...reasonIn(rule, cause, span, premises, first === undefined ? distance : first.distance + DISTANCE.step),
                missing,
                ...(because === undefined ? {} : { because }),
            };
        }
    }
    const equal = lack.asked.flatMap(({ name, column }) => {
        const value = asked[column];
        return value === undefined ? [] : [`${name} = ${absence.words.term(value)}`];
    });
    const conditions = [...lack.conditions, ...equal];
    const cause: Cause = { kind: 'table', table: lack.table, conditions, values: givenOf(absence, lack.values) };
    return reasonIn(rule, cause, span, premises, DISTANCE.missing);
}

function tableOf({ database }: Absence, { tables = [] }: AnalysedRule, name: string | undefined): Predicate | undefined {
    const table = tables.find(one => one.name.toLowerCase() === name);
    return table && database.program.predicates.get(table.predicate);
}

function givenOf({ words }: Absence, values: readonly ShownValue[]): Given[] {
    return values.map(({ name, value }) => ({ name, value: value === undefined ? 'NULL' : words.term(value) }));
}

function premisesOf(absence: Absence, rule: AnalysedRule, rows: readonly TableRow[]): string[] {
    return rows.flatMap(({ table, row }) => {
        const predicate = tableOf(absence, rule, table);
        return predicate === undefined ? [] : [absence.words.row({ predicate: predicate.key, row })];
    });
}
