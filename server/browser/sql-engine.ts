import type { AnswerTarget } from '#engine/contracts/answer-target.ts';
import { QueryFailed, type QueryInput, type RelationalQuery } from '#engine/contracts/queries.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { say } from '#language/program/say.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { CHUNK } from '#server/compute/append-rows.ts';
import type { DatabaseLimits } from '#server/compute/closed-database.ts';
import { knownType } from '#server/compute/known-type.ts';
import { inWords } from '#server/compute/query-failures.ts';
import { columnsByPosition, tablesByName } from '#server/compute/query-tables.ts';
import type { AnswerColumn, TryingEngine } from '#server/compute/sql-engine.ts';
import { type DialectText, dialectText, parameterText, quotedName } from '#server/compute/sql-text.ts';
import { type AskedColumn, askedColumn } from './arrow-values.ts';
import { openWasmDatabase, type WasmConnection } from './duckdb-wasm.ts';
import { literalWriter } from './sql-literals.ts';

/** Rows of a statement that fills a table. */
const INSERTED = 500;

/**
 * Answers the queries of runs in DuckDB's WebAssembly build, which is loaded for the first of them: it reaches no files and no network, and
 * no query can change that. Where the rows come from is not told.
 */
export function sqlEngine(limits: DatabaseLimits): TryingEngine {
    const withTables = async <T>(
        query: RelationalQuery,
        checkpoint: () => void,
        work: (connection: WasmConnection, text: DialectText) => T,
    ): Promise<T> => {
        const connection = await openWasmDatabase(limits);
        return filled(connection, query, checkpoint, text => work(connection, text));
    };
    const answerTo: TryingEngine['answerTo'] = (query, checkpoint, targetOf) =>
        withTables(query, checkpoint, (connection, text) => {
            const columns = described(connection, text);
            give(connection, text, columns, targetOf(columns.map(answerColumn)), query.dictionary);
        });
    return {
        answer: (query, target) =>
            withTables(query, target.checkpoint, (connection, text) => {
                const columns = described(connection, text);
                if (columns.length !== target.arity)
                    throw new QueryFailed(say`it gives ${columns.length} columns, and the head has ${target.arity}`);
                give(connection, text, columns, target, query.dictionary);
            }),
        lacks: async () => [],
        columns: query =>
            withTables(
                query,
                () => undefined,
                (connection, text) => described(connection, text).map(answerColumn),
            ),
        used: async () => () => true,
        answerTo,
        close: () => undefined,
    };
}

/** Does something with a query while its tables are there. Nothing is awaited: there is one connection for all. */
function filled<T>(connection: WasmConnection, query: RelationalQuery, checkpoint: () => void, work: (text: DialectText) => T): T {
    const { dictionary } = query;
    const literal = (name: string): string => {
        const { value, type } = query.parameter(name);
        const writer = literalWriter(knownType(type, Int32Array.of(value), 1, dictionary), dictionary);
        return `CAST(${writer.text(value)} AS ${writer.type})`;
    };
    const quoted = (name: string): string => parameterText(query, name);
    const text = dialectText(query.text, columnsByPosition(query.tables), { parameter: literal, quoted });
    check(query);
    const tables = tablesByName(query.tables);
    try {
        for (const table of tables) fill(connection, table, dictionary, checkpoint);
        return work(text);
    } catch (error) {
        throw inWords(error, text);
    } finally {
        for (const { name } of tables) connection.query(`DROP TABLE IF EXISTS ${quotedName(name)}`);
    }
}

/** Refuses texts that are not queries, tables beside the given ones, and functions that depend on more than their arguments. */
function check({ text, tables }: RelationalQuery): void {
    const { problem, unknownFunctions = [], tables: used } = readQuery(text);
    if (problem !== undefined) throw new QueryFailed(problem.message, problem);
    const [unknown] = unknownFunctions;
    if (unknown !== undefined) throw new QueryFailed(say`'${unknown.name}' is no function that queries may call`, unknown);
    const given = new Set(tables.map(({ name }) => name.toLowerCase()));
    const other = used.find(({ name }) => !given.has(name.toLowerCase()));
    if (other !== undefined) throw new QueryFailed(say`there is no table '${other.name}'`, other);
}

