import type { PredicateKey } from '#language/program/analysed-program.ts';
import { type Component, components } from '#language/program/components.ts';
import { say } from '#language/program/say.ts';
import type { ColumnKind, TableColumn } from '../contracts/compute.ts';
import { isTested, type Plan, type PlanEmit, type PlanLiteral, type PlanRelation, type PlanRule, type PlanStratum } from '../plan/plan.ts';
import { kindOf } from './column-kinds.ts';
import type { Encoded } from './encoded.ts';
import { sqlCast } from './sql-expression.ts';
import { contributionOf, sqlGroups } from './sql-groups.ts';
import { aliasOf, type SqlMatches, type SqlTables, sqlMatches } from './sql-rule.ts';
import { StaysHere, stayHere } from './stays-here.ts';

/** A column of the table of a relation: `c0` has the values of its column 0, `i0` their numbers. */
export interface RelationColumn extends TableColumn {
    readonly column: number;
}

/** A stratum as queries for an engine. */
export interface PushedStratum {
    /** The relations that it reads and does not fill, with the columns that their tables need. */
    readonly reads: ReadonlyMap<PredicateKey, ReadonlySet<string>>;
    /** The columns of the tables that it fills. */
    readonly fills: ReadonlyMap<PredicateKey, readonly RelationColumn[]>;
    /** In an order in which each reads only those before it. */
    readonly steps: readonly PushedStep[];
}

export type PushedStep =
    /** One relation by one query, whose rows may repeat unless they are groups. */
    { readonly kind: 'once'; readonly relation: PredicateKey; readonly query: string; readonly isDistinct: boolean } | PushedRecursion;

/** Relations that need each other: their first rows, and what each round adds. */
export interface PushedRecursion {
    readonly kind: 'recursion';
    readonly relations: readonly PushedRelation[];
    /** One relation whose rules read it once each: `step` reads the table of this name in its place. */
    readonly linear?: { readonly name: string; readonly step: readonly string[] };
    /** It may make values for ever (D-29.4). */
    readonly growing: boolean;
}

export interface PushedRelation {
    readonly relation: PredicateKey;
    /** Of the first rows; absent where it begins without rows. */
    readonly start?: string;
    /** One for each literal that has new rows, which are those of a table with `newTable` for its name. */
    readonly round: readonly string[];
}

/** The tables of a run. */
export interface RunTables extends Pick<SqlTables, 'dialect' | 'constant'> {
    nameOf(relation: PredicateKey): string;
    /** How a table that a stratum reads has, or can be given, the values of a column. */
    columnOf: SqlTables['columnOf'];
    /** Rows of a relation that are there before its stratum: facts, mostly. */
    hasRows(relation: PredicateKey): boolean;
}

export function newTable(table: string): string {
    return `${table}_new`;
}

/** Why an engine evaluates nothing of a plan, where it does not. */
export function planStaysHere({ heights, rewrites }: Plan): string | undefined {
    if (heights) return say`explanations keep the height of each fact`;
    return rewrites ? say`equality heads replace values` : undefined;
}

/** The queries of a stratum, or the reason why it stays here. */
export function pushedStratum(stratum: PlanStratum, plan: Plan, tables: RunTables): PushedStratum | string {
    try {
        return new StratumWriter(stratum, plan, tables).write();
    } catch (error) {
        if (error instanceof StaysHere) return error.message;
        throw error;
    }
}

/** How the columns of relations that need each other are chosen first: a column whose choice no rule can serve is changed. */
type Preference = (kind: ColumnKind | undefined) => ColumnKind | undefined;

const PREFERENCES: readonly Preference[] = [
    // Numbers are computed with, mostly, and other values joined.
    kind => (kind === 'int' || kind === 'long' || kind === 'double' ? kind : undefined),
    () => undefined,
    kind => kind,
];

class StratumWriter {
    readonly #stratum: PlanStratum;
    readonly #plan: Plan;
    readonly #tables: RunTables;
    readonly #own: ReadonlySet<PredicateKey>;
    readonly #fills = new Map<PredicateKey, readonly RelationColumn[]>();
    readonly #reads = new Map<PredicateKey, Set<string>>();

    constructor(stratum: PlanStratum, plan: Plan, tables: RunTables) {
        this.#stratum = stratum;
        this.#plan = plan;
        this.#tables = tables;
        this.#own = new Set(stratum.relations);
    }

