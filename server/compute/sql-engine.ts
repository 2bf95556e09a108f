import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { AnswerTarget } from '#engine/contracts/answer-target.ts';
import { type QueryEngine, QueryFailed, type QueryInput, type QueryLack, type RelationalQuery } from '#engine/contracts/queries.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { appendRows, CHUNK } from './append-rows.ts';
import { type ClosedDatabase, type DatabaseLimits, openClosedDatabase } from './closed-database.ts';
import { watchedStatement } from './duckdb-failures.ts';
import { inWords } from './query-failures.ts';
import { checkParsedQuery, type UsedColumns } from './query-gate.ts';
import { type BoundValue, isParameter, probeQuery } from './query-probe.ts';
import { columnsByPosition, hasRowNumber, tablesByName } from './query-tables.ts';
import { columnReader, typeOfAnswer } from './result-values.ts';
import { type DialectText, dialectText, parameterText, quotedName } from './sql-text.ts';
import { columnWriter, valueWriter } from './table-values.ts';
import { type TellingStatement, tellingStatement } from './told-lineage.ts';

export interface TryingEngine extends Required<QueryEngine> {
    /**
     * The columns of its answer, as far as tables without rows tell. Throws `QueryFailed` for a query that has no answer over such tables,
     * whatever their rows are. Nothing is computed.
     */
    columns(query: RelationalQuery): Promise<readonly AnswerColumn[]>;
    /** Returns the columns of such tables that a query can need. */
    used(query: Pick<RelationalQuery, 'text' | 'tables'>): Promise<UsedColumns>;
    /** As `answer`, for a target that depends on the columns of the answer. */
    answerTo(query: RelationalQuery, checkpoint: () => void, targetOf: (columns: readonly AnswerColumn[]) => AnswerTarget): Promise<void>;
    close(): void;
}

/** A column of an answer; without a type where the language has no such values. */
export interface AnswerColumn {
    readonly name: string;
    readonly type: Type | undefined;
}

/**
 * Answers the queries of one run in a database of its own, in memory. The first query makes it. It reads no files, loads no extensions and
 * opens no connections, and its settings cannot change. Tables stay for one query.
 */
export function sqlEngine(limits: DatabaseLimits): TryingEngine {
    let opened: Promise<SqlDatabase> | undefined;
    const database = (): Promise<SqlDatabase> => {
        opened ??= SqlDatabase.open(limits);
        return opened;
    };
    return {
        answer: async (query, target) => (await database()).answer(query, target),
        lacks: async (query, asked, checkpoint) => (await database()).lacks(query, asked, checkpoint),
        columns: async query => (await database()).columns(query),
        used: async query => (await database()).used(query),
        answerTo: async (query, checkpoint, targetOf) => (await database()).answerTo(query, checkpoint, targetOf),
        close: () => void opened?.then(database => database.close()).catch(() => undefined),
    };
}

class SqlDatabase {
    readonly #database: ClosedDatabase;
    readonly #connection: DuckDBConnection;

    private constructor(database: ClosedDatabase) {
        this.#database = database;
        this.#connection = database.connection;
    }

    static async open(limits: DatabaseLimits): Promise<SqlDatabase> {
        return new SqlDatabase(await openClosedDatabase(limits, 'CREATE MACRO size(x) AS len(x)'));
    }

    close(): void {
        this.#database.close();
    }