function fill(connection: WasmConnection, { name, columns, count, ids }: QueryInput, dictionary: Dictionary, checkpoint: () => void): void {
    const writers = columns.map(({ type }, i) =>
        literalWriter(knownType(type, ids[i] ?? new Int32Array(count), count, dictionary), dictionary),
    );
    const declared = columns.map((column, i) => `${quotedName(column.name)} ${writers[i]?.type}`);
    connection.query(`CREATE TABLE ${quotedName(name)} (${declared.join(', ')})`);
    for (let from = 0; from < count; from += INSERTED) {
        const rows = Array.from({ length: Math.min(INSERTED, count - from) }, (_, row) => {
            return `(${writers.map(({ text }, i) => text(ids[i]?.[from + row] ?? 0)).join(', ')})`;
        });
        connection.query(`INSERT INTO ${quotedName(name)} VALUES ${rows.join(', ')}`);
        checkpoint();
    }
}

/** A column of an answer, of the type that DuckDB calls so. */
interface DescribedColumn {
    readonly name: string;
    readonly duckType: string;
}

function described(connection: WasmConnection, { text }: DialectText): DescribedColumn[] {
    // What is wrong is said of the text as it stands.
    connection.prepare(text).close();
    const answer = connection.query(`DESCRIBE SELECT * FROM (${within(text)}) AS q`);
    const [names, types] = [answer.getChildAt(0), answer.getChildAt(1)];
    return Array.from({ length: answer.numRows }, (_, row) => ({ name: String(names?.get(row)), duckType: String(types?.get(row)) }));
}

/** A query as it stands in brackets: without a semicolon, and with a line of its own for a comment at its end. */
function within(text: string): string {
    return `\n${text.replace(/;\s*$/u, '')}\n`;
}

function answerColumn({ name, duckType }: DescribedColumn): AnswerColumn {
    return { name, type: askedColumn(duckType, { typeId: 0 }, new Dictionary(), () => 0).type };
}

function give(
    connection: WasmConnection,
    text: DialectText,
    columns: readonly DescribedColumn[],
    target: AnswerTarget,
    dictionary: Dictionary,
): void {
    const names = columns.map((_, i) => `c${i}`);
    const asking = columns.map(({ duckType }) => askedColumn(duckType, { typeId: 0 }, dictionary, () => 0));
    const asked = asking.map((column, i) => column.asked(names[i] ?? '')).join(', ');
    const answer = answerOf(connection, `SELECT ${asked} FROM (${within(text.text)}) AS q(${names.join(', ')})`, text);
    const vectors = columns.map((_, i) => answer.getChildAt(i));
    const readers = columns.map(
        ({ duckType }, i): AskedColumn['read'] =>
            askedColumn(duckType, vectors[i]?.type ?? { typeId: 0 }, dictionary, () => target.freshNull()).read,
    );
    const ids = columns.map(() => new Int32Array(CHUNK));
    for (let from = 0; from < answer.numRows; from += CHUNK) {
        const count = Math.min(CHUNK, answer.numRows - from);
        for (const [i, column] of ids.entries()) {
            for (let row = 0; row < count; row++) column[row] = readers[i]?.(vectors[i]?.get(from + row)) ?? 0;
        }
        target.addRows(ids, count);
        target.checkpoint();
    }
}

/** Runs a query that stands in a text of its own, from the second line on. */
function answerOf(connection: WasmConnection, asking: string, text: DialectText): ReturnType<WasmConnection['query']> {
    try {
        return connection.query(asking);
    } catch (error) {
        throw inWords(error, text, 1);
    }
}
