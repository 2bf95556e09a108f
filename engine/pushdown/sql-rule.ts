import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace } from '#language/program/span.ts';
import type { ColumnKind, Dialect } from '../contracts/compute.ts';
import type { PlanLiteral, PlanRule } from '../plan/plan.ts';
import { isNumber } from './column-kinds.ts';
import type { Encoded, SqlValue } from './encoded.ts';
import { type SqlScope, sqlEncoded, sqlEqual, sqlValue } from './sql-expression.ts';
import { stayHere } from './stays-here.ts';

/** The tables and constants that a rule is written with. */
export interface SqlTables {
    readonly dialect: Dialect;
    /** How the table of a relation has the values of a column: as values of a kind in `c0`, `c1`…, as numbers in `i0`, `i1`…, or as both. */
    readonly columnOf: (relation: PredicateKey, column: number) => { readonly kind?: ColumnKind | undefined; readonly hasIds: boolean };
    /** The table that a literal reads, by its index in the rule. */
    readonly tableOf: (literal: PlanLiteral, index: number) => string;
    /** The value of an expression without variables. */
    readonly constant: (expression: Expression, place: ClausePlace) => Encoded;
}

/** The matches of a rule: what follows the list of columns in a SELECT, and the values of the variables. */
export interface SqlMatches {
    /** Begins with a space where it is not empty. */
    readonly from: string;
    readonly variable: (variable: string) => Encoded;
}

/** The names by which a rule calls the tables of its literals. */
export function aliasOf(index: number): string {
    return `l${index}`;
}

/** Writes the body of a rule. Each match is a row, as often as there are combinations of facts. */
export function sqlMatches(rule: PlanRule, { dialect, columnOf, tableOf, constant }: SqlTables): SqlMatches {
    const values = new Map<string, Encoded>();
    const variable = (name: string): Encoded => values.get(name) ?? stayHere(say`the rule makes unknown values`);
    const scopeAt = (place: ClausePlace): SqlScope => ({ dialect, variable, constant: expression => constant(expression, place) });
    const scope = scopeAt(rule.place);
    const columnsOf = (literal: PlanLiteral, index: number): [string, Encoded][] =>
        literal.terms.flatMap((term, at): [string, Encoded][] => {
            if (term.kind !== 'variable') return [];
            const { kind, hasIds } = columnOf(literal.relation, at);
            const alias = aliasOf(index);
            return [[term.name, { ...(kind && { value: { sql: `${alias}.c${at}`, kind } }), ...(hasIds && { id: `${alias}.i${at}` }) }]];
        });
    const from: string[] = [];
    const conditions: string[] = [];
    const take = (name: string, value: Encoded): void => {
        const known = values.get(name);
        if (known !== undefined) conditions.push(sqlEqual(known, value, dialect));
        values.set(name, known === undefined ? value : { value: narrower(known.value, value.value), id: known.id ?? value.id });
    };
    for (const { variable: name, value, place } of rule.constants) take(name, sqlEncoded(value, scopeAt(place ?? rule.place)));
    for (const [index, literal] of rule.literals.entries()) {
        if (literal.negated) continue;
        from.push(`${tableOf(literal, index)} ${aliasOf(index)}`);
        for (const [name, value] of columnsOf(literal, index)) take(name, value);
    }
    for (const { variable: name, value, exploded, place } of rule.assignments) {
        if (exploded) stayHere(say`the elements of a collection are taken one by one`);
        take(name, sqlEncoded(value, scopeAt(place ?? rule.place)));
    }
    for (const filter of rule.filters) {
        const { sql, kind } = sqlValue(filter, scope);
        if (kind !== 'boolean') stayHere(say`a condition is not a truth value`);
        conditions.push(sql);
    }
    for (const name of rule.constantsOnly) if (variable(name).value === undefined) stayHere(say`unknown values are left out`);
    for (const [index, literal] of rule.literals.entries()) {
        if (!literal.negated) continue;
        const own = new Map<string, Encoded>();
        const same: string[] = [];
        for (const [name, value] of columnsOf(literal, index)) {
            const known = values.get(name) ?? own.get(name);
            if (known === undefined) own.set(name, value);
            else same.push(sqlEqual(known, value, dialect));
        }
        conditions.push(`not exists (select 1 from ${tableOf(literal, index)} ${aliasOf(index)}${where(same)})`);
    }
    return { from: `${from.length === 0 ? '' : ` from ${from.join(', ')}`}${where(conditions)}`, variable };
}

function where(conditions: readonly string[]): string {
    return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}

const WIDTHS: Partial<Record<ColumnKind, number>> = { int: 0, long: 1, double: 2 };

/** Of equal values the one whose kind has fewer: it is computed with as such. */
function narrower(left: SqlValue | undefined, right: SqlValue | undefined): SqlValue | undefined {
    if (left === undefined || right === undefined) return left ?? right;
    return isNumber(left.kind) && isNumber(right.kind) && WIDTHS[right.kind]! < WIDTHS[left.kind]! ? right : left;
}