    async columns(query: RelationalQuery): Promise<readonly AnswerColumn[]> {
        const nobodyStops = (): void => undefined;
        return this.#withTables(query, nobodyStops, async ({ text }) => {
            const statement = await this.#connection.prepare(text);
            try {
                return this.#columnsOf(statement);
            } finally {
                statement.destroySync();
            }
        });
    }

    async used({ text, tables }: Pick<RelationalQuery, 'text' | 'tables'>): Promise<UsedColumns> {
        const written = dialectText(text, columnsByPosition(tables));
        return this.#check(await this.#serialized(written), written, tables);
    }

    async answerTo(
        query: RelationalQuery,
        checkpoint: () => void,
        targetOf: (columns: readonly AnswerColumn[]) => AnswerTarget,
    ): Promise<void> {
        await this.#withTables(query, checkpoint, async text => {
            await this.#connection.run('BEGIN TRANSACTION READ ONLY');
            const statement = await this.#connection.prepare(text.text);
            const target = targetOf(this.#columnsOf(statement));
            this.#bind(statement, text, query);
            await this.#read(await this.#watched(statement.stream(), target), query.dictionary, target, undefined);
        });
    }

    /** Returns no columns if their types depend on those of parameters, which DuckDB settles when it executes the statement. */
    #columnsOf(statement: DuckDBPreparedStatement): AnswerColumn[] {
        const isSettled = statement.columnTypeId(0) !== this.#database.duckdb.DuckDBTypeId.INVALID;
        return Array.from({ length: isSettled ? statement.columnCount : 0 }, (_, i) => ({
            name: statement.columnName(i),
            type: typeOfAnswer(statement.columnType(i), this.#database.duckdb),
        }));
    }

    async answer(query: RelationalQuery, target: AnswerTarget): Promise<void> {
        await this.#withTables(query, target.checkpoint, async (text, serialized) => {
            await this.#connection.run('BEGIN TRANSACTION READ ONLY');
            await this.#answer(text, serialized, query, target);
        });
    }

    async lacks(query: RelationalQuery, asked: readonly (ValueId | undefined)[], checkpoint: () => void): Promise<readonly QueryLack[]> {
        const { dictionary, tables } = query;
        return this.#withTables(query, checkpoint, (text, serialized) => {
            const parameters = this.#parameters(text, query);
            const database = { ...this.#database, dictionary, parameters, hasRowNumber: hasRowNumber(query) };
            return probeQuery(database, { text: text.text, serialized, tables }, asked, checkpoint);
        });
    }

    /** Does something with a query that passed the gate while its tables are there. */
    async #withTables<T>(
        query: RelationalQuery,
        checkpoint: () => void,
        work: (text: DialectText, serialized: string) => Promise<T>,
    ): Promise<T> {
        const text = dialectText(query.text, columnsByPosition(query.tables), { quoted: name => parameterText(query, name) });
        const serialized = await this.#serialized(text);
        const isUsed = this.#check(serialized, text, query.tables);
        const tables = tablesByName(query.tables).map(table => withColumns(table, isUsed));
        try {
            for (const table of tables) await this.#fill(table, query.dictionary, checkpoint);
            return await work(text, serialized);
        } catch (error) {
            throw inWords(error, text);
        } finally {
            await this.#connection.run('ROLLBACK').catch(() => undefined);
            for (const { name } of tables) await this.#connection.run(`DROP TABLE IF EXISTS ${quotedName(name)}`);
        }
    }

    /** Parses a text with DuckDB. */
    async #serialized({ text }: DialectText): Promise<string> {
        const reader = await this.#connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [text]);
        return String(reader.getRows()[0]?.[0]);
    }

    /** The gate before the text. */
    #check(serialized: string, { placeOf }: DialectText, tables: readonly QueryInput[]): UsedColumns {
        try {
            return checkParsedQuery(serialized, new Set(tables.map(({ name }) => name.toLowerCase())));
        } catch (error) {
            if (!(error instanceof QueryFailed) || error.place === undefined) throw error;
            throw new QueryFailed(error.message, { start: placeOf(error.place.start), end: placeOf(error.place.end) });
        }
    }

    async #fill({ name, columns, count, ids }: QueryInput, dictionary: Dictionary, checkpoint: () => void): Promise<void> {
        const writers = columns.map(({ type }, i) => columnWriter(type, ids[i]!, count, dictionary, this.#database.duckdb));
        const declared = columns.map((column, i) => `${quotedName(column.name)} ${writers[i]?.type}`);
        await this.#connection.run(`CREATE TABLE ${quotedName(name)} (${declared.join(', ')})`);
        await appendRows({ ...this.#database, table: name }, writers, ids, count, checkpoint);
    }

    async #answer(text: DialectText, serialized: string, query: RelationalQuery, target: AnswerTarget): Promise<void> {
        const telling = target.tellsLineage && (await tellingStatement(this.#connection, serialized, target.arity, hasRowNumber(query)));
        const statement = telling?.statement ?? (await this.#connection.prepare(text.text));
        this.#bind(statement, text, query);
        const result = await this.#watched(statement.stream(), target);
        if (telling === undefined && result.columnCount !== target.arity)
            throw new QueryFailed(say`it gives ${result.columnCount} columns, and the head has ${target.arity}`);
        if (telling !== undefined) target.tellsLineage?.(telling.kind, telling.tables);
        await this.#read(result, query.dictionary, target, telling);
    }

    #bind(statement: DuckDBPreparedStatement, text: DialectText, query: RelationalQuery): void {
        if (statement.parameterCount === 0) return;
        const values: Record<string, DuckDBValue> = {};
        const types: Record<string, DuckDBType> = {};
        for (const [name, parameter] of Object.entries(this.#parameters(text, query))) {
            if (!isParameter(statement, name)) continue;
            values[name] = parameter.value;
            types[name] = parameter.type;
        }
        statement.bind(values, types);
    }

    #parameters({ parameters }: DialectText, { parameter, dictionary }: RelationalQuery): Record<string, BoundValue> {
        return Object.fromEntries(
            parameters.map(name => {
                const { value, type } = parameter(name);
                const writer = valueWriter(type, value, dictionary, this.#database.duckdb);
                return [name, { value: writer.value(value), type: writer.type }];
            }),
        );
    }

    async #read(result: DuckDBResult, dictionary: Dictionary, target: AnswerTarget, telling: TellingStatement | undefined): Promise<void> {
        const columns = Array.from({ length: target.arity }, () => new Int32Array(CHUNK));
        const readers = columns.map((_, i) => {
            const unread = target.unread && ((text: string, row: number): ValueId => target.unread?.(i, text, row) ?? target.freshNull());
            return columnReader(dictionary, { freshNull: () => target.freshNull(), ...(unread && { unread }) }, this.#database.duckdb);
        });
        for (;;) {
            const chunk = await this.#watched(result.fetchChunk(), target);
            if (chunk === null || chunk.rowCount === 0) return;
            const { rowCount } = chunk;
            for (const [i, column] of columns.entries()) readers[i]?.(chunk.getColumnVector(i), rowCount, column);
            target.addRows(columns, rowCount, telling?.read(chunk));
            target.checkpoint();
        }
    }

    #watched<T>(work: Promise<T>, { checkpoint }: AnswerTarget): Promise<T> {
        return watchedStatement(this.#connection, work, checkpoint);
    }
}

/** The table with the columns that a query can need, and with one where it only counts rows. */
function withColumns(table: QueryInput, isUsed: UsedColumns): QueryInput {
    const used = table.columns.flatMap(({ name }, i) => (isUsed(name) ? [i] : []));
    const kept = used.length === 0 ? [0] : used;
    if (kept.length >= table.columns.length) return table;
    return {
        ...table,
        columns: kept.flatMap(i => table.columns[i] ?? []),
        ids: kept.flatMap(i => (table.ids[i] === undefined ? [] : [table.ids[i]])),
    };
}
