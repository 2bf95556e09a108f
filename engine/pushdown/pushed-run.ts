import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { type ColumnKind, type ComputeEngine, ComputeFailed } from '../contracts/compute.ts';
import type { StratumPlace } from '../contracts/run-statistics.ts';
import type { Elsewhere, ElsewhereHost, StartElsewhere } from '../evaluate/elsewhere.ts';
import type { Position } from '../evaluate/rounds.ts';
import { inputsOf, type PlanRelation, type PlanStratum } from '../plan/plan.ts';
import { kindOf } from './column-kinds.ts';
import { type Encoded, encoded, isOfKind } from './encoded.ts';
import {
    newTable,
    type PushedRecursion,
    type PushedRelation,
    type PushedStratum,
    planStaysHere,
    pushedStratum,
    type RelationColumn,
    type RunTables,
} from './pushed-stratum.ts';
import { StaysHere, stayHere } from './stays-here.ts';

/** Evaluates the strata of a run at an engine. */
export function pushedTo(engine: ComputeEngine): StartElsewhere {
    let runs = 0;
    return host => new PushedRun(engine, host, `rl_${++runs}`);
}

/**
 * Evaluates strata of a run at an engine where these have an exact counterpart there. A relation is here, there, or both; rows go there
 * when the first stratum there reads them, and come back when something here does.
 */
class PushedRun implements Elsewhere {
    readonly places: StratumPlace[] = [];
    readonly #engine: ComputeEngine;
    readonly #prefix: string;
    readonly #host: ElsewhereHost;
    readonly #stays: string | undefined;
    readonly #names = new Map<PredicateKey, string>();
    /** The columns of the tables of relations that are here too. */
    readonly #uploaded = new Map<PredicateKey, ReadonlySet<string>>();
    /** The columns of the tables of relations whose rows are not here. */
    readonly #away = new Map<PredicateKey, readonly RelationColumn[]>();
    /** The kinds of columns that are here, by relation and column; of relations that get no more rows. */
    readonly #kinds = new Map<PredicateKey, Map<number, ColumnKind | undefined>>();
    readonly #tables: RunTables;