    write(): PushedStratum {
        const { relations, rules, equalities } = this.#stratum;
        if (equalities !== undefined || rules.length === 0) stayHere(say`it has no rules`);
        for (const key of relations) {
            const { call, columns, predicate } = this.#relation(key);
            if (call !== undefined) stayHere(say`its rows come from a call`);
            if (columns.some(({ cast }) => cast)) stayHere(say`values of '${predicate.name}' are converted to the types of its model`);
        }
        for (const rule of rules) {
            if (isTested(rule, this.#plan)) stayHere(say`facts are compared up to unknown values`);
            if (rule.inventions.length > 0) stayHere(say`the rule makes unknown values`);
            if (rule.outputs.some(({ kind, relation }) => kind === 'match' || !this.#own.has(relation)))
                stayHere(say`its matches are looked at here`);
            for (const { relation } of rule.literals) if (!this.#own.has(relation)) this.#reads.set(relation, new Set());
        }
        const read = readBy(relations, rules);
        const steps = components(relations, key => read.get(key)!).map(component => this.#step(component));
        return { reads: this.#reads, fills: this.#fills, steps };
    }

    #step({ members, recursive }: Component<PredicateKey>): PushedStep {
        if (recursive) return this.#recursion(members);
        const relation = members[0]!;
        const rules = this.#rulesOf(relation);
        const { groups, columns, arity } = this.#relation(relation);
        const matches = rules.map(rule => ({ rule, matches: this.#matches(rule) }));
        if (groups === undefined) {
            this.#choose(relation, (column, kind) => {
                const terms = matches.flatMap(one => emitted(one.rule, relation).map(({ terms }) => one.matches.variable(terms[column]!)));
                return terms.every(({ id }) => id !== undefined) ? undefined : kind;
            });
            return {
                kind: 'once',
                relation,
                query: rules.map(rule => this.#select(rule, relation)).join(' union all '),
                isDistinct: false,
            };
        }
        if (this.#tables.hasRows(relation)) stayHere(say`groups have rows already`);
        const results = new Set(groups.aggregates.map(({ column }) => column));
        const named: RelationColumn[] = Array.from({ length: arity }, (_, column) => {
            const kind = kindOf(columns[column]!.type);
            if (results.has(column)) return { name: `c${column}`, column, kind: kind ?? stayHere(this.#noCounterpart(relation, column)) };
            const at = groups.keys.indexOf(column);
            const isId = matches.every(one => one.matches.variable(contributionOf(one.rule).keys[at]!).id !== undefined);
            return isId
                ? { name: `i${column}`, column }
                : { name: `c${column}`, column, kind: kind ?? stayHere(this.#noCounterpart(relation, column)) };
        });
        const { dialect } = this.#tables;
        this.#fills.set(relation, named);
        const query = sqlGroups({
            groups,
            rules: matches,
            names: named.map(({ name }) => name),
            key: (value, column) => this.#written(value, named[column]!),
            result: (value, column) => sqlCast(value, named[column]!.kind!, dialect),
            dialect,
            note: (rule, text) => this.#note(rule, text),
        });
        return { kind: 'once', relation, query, isDistinct: true };
    }

    #recursion(members: readonly PredicateKey[]): PushedRecursion {
        for (const key of members) if (this.#relation(key).groups !== undefined) stayHere(say`a recursion goes through an aggregate`);
        let reason: unknown;
        for (const preference of PREFERENCES) {
            try {
                return this.#recursionBy(members, preference);
            } catch (error) {
                if (!(error instanceof StaysHere)) throw error;
                reason ??= error;
            }
        }
        throw reason;
    }

    #recursionBy(members: readonly PredicateKey[], preference: Preference): PushedRecursion {
        const mine = new Set(members);
        const isOwn = ({ relation }: PlanLiteral): boolean => mine.has(relation);
        for (const key of members) this.#choose(key, (_, kind) => preference(kind));
        // A column that some rule has no number for is one of values; there is no way back, so that this ends.
        for (let isChanged = true; isChanged; ) {
            isChanged = false;
            for (const key of members) {
                for (const { column, kind } of this.#fills.get(key)!) {
                    if (kind !== undefined) continue;
                    const lacks = this.#rulesOf(key).some(rule => {
                        const { variable } = this.#matches(rule);
                        return emitted(rule, key).some(({ terms }) => variable(terms[column]!).id === undefined);
                    });
                    if (!lacks) continue;
                    if (kindOf(this.#relation(key).columns[column]!.type) === undefined) stayHere(this.#noCounterpart(key, column));
                    const before = this.#fills.get(key)!;
                    this.#choose(key, (at, own) => (at === column || before[at]!.kind !== undefined ? own : undefined));
                    isChanged = true;
                }
            }
        }
        const relations = members.map((relation): PushedRelation => {
            const rules = this.#rulesOf(relation);
            const starts = rules.filter(({ literals }) => !literals.some(isOwn)).map(rule => this.#select(rule, relation));
            const round = rules.flatMap(rule =>
                rule.literals.flatMap((literal, at) =>
                    isOwn(literal)
                        ? [
                              this.#select(rule, relation, index =>
                                  index === at ? newTable(this.#tables.nameOf(literal.relation)) : undefined,
                              ),
                          ]
                        : [],
                ),
            );
            return { relation, ...(starts.length > 0 && { start: starts.join(' union all ') }), round };
        });
        const linear = members.length === 1 ? this.#linear(members[0]!, isOwn) : undefined;
        return { kind: 'recursion', relations, ...(linear && { linear }), growing: this.#stratum.growing };
    }

    #linear(relation: PredicateKey, isOwn: (literal: PlanLiteral) => boolean): PushedRecursion['linear'] {
        const recursive = this.#rulesOf(relation).filter(({ literals }) => literals.some(isOwn));
        if (recursive.some(({ literals }) => literals.filter(isOwn).length > 1)) return undefined;
        const name = `${this.#tables.nameOf(relation)}_all`;
        return {
            name,
            step: recursive.map(rule => this.#select(rule, relation, index => (isOwn(rule.literals[index]!) ? name : undefined))),
        };
    }

    /** Chooses the columns of a table: values of the kind that `choose` gives, or numbers where it gives none. A table has a column at least. */
    #choose(relation: PredicateKey, choose: (column: number, kind: ColumnKind | undefined) => ColumnKind | undefined): void {
        const { columns, arity } = this.#relation(relation);
        if (arity === 0) {
            this.#fills.set(relation, [{ name: 'c0', column: 0, kind: 'boolean' }]);
            return;
        }
        const named = Array.from({ length: arity }, (_, column): RelationColumn => {
            const kind = choose(column, this.#widened(relation, column, kindOf(columns[column]!.type)));
            return kind === undefined ? { name: `i${column}`, column } : { name: `c${column}`, column, kind };
        });
        this.#fills.set(relation, named);
    }

    /** Computed integers may leave 32 bits, whatever the type of their column is. */
    #widened(relation: PredicateKey, column: number, kind: ColumnKind | undefined): ColumnKind | undefined {
        if (kind !== 'int') return kind;
        const isComputed = this.#rulesOf(relation).some(rule =>
            emitted(rule, relation).some(({ terms }) => rule.assignments.some(({ variable }) => variable === terms[column])),
        );
        return isComputed ? 'long' : kind;
    }

    #rulesOf(key: PredicateKey): readonly PlanRule[] {
        return this.#stratum.rules.filter(({ outputs }) => outputs.some(({ relation }) => relation === key));
    }

    /** The rows that a rule adds to a relation; `other` names the table of a literal that is not its own. */
    #select(rule: PlanRule, relation: PredicateKey, other: (index: number) => string | undefined = () => undefined): string {
        const { from, variable } = this.#matches(rule, other);
        const columns = this.#fills.get(relation)!;
        const isFact = this.#relation(relation).arity === 0;
        const selects = emitted(rule, relation).map(({ terms }) => {
            const values = columns.map(one => `${isFact ? 'TRUE' : this.#written(variable(terms[one.column]!), one)} as ${one.name}`);
            return `select ${values.join(', ')}${from}`;
        });
        const text = selects.join(' union all ');
        this.#note(rule, text);
        return text;
    }

    /** A value for a column of a table. */
    #written({ value, id }: Encoded, { kind }: RelationColumn): string {
        if (kind !== undefined) return sqlCast(value ?? stayHere(say`a value may be unknown`), kind, this.#tables.dialect);
        return id ?? stayHere(say`a value that is computed there has no number`);
    }

    #matches(rule: PlanRule, other: (index: number) => string | undefined = () => undefined): SqlMatches {
        const { dialect, constant, nameOf } = this.#tables;
        return sqlMatches(rule, {
            dialect,
            constant,
            columnOf: (relation, column) => {
                const own = this.#fills.get(relation);
                if (own === undefined) return this.#tables.columnOf(relation, column);
                const { kind } = own[column]!;
                return { kind, hasIds: kind === undefined };
            },
            tableOf: ({ relation }, index) => other(index) ?? nameOf(relation),
        });
    }

    /** Notes which columns of other tables a text of a rule names. */
    #note({ literals }: PlanRule, text: string): void {
        for (const [index, { relation }] of literals.entries()) {
            const used = this.#reads.get(relation);
            if (used === undefined) continue;
            for (const [, name] of text.matchAll(new RegExp(`\\b${aliasOf(index)}\\.([ci]\\d+)`, 'gu'))) used.add(name!);
        }
    }

    #noCounterpart(relation: PredicateKey, column: number): string {
        const { predicate, columns } = this.#relation(relation);
        return say`values of '${columns[column]!.name}' of '${predicate.name}' have no counterpart`;
    }

    #relation(key: PredicateKey): PlanRelation {
        return this.#plan.relations.get(key)!;
    }
}

function emitted({ outputs }: PlanRule, relation: PredicateKey): PlanEmit[] {
    const found = outputs.filter((output): output is PlanEmit => output.kind === 'emit' && output.relation === relation);
    return found.length === 0 ? stayHere(say`rows are added to groups`) : found;
}

/** Maps each relation of a stratum to those of the stratum that its rules read. */
function readBy(relations: readonly PredicateKey[], rules: readonly PlanRule[]): ReadonlyMap<PredicateKey, ReadonlySet<PredicateKey>> {
    const read = new Map<PredicateKey, Set<PredicateKey>>(relations.map(key => [key, new Set()]));
    for (const { outputs, literals } of rules)
        for (const { relation: filled } of outputs)
            for (const { relation } of literals) if (read.has(relation)) read.get(filled)?.add(relation);
    return read;
}
