import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { QueryLack, RelationalQuery, ShownValue, TableRow } from '#engine/contracts/queries.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED } from '#language/program/types.ts';
import type { DuckDb } from './duckdb.ts';
import { lineageQuery } from './lineage-query.ts';
import { type ParsedNode, readParsed, writeParsed } from './parsed-sql.ts';
import { type Condition, columnNames, type Part, partsOf, type QueryParts, withParts } from './query-parts.ts';
import { columnReader } from './result-values.ts';
import { quotedName } from './sql-text.ts';
import { valueWriter } from './table-values.ts';

/** The database that holds the tables of a probe. */
export interface ProbedDatabase {
    readonly connection: DuckDBConnection;
    readonly duckdb: DuckDb;
    readonly dictionary: Dictionary;
    /** The parameters of the query that a statement has. */
    readonly parameters: Readonly<Record<string, BoundValue>>;
    hasRowNumber(table: string): boolean;
}

export interface BoundValue {
    readonly value: DuckDBValue;
    readonly type: DuckDBType;
}

/** A query for DuckDB, with what its parser made of it. */
interface ProbedQuery {
    readonly text: string;
    readonly serialized: string;
    readonly tables: RelationalQuery['tables'];
}

type Asked = readonly (ValueId | undefined)[];

/** A row that is looked for: what stands in the further columns, and the rows of the tables that it comes from. */
interface Found {
    readonly values: readonly (ValueId | undefined)[];
    readonly rows: readonly TableRow[];
}

/** Milliseconds that one look may take. */
const LONGEST_LOOK = 2000;
/** Conditions and tables that are left out, one at a time. */
const MOST_PARTS = 24;

/**
 * Finds why a query has no row with the asked values, by asking parts of it: with one condition left out, with one value left open, without
 * one table. Every answer is what DuckDB says of the tables; where it takes too long nothing is said.
 */
export async function probeQuery(database: ProbedDatabase, query: ProbedQuery, asked: Asked, checkpoint: () => void): Promise<QueryLack[]> {
    const probe = new Probe(database, query, asked, checkpoint);
    return (await probe.isComparable()) ? probe.lacks() : [];
}

class Probe {
    readonly #database: ProbedDatabase;
    readonly #query: ProbedQuery;
    readonly #asked: Asked;
    readonly #parts: QueryParts | undefined;

    readonly #checkpoint: () => void;

    constructor(database: ProbedDatabase, query: ProbedQuery, asked: Asked, checkpoint: () => void) {
        this.#checkpoint = checkpoint;
        this.#database = database;
        this.#query = query;
        this.#asked = asked;
        this.#parts = partsOf(readParsed(query.serialized), query.tables);
    }