    /** The tables of a run have names that begin with `prefix`. */
    constructor(engine: ComputeEngine, host: ElsewhereHost, prefix: string) {
        this.#prefix = prefix;
        this.#engine = engine;
        this.#host = host;
        this.#stays = planStaysHere(host.plan);
        this.#tables = {
            dialect: engine.dialect,
            nameOf: key => this.#nameOf(key),
            columnOf: (key, column) => this.#columnOf(key, column),
            hasRows: key => host.relationOf(key).count > 0,
            constant: (expression, place) => this.#constant(expression, place),
        };
    }

    async evaluate(stratum: PlanStratum, position: Position): Promise<number | undefined> {
        try {
            return await this.#evaluate(stratum, position);
        } finally {
            // They had facts alone before.
            for (const key of stratum.relations) this.#kinds.delete(key);
        }
    }

    async #evaluate(stratum: PlanStratum, position: Position): Promise<number | undefined> {
        const pushed = this.#stays ?? (await this.#written(stratum));
        let reason = typeof pushed === 'string' ? pushed : undefined;
        if (typeof pushed === 'object') {
            this.#host.checkpoint.enter({ phase: 'evaluating', ...position, round: 1 });
            try {
                const { rounds, statements } = await this.#push(stratum, pushed);
                this.places.push({ ...this.#filledBy(stratum), statements });
                return rounds;
            } catch (error) {
                // A failure there is found again here, where its report has a place and a match.
                if (!(error instanceof ComputeFailed) && !(error instanceof StaysHere)) throw error;
                reason = error.message;
                await this.#drop(stratum.relations);
            }
        }
        this.places.push({ ...this.#filledBy(stratum), reason: reason! });
        await this.bringHere(readHere(stratum, this.#host));
        return undefined;
    }

    isAway(key: PredicateKey): boolean {
        return this.#away.has(key);
    }

    async bringHere(keys: Iterable<PredicateKey>): Promise<void> {
        for (const key of new Set(keys)) if (this.#away.has(key)) await this.#read(key);
    }

    async release(key: PredicateKey): Promise<void> {
        const isGone = this.#away.has(key) ? planOf(this.#host, key).internal : this.#uploaded.has(key);
        if (isGone) await this.#drop([key]);
    }

    #filledBy({ relations }: PlanStratum): Pick<StratumPlace, 'predicates'> {
        return { predicates: [...new Set(relations.map(key => planOf(this.#host, key).predicate.name))] };
    }

    async #written(stratum: PlanStratum): Promise<PushedStratum | string> {
        const { plan } = this.#host;
        const first = pushedStratum(stratum, plan, this.#tables);
        const read = stratum.rules.flatMap(({ literals }) => literals.map(({ relation }) => relation)).filter(key => this.#away.has(key));
        if (typeof first === 'object' || read.length === 0) return first;
        // A table that was filled there has values or numbers; sent from here, a relation has both.
        await this.bringHere(read);
        return pushedStratum(stratum, plan, this.#tables);
    }

    /** How a table has, or can be given, the values of a column. */
    #columnOf(key: PredicateKey, column: number): { readonly kind?: ColumnKind | undefined; readonly hasIds: boolean } {
        const table = this.#away.get(key);
        if (table === undefined) return { kind: this.#kindHere(key, column), hasIds: true };
        const { kind } = table[column]!;
        return { kind, hasIds: kind === undefined };
    }

    /** The kind of the values that a column has here, where it is the same for all. */
    #kindHere(key: PredicateKey, column: number): ColumnKind | undefined {
        const known = this.#kinds.get(key) ?? new Map<number, ColumnKind | undefined>();
        if (known.has(column)) return known.get(column);
        const { dictionary, checkpoint } = this.#host;
        const relation = this.#host.relationOf(key);
        const kind = kindOf(planOf(this.#host, key).columns[column]!.type);
        const ids = relation.columns[column]!;
        let isOf = kind !== undefined;
        for (let row = 0; isOf && row < relation.count; row++) {
            isOf = relation.isGone(row) || isOfKind(kind!, dictionary, ids[row]!);
            if (row % ROWS_PER_CHECK === 0) checkpoint.check();
        }
        this.#kinds.set(key, known.set(column, isOf ? kind : undefined));
        return isOf ? kind : undefined;
    }

    #constant(expression: Expression, place: ClausePlace): Encoded {
        const { dictionary } = this.#host;
        return encoded(dictionary, this.#host.valueOf(expression, place), this.#engine.dialect);
    }

    #nameOf(key: PredicateKey): string {
        let name = this.#names.get(key);
        if (name === undefined) {
            name = `${this.#prefix}_${this.#names.size}`;
            this.#names.set(key, name);
        }
        return name;
    }

    async #push(
        { relations }: PlanStratum,
        { reads, fills, steps }: PushedStratum,
    ): Promise<{ rounds: number; statements: ReadonlyMap<string, number> }> {
        const statements = new Map<string, number>();
        for (const [key, names] of reads) if (!this.#away.has(key)) await this.#uploadRead(key, names);
        const given = new Map<PredicateKey, string>();
        for (const key of relations) {
            if (this.#host.relationOf(key).count === 0) continue;
            const table = `${this.#nameOf(key)}_given`;
            await this.#upload(key, table, fills.get(key)!);
            given.set(key, table);
        }
        const run = (statement: string): Promise<number> => {
            statements.set(statement, (statements.get(statement) ?? 0) + 1);
            return this.#run(statement);
        };
        const rows = new Map<PredicateKey, number>();
        const read = [...reads.keys()].reduce((sum, key) => sum + this.#host.relationOf(key).found, 0);
        let rounds = 1;
        for (const step of steps) {
            if (step.kind === 'recursion') {
                rounds = Math.max(rounds, await this.#recursion(step, fills, given, rows, read, run));
                continue;
            }
            const { relation, query, isDistinct } = step;
            const columns = namesOf(fills.get(relation)!);
            const all = given.has(relation) ? `${query} union all select ${columns} from ${given.get(relation)}` : query;
            const whole = isDistinct ? query : `select distinct ${columns} from (${all}) f`;
            rows.set(relation, await run(this.#engine.dialect.make(this.#nameOf(relation), whole)));
        }
        for (const table of given.values()) await run(`drop table ${table}`);
        for (const key of relations) {
            this.#away.set(key, fills.get(key)!);
            const relation = this.#host.relationOf(key);
            relation.truncate(0);
            relation.forgotten = rows.get(key) ?? 0;
        }
        return { rounds, statements };
    }

    /** The fixpoint of relations that need each other, by one statement where the engine has one for them. */
    async #recursion(
        step: PushedRecursion,
        fills: PushedStratum['fills'],
        given: ReadonlyMap<PredicateKey, string>,
        rows: Map<PredicateKey, number>,
        read: number,
        run: (statement: string) => Promise<number>,
    ): Promise<number> {
        const { dialect } = this.#engine;
        const startOf = ({ relation, start }: PushedRelation): string => {
            const table = given.get(relation);
            const columns = fills.get(relation)!;
            const all = [
                ...(start === undefined ? [] : [start]),
                ...(table === undefined ? [] : [`select ${namesOf(columns)} from ${table}`]),
            ];
            if (all.length > 0) return all.join(' union all ');
            return `select ${columns.map(({ name, kind }) => `CAST(NULL AS ${dialect.types[kind ?? 'int']}) as ${name}`).join(', ')} where FALSE`;
        };
        if (step.linear !== undefined && dialect.fixpoint !== undefined && !step.growing) {
            const only = step.relations[0]!;
            const table = this.#nameOf(only.relation);
            try {
                const query = dialect.fixpoint(
                    step.linear.name,
                    fills.get(only.relation)!.map(({ name }) => name),
                    startOf(only),
                    step.linear.step,
                );
                rows.set(only.relation, await run(dialect.make(table, query)));
                return 2;
            } catch (error) {
                // The rows that it has seen have to fit into memory; in rounds they need not.
                if (!(error instanceof ComputeFailed) || !error.isOutOfMemory) throw error;
            }
        }
        return this.#rounds(step, fills, startOf, rows, read, run);
    }

    /** Semi-naive rounds: first what all relations lack, then all inserts, since the rules of a round read the same rows (D-29). */
    async #rounds(
        { relations, growing }: PushedRecursion,
        fills: PushedStratum['fills'],
        startOf: (relation: PushedRelation) => string,
        rows: Map<PredicateKey, number>,
        read: number,
        run: (statement: string) => Promise<number>,
    ): Promise<number> {
        const { dialect } = this.#engine;
        const { checkpoint } = this.#host;
        for (const one of relations) {
            const table = this.#nameOf(one.relation);
            const columns = namesOf(fills.get(one.relation)!);
            rows.set(one.relation, await run(dialect.make(table, `select distinct ${columns} from (${startOf(one)}) f`)));
            await run(dialect.make(newTable(table), `select ${columns} from ${table}`));
        }
        const givenRows = [...rows.values()].reduce((sum, count) => sum + count, read);
        for (let round = 1; ; round++) {
            let found = 0;
            for (const { relation, round: queries } of relations) {
                const table = this.#nameOf(relation);
                const columns = fills.get(relation)!.map(({ name }) => name);
                const count =
                    queries.length === 0
                        ? 0
                        : await run(dialect.make(`${table}_found`, dialect.difference(queries.join(' union all '), table, columns)));
                rows.set(relation, rows.get(relation)! + count);
                this.#host.relationOf(relation).forgotten = rows.get(relation)!;
                found += count;
            }
            for (const { relation, round: queries } of relations) {
                const table = this.#nameOf(relation);
                const columns = namesOf(fills.get(relation)!);
                await run(`drop table ${newTable(table)}`);
                if (queries.length === 0) {
                    await run(dialect.make(newTable(table), `select ${columns} from ${table} where FALSE`));
                    continue;
                }
                if (found > 0) await run(`insert into ${table} select ${columns} from ${table}_found`);
                await run(`alter table ${table}_found rename to ${newTable(table)}`);
            }
            checkpoint.check();
            if (growing) checkpoint.checkRounds(round, givenRows);
            if (found > 0) continue;
            for (const { relation } of relations) await run(`drop table ${newTable(this.#nameOf(relation))}`);
            return round + 1;
        }
    }

    /** Makes sure that the table of a relation whose rows are here has these columns. */
    async #uploadRead(key: PredicateKey, names: ReadonlySet<string>): Promise<void> {
        const has = this.#uploaded.get(key);
        if (has !== undefined && [...names].every(name => has.has(name))) return;
        const all = new Set([...(has ?? []), ...names]);
        const { arity } = planOf(this.#host, key);
        const columns = Array.from({ length: arity }, (_, column): RelationColumn[] => [
            ...(all.has(`c${column}`) ? [{ name: `c${column}`, column, kind: this.#kindHere(key, column) }] : []),
            ...(all.has(`i${column}`) ? [{ name: `i${column}`, column }] : []),
        ]).flat();
        const name = this.#nameOf(key);
        if (has !== undefined) await this.#run(`drop table ${name}`);
        // A table has a column at least.
        await this.#upload(key, name, columns.length > 0 || arity === 0 ? columns : [{ name: 'i0', column: 0 }]);
        this.#uploaded.set(key, all);
    }

    async #upload(key: PredicateKey, table: string, columns: readonly RelationColumn[]): Promise<void> {
        const { dictionary, checkpoint } = this.#host;
        const relation = this.#host.relationOf(key);
        if (relation.gone > 0) relation.compact();
        const { arity, predicate } = planOf(this.#host, key);
        for (const { column, kind } of columns) {
            if (arity === 0 || kind === undefined) continue;
            const here = this.#kindHere(key, column);
            const fits = here === kind || (here === 'int' && (kind === 'long' || kind === 'double'));
            if (!fits) stayHere(say`some values of '${predicate.name}' are unknown`);
        }
        const given =
            arity === 0
                ? [{ name: 'c0', kind: 'boolean' as const, ids: Int32Array.of(dictionary.boolean(true)) }]
                : columns.map(({ column, ...one }) => ({ ...one, ids: relation.columns[column]! }));
        await this.#engine.upload(table, given, relation.count, dictionary, () => checkpoint.check());
    }

    async #read(key: PredicateKey): Promise<void> {
        const { checkpoint, dictionary } = this.#host;
        const relation = this.#host.relationOf(key);
        const isFact = relation.arity === 0;
        relation.forgotten = 0;
        const add = (columns: readonly Int32Array[], count: number): void => {
            if (!isFact) relation.append(columns, count);
            else if (count > 0) relation.add([]);
        };
        const columns = this.#away.get(key)!;
        await this.#engine.read(this.#nameOf(key), columns, dictionary, add, () => checkpoint.check());
        relation.useTable();
        this.#away.delete(key);
        this.#uploaded.set(key, new Set(columns.map(({ name }) => name)));
    }

    /** Drops whatever tables relations have; what they had here stays. */
    async #drop(keys: Iterable<PredicateKey>): Promise<void> {
        for (const key of keys) {
            const table = this.#nameOf(key);
            for (const name of [table, `${table}_given`, newTable(table), `${table}_found`])
                await this.#run(`drop table if exists ${name}`);
            this.#host.relationOf(key).forgotten = 0;
            this.#uploaded.delete(key);
            this.#away.delete(key);
        }
    }

    async #run(statement: string): Promise<number> {
        return this.#engine.run(statement, () => this.#host.checkpoint.check());
    }
}

const ROWS_PER_CHECK = 1 << 16;

function namesOf(columns: readonly RelationColumn[]): string {
    return columns.map(({ name }) => name).join(', ');
}

/** The relations that a stratum reads, or adds to, where it is evaluated here. */
function readHere({ relations, rules, equalities }: PlanStratum, host: ElsewhereHost): PredicateKey[] {
    if (equalities !== undefined) return [...host.relations.keys()];
    const inputs = relations.flatMap(key => {
        const { call } = planOf(host, key);
        return call === undefined ? [] : inputsOf(call);
    });
    return [...relations, ...inputs, ...rules.flatMap(({ literals }) => literals.map(({ relation }) => relation))];
}

function planOf({ plan }: ElsewhereHost, key: PredicateKey): PlanRelation {
    return plan.relations.get(key)!;
}
