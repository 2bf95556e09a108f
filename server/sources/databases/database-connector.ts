import { chosenColumns } from '#engine/sources/column-plan.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { sourceName } from '../asked-query.ts';
import { type Connector, MOST_COUNTED, type SourceAccess } from '../connector.ts';
import { grouped } from '../grouped.ts';
import { type DatabaseBind, databaseBind } from './database-bind.ts';
import { databaseSink, writableTable } from './database-sink.ts';
import { type Dialect, quotedTable, type Statement } from './dialect.ts';
import { begin, inTurn, PATIENCE, withDatabase } from './open-database.ts';
import { fieldsOf, loadRows, readOptions, tableNames, verifyReading } from './read-database.ts';
import { type Cells, type Field, typeOfForm } from './session.ts';
import { watched } from './watched.ts';

/** What a question about a source waits for; nobody stops it. */
const QUESTION = { checkpoint: () => undefined, patience: PATIENCE };

/** Reads and writes tables of one kind of database, and reads its queries. */
export function databaseConnector(dialect: Dialect): Connector {
    const bound = (bind: Bind, access: SourceAccess): DatabaseBind => databaseBind(bind, dialect, access);
    return {
        source: (bind, access) => {
            const target = bound(bind, access);
            return { name: sourceName(target.shown, bind), load: (rows, asked) => loadRows(target, dialect, rows, asked) };
        },
        sink: (bind, access) => databaseSink(bound(bind, access), dialect),
        verify: (bind, access) => {
            const target = bound(bind, access);
            if (bind.direction === 'output') writableTable(target);
            else verifyReading(target, dialect);
        },
        rows: async (bind, access) => {
            const target = bound(bind, access);
            const table = writableTable(target);
            const { text, parameters } = dialect.exists(table);
            const counted = `SELECT count(*) FROM (SELECT 1 AS one FROM ${quotedTable(table, dialect)} LIMIT ${MOST_COUNTED + 1}) AS some_rows`;
            return await inTurn(() =>
                withDatabase(target, dialect, async session => {
                    await begin(session, dialect.beginReading, target, QUESTION);
                    const ask = (statement: string, given: Statement['parameters'] = []): Promise<readonly Cells[]> =>
                        watched(session, session.run(statement, given), QUESTION, target);
                    if ((await ask(text, parameters)).length === 0) return 0;
                    return Number((await ask(counted))[0]?.[0]);
                }),
            );
        },
        columns: async (bind, access) => {
            const target = bound(bind, access);
            const fields = await inTurn(() =>
                withDatabase(target, dialect, async session => {
                    await begin(session, dialect.beginReading, target, QUESTION);
                    return await fieldsOf(session, target, dialect, QUESTION);
                }),
            );
            const names = fields.map(({ name }) => name);
            const request = { file: target.shown, options: readOptions(target) };
            const chosen = chosenColumns(names, request) ?? names.map((_, at) => at);
            const columns = chosen.flatMap(at => {
                const field = fields[at];
                if (field === undefined) return [];
                return [typed(field)];
            });
            return columns.length === 0 ? undefined : { columns };
        },
        tables: async (bind, access) => {
            const target = bound(bind, access);
            const { catalogue, hasSchemas } = dialect;
            const schema = hasSchemas && target.relation.kind === 'table' ? target.relation.schema : undefined;
            return await inTurn(() =>
                withDatabase(target, dialect, async session => {
                    await begin(session, dialect.beginReading, target, QUESTION);
                    const ask = ({ text, parameters }: Statement): Promise<readonly Cells[]> =>
                        watched(session, session.run(text, parameters), QUESTION, target);
                    const relations = await ask(catalogue.relations(schema));
                    const columns = grouped(await ask(catalogue.columns(schema)), ([table]) => table ?? '');
                    const schemas = schema === undefined && catalogue.schemas !== undefined ? await ask(catalogue.schemas) : [];
                    return [
                        ...relations.map(([name, kind]) => ({
                            name: name ?? '',
                            kind: kind === 'view' ? ('view' as const) : ('table' as const),
                            columns: (columns.get(name ?? '') ?? []).map(([, column, ...type]) =>
                                typed(catalogue.field(column ?? '', type)),
                            ),
                        })),
                        ...schemas.map(([name]) => ({ name: name ?? '', kind: 'schema' as const, columns: [] })),
                    ];
                }),
            );
        },
        missing: async (bind, access) => {
            const target = bound(bind, access);
            const { relation } = target;
            if (relation.kind === 'query') return undefined;
            const names = await inTurn(() =>
                withDatabase(target, dialect, session => watched(session, tableNames(session, relation, dialect), QUESTION, target)),
            );
            if (names.includes(relation.table)) return undefined;
            const nearest = nearestName(relation.table, names);
            return nearest === undefined ? {} : { nearest: withSchema(bind.inner, nearest) };
        },
        // Nothing that is cheap to ask tells whether rows have changed.
        stamp: () => undefined,
    };
}

function typed(field: Field): { readonly name: string; readonly type?: Type } {
    const type = typeOfForm(field);
    return { name: field.name, ...(type && { type }) };
}

/** The name in the place of the table, behind the schema that stands before it. */
function withSchema(inner: string, table: string): string {
    const dot = inner.indexOf('.');
    return dot < 0 ? table : `${inner.slice(0, dot + 1)}${table}`;
}