    /** Whether the asked values are of the kinds that the columns have: others would be converted, which no fact is. */
    async isComparable(): Promise<boolean> {
        const { connection, dictionary, duckdb } = this.#database;
        const statement = await connection.prepare(this.#query.text);
        return this.#asked.every((value, column) => {
            if (value === undefined) return true;
            const { typeId } = statement.columnType(column);
            const { DuckDBTypeId: id } = duckdb;
            switch (dictionary.kind(value)) {
                case 'string':
                    return typeId === id.VARCHAR || typeId === id.ENUM;
                case 'number':
                    return [id.TINYINT, id.SMALLINT, id.INTEGER, id.BIGINT, id.HUGEINT, id.DOUBLE, id.FLOAT, id.DECIMAL].includes(typeId);
                case 'boolean':
                    return typeId === id.BOOLEAN;
                case 'date':
                    return typeId === id.DATE;
                case 'timestamp':
                    return typeId === id.TIMESTAMP;
                default:
                    return false;
            }
        });
    }

    async lacks(): Promise<QueryLack[]> {
        const { text } = this.#query;
        if ((await this.#look(text, [], this.#asked)) !== 'none') return [];
        const conditions = this.#parts === undefined ? [] : await this.#failedConditions(this.#parts);
        const values = await this.#otherValues();
        const tables = this.#parts === undefined || conditions.length > 0 ? [] : await this.#missingRows(this.#parts);
        const found = [...conditions, ...values, ...tables];
        if (found.length > 0 || (await this.#look(text, [], [])) !== 'none') return found;
        return [{ kind: 'empty' }];
    }

    async #failedConditions(parts: QueryParts): Promise<QueryLack[]> {
        const lacks: QueryLack[] = [];
        for (const condition of parts.conditions.slice(0, MOST_PARTS)) {
            const names = columnNames(condition.node);
            const rest = parts.conditions.filter(one => one !== condition);
            const found = await this.#lookAt(
                withParts(
                    parts,
                    parts.units,
                    rest,
                    parts.items,
                    names.map(({ node }) => node),
                ),
                names.length,
                this.#asked,
            );
            if (typeof found === 'string') continue;
            const values = names.map(({ name }, i) => ({ name, value: found.values[i] }));
            lacks.push({ kind: 'condition', condition: await this.#conditionText(condition), values, rows: found.rows });
        }
        return lacks;
    }

    /** Finds columns with another value beside all other asked values. */
    async #otherValues(): Promise<QueryLack[]> {
        const bound = this.#asked.flatMap((value, column) => (value === undefined ? [] : [column]));
        const lacks: QueryLack[] = [];
        for (const column of bound.length < 2 ? [] : bound) {
            const found = await this.#look(
                this.#query.text,
                [column],
                this.#asked.map((value, i) => (i === column ? undefined : value)),
            );
            if (typeof found !== 'string') lacks.push({ kind: 'value', column, given: found.values[0] });
        }
        return lacks;
    }

    /** The tables of which no row goes with the rows of the others. */
    async #missingRows(parts: QueryParts): Promise<QueryLack[]> {
        const { units, conditions, items } = parts;
        const lacks: QueryLack[] = [];
        if (items.some(({ mentions }) => mentions === 'all') || units.length > MOST_PARTS) return lacks;
        for (const [u, unit] of units.entries()) {
            if (unit.name === undefined) continue;
            const concerns = ({ mentions }: Part): boolean => mentions === 'all' || mentions.has(u);
            const own = conditions.filter(concerns);
            const known = own.flatMap(condition => condition.equals.filter(equal => equal.unit === u && !equal.others.has(u)));
            const names = own
                .flatMap(({ node, mentions }) => (mentions === 'all' ? [] : columnNames(node)))
                .filter(({ node }) => !parts.unitsOf(node).has(u));
            const further = [...known.map(({ value }) => value), ...names.map(({ node }) => node)];
            const others = units.filter(one => one !== unit);
            const open = items.map(item => (concerns(item) ? { ...item, node: NOTHING } : item));
            const wanted = this.#asked.map((value, i) => (items[i] === undefined || concerns(items[i]) ? undefined : value));
            const rest = conditions.filter(condition => !own.includes(condition));
            const found = await this.#lookAt(withParts(parts, others, rest, open, further), further.length, wanted);
            if (typeof found === 'string') continue;
            const columns = new Map(
                known.flatMap(({ column }, i) => (found.values[i] === undefined ? [] : [[column, found.values[i]] as const])),
            );
            for (const [i, { column }] of items.entries())
                if (column?.unit === u && this.#asked[i] !== undefined) columns.set(column.column, this.#asked[i]);
            lacks.push({
                kind: 'table',
                table: unit.name,
                ...(unit.table === undefined ? {} : { known: columns, of: unit.table }),
                conditions: await this.#textsOf(own),
                asked: await this.#askedOf(items, item => concerns(item)),
                values: distinctNames(names.map(({ name }, i) => ({ name, value: found.values[known.length + i] }))),
                rows: found.rows,
            });
        }
        return lacks;
    }

    /** Looks for a row of a changed query, whose further columns stand behind those of the result. */
    async #lookAt(statement: ParsedNode, further: number, asked: Asked): Promise<Found | 'none' | 'unknown'> {
        const arity = this.#asked.length;
        const changed = { error: false, statements: [{ node: statement }] };
        const telling = lineageQuery(structuredClone(changed), table => this.#database.hasRowNumber(table));
        const inputs = telling?.kind === 'each' ? telling.inputs : [];
        try {
            const text = await this.#textOf(inputs.length > 0 ? telling?.parsed : changed);
            const columns = Array.from({ length: further + inputs.length }, (_, i) => arity + i);
            const found = await this.#look(text, columns, asked, arity + further + inputs.length);
            if (typeof found === 'string') return found;
            const rows = inputs.flatMap((table, i) => {
                const row = found.rowNumbers[further + i];
                return row === undefined ? [] : [{ table, row }];
            });
            return { values: found.values.slice(0, further), rows };
        } catch {
            return 'unknown';
        }
    }

    /** Looks for a row of a query that has the asked values, and gives some of its columns. */
    async #look(
        text: string,
        columns: readonly number[],
        asked: Asked,
        arity = this.#asked.length,
    ): Promise<(Found & { readonly rowNumbers: readonly (number | undefined)[] }) | 'none' | 'unknown'> {
        const { connection, dictionary, duckdb, parameters } = this.#database;
        this.#checkpoint();
        const names = Array.from({ length: arity }, (_, i) => quotedName(`c${i}`));
        const given: Record<string, BoundValue> = { ...parameters };
        const tests = asked.flatMap((value, column) => {
            if (value === undefined) return [];
            let name = `asked_${column}`;
            while (name in given) name += '_';
            const writer = valueWriter(MIXED, value, dictionary, duckdb);
            given[name] = { value: writer.value(value), type: writer.type };
            return [`${names[column]} IS NOT DISTINCT FROM $${name}`];
        });
        const where = tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`;
        const shown = columns.length === 0 ? '1' : columns.map(column => names[column]).join(', ');
        const timer = setTimeout(() => connection.interrupt(), LONGEST_LOOK);
        try {
            const statement = await connection.prepare(`SELECT ${shown} FROM (${text}) AS q(${names.join(', ')})${where} LIMIT 1`);
            const bound = Object.entries(given).filter(([name]) => isParameter(statement, name));
            if (bound.length > 0)
                statement.bind(
                    Object.fromEntries(bound.map(([name, { value }]) => [name, value])),
                    Object.fromEntries(bound.map(([name, { type }]) => [name, type])),
                );
            const result = await statement.stream();
            const chunk = await result.fetchChunk();
            if (chunk === null || chunk.rowCount === 0) return 'none';
            const read = columnReader(dictionary, { freshNull: () => NO_VALUE }, duckdb);
            const into = new Int32Array(chunk.rowCount);
            const found = columns.map((_, i): { readonly value?: ValueId | undefined; readonly number?: number } => {
                const vector = chunk.getColumnVector(i);
                if (vector.getItem(0) === null) return {};
                read(vector, chunk.rowCount, into);
                const item = vector.getItem(0);
                return { value: into[0], ...(typeof item === 'bigint' && { number: Number(item) }) };
            });
            return { values: found.map(({ value }) => value), rows: [], rowNumbers: found.map(({ number }) => number) };
        } catch {
            return 'unknown';
        } finally {
            clearTimeout(timer);
        }
    }

    async #textsOf(conditions: readonly Condition[]): Promise<string[]> {
        const texts: string[] = [];
        for (const condition of conditions) texts.push(await this.#conditionText(condition));
        return texts;
    }

    /** The items that have an asked value. */
    async #askedOf(items: QueryParts['items'], isMeant: (item: Part) => boolean): Promise<{ name: string; column: number }[]> {
        const found: { name: string; column: number }[] = [];
        for (const [column, item] of items.entries()) {
            if (this.#asked[column] !== undefined && isMeant(item)) found.push({ name: await this.#conditionText(item), column });
        }
        return found;
    }

    async #conditionText({ node: written }: Part): Promise<string> {
        const node = { ...written, alias: '' };
        const nothing = {
            modifiers: [],
            cte_map: { map: [] },
            group_expressions: [],
            group_sets: [],
            aggregate_handling: 'STANDARD_HANDLING',
        };
        const select = { type: 'SELECT_NODE', select_list: [node], from_table: { type: 'EMPTY' }, ...nothing };
        const text = (await this.#textOf({ error: false, statements: [{ node: select }] })).replace(/^SELECT /u, '');
        return withoutBrackets(text.replaceAll(DOLLAR_NAME, (whole, name?: string) => (name === undefined ? whole : `?${name}`)));
    }

    async #textOf(parsed: unknown): Promise<string> {
        const reader = await this.#database.connection.runAndReadAll('SELECT json_deserialize_sql($1::JSON)', [writeParsed(parsed)]);
        return String(reader.getRows()[0]?.[0]);
    }
}

/** A parameter as DuckDB writes it, or a text or name in quotes. */
const DOLLAR_NAME = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)/gu;

/** Whether a statement has a parameter. */
export function isParameter(statement: DuckDBPreparedStatement, name: string): boolean {
    return Array.from({ length: statement.parameterCount }, (_, i) => statement.parameterName(i + 1)).includes(name);
}

/** Stands for NULL where only values that are none are read. */
const NO_VALUE: ValueId = 0;

const NOTHING: ParsedNode = {
    class: 'CONSTANT',
    type: 'VALUE_CONSTANT',
    value: { type: { id: 'NULL' }, is_null: true },
};

function distinctNames(values: readonly ShownValue[]): ShownValue[] {
    return [...new Map(values.map(value => [value.name, value])).values()];
}

/** Without the brackets around the whole. */
function withoutBrackets(text: string): string {
    if (!text.startsWith('(') || !text.endsWith(')')) return text;
    let level = 0;
    for (const [i, part] of [...text.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]/gu)].entries()) {
        if (part[0] === '(') level++;
        else if (part[0] === ')') level--;
        if (level === 0 && i >= 0 && part.index < text.length - 1) return text;
    }
    return text.slice(1, -1);
}
