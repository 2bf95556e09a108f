import type { AnalysedProgram, Predicate } from '#language/program/analysed-program.ts';
import type { Rule } from '#language/program/program.ts';
import type { QueryColumn } from '#language/program/sql-reading.ts';
import { MIXED, sameType, type Type } from '#language/program/types.ts';
import type { SqlScope, SqlSource } from '#language/sql/sql-outline.ts';

/** A column as queries call it. */
export interface SqlColumn {
    readonly name: string;
    readonly type: Type;
    /** The table of the column, by its name in the query. */
    readonly of: string;
}

/** The predicate that a query means by the name of a table. */
function tableMeant({ predicatesNamed, predicateNames }: AnalysedProgram, table: string): Predicate | undefined {
    const exact = predicatesNamed(table).at(-1);
    if (exact !== undefined) return exact;
    const key = table.toLowerCase();
    const similar = [...predicateNames()].filter(({ name }) => name.toLowerCase() === key);
    return similar.length === 1 ? predicatesNamed(similar[0]?.name ?? '').at(-1) : undefined;
}

/** The names that queries have for the columns of a predicate, where it is called `table`. */
export function columnsInQueries({ arity, columns, model }: Predicate, table: string): readonly SqlColumn[] {
    const fields = model?.fields.length === arity ? model.fields : undefined;
    return columns.map(({ mapped, header, type }, i) => ({
        name: fields?.[i]?.name ?? mapped ?? header ?? `${table}_${i}`,
        type,
        of: table,
    }));
}

/** The columns of a table by its name; none where it is not known. */
export type TableColumns = (table: string) => readonly SqlColumn[];

/** Columns of the predicates of a program. */
export function predicateColumns(analysed: AnalysedProgram): TableColumns {
    return table => {
        const predicate = tableMeant(analysed, table);
        return predicate === undefined ? [] : columnsInQueries(predicate, table);
    };
}

/** The columns of an item of a FROM list. */
export function columnsOf(tables: TableColumns, source: SqlSource, depth = 0): readonly SqlColumn[] {
    if (source.table !== undefined) return tables(source.table).map(column => ({ ...column, of: source.exposed }));
    return resultColumns(tables, source.query, source.exposed, depth);
}

/** The columns that a query gives, as far as they have names. */
function resultColumns(tables: TableColumns, query: SqlScope | undefined, of: string, depth: number): readonly SqlColumn[] {
    // What a WITH defines may name itself.
    if (query === undefined || depth > DEEPEST) return [];
    return query.outputs.flatMap((name): readonly SqlColumn[] => {
        if (name === undefined) return [];
        const inner = query.sources.flatMap(source => columnsOf(tables, source, depth + 1));
        if (name === '*') return inner.map(column => ({ ...column, of }));
        return [{ name, type: inner.find(column => isSame(column.name, name))?.type ?? MIXED, of }];
    });
}

/** The columns of subqueries, and of what a WITH defines, with the types of their expressions; undefined where the query cannot be read. */
export function innerColumns({ querySchema }: AnalysedProgram, rule: Rule): (source: SqlSource) => readonly SqlColumn[] | undefined {
    const sources = querySchema(rule)?.sources ?? [];
    return ({ table, exposed }) => {
        const [first, ...others] = sources.filter(({ name }) => table === undefined && name === exposed.toLowerCase());
        // One name may stand for several queries.
        if (first === undefined || others.some(({ columns }) => !isSameList(columns, first.columns))) return undefined;
        return first.columns.flatMap(({ name, type }) => (name === undefined ? [] : [{ name, type, of: exposed }]));
    };
}

function isSameList(left: readonly QueryColumn[], right: readonly QueryColumn[]): boolean {
    return (
        left.length === right.length &&
        left.every(({ name, type }, i) => name === right[i]?.name && sameType(type, right[i]?.type ?? MIXED))
    );
}

const DEEPEST = 8;

function isSame(left: string, right: string): boolean {
    return left.toLowerCase() === right.toLowerCase();
}

/** The columns of sources that a name, with or without number, may mean. */
export function columnsNamed(tables: TableColumns, sources: readonly SqlSource[], name: string): readonly SqlColumn[] {
    return sources.flatMap(source => {
        const columns = columnsOf(tables, source);
        const named = columns.filter(column => isSame(column.name, name));
        if (named.length > 0) return named;
        return columns.filter((_, i) => source.table !== undefined && isSame(`${source.table}_${i}`, name));
    });
}
