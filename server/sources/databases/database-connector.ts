import { chosenColumns } from '#engine/sources/column-plan.ts';
import { TextSurvey } from '#engine/sources/column-texts.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Bind, ColumnTexts } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { sourceName } from '../asked-query.ts';
import { type Connector, MOST_COUNTED, type SourceAccess } from '../connector.ts';
import { grouped } from '../grouped.ts';
import { type DatabaseBind, databaseBind } from './database-bind.ts';
import { databaseSink, writableTable } from './database-sink.ts';
import { type Dialect, quotedTable, type Statement } from './dialect.ts';
import { begin, inTurn, PATIENCE, withDatabase } from './open-database.ts';
import { fieldsOf, loadRows, readOptions, tableNames, verifyReading } from './read-database.ts';
import { type Cells, type Field, type Session, typeOfForm } from './session.ts';
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
        columns: async (bind, access, records) => {
            const target = bound(bind, access);
            const { fields, texts } = await inTurn(() =>
                withDatabase(target, dialect, async session => {
                    await begin(session, dialect.beginReading, target, QUESTION);
                    const all = await fieldsOf(session, target, dialect, QUESTION);
                    return { fields: all, texts: await firstTexts(session, all, target, dialect, records) };
                }),
            );
            const names = fields.map(({ name }) => name);
            const request = { file: target.shown, options: readOptions(target) };
            const chosen = chosenColumns(names, request) ?? names.map((_, at) => at);
            const columns = chosen.flatMap(at => {
                const field = fields[at];
                if (field === undefined) return [];
                const found = texts.get(field.name);
                return [{ ...typed(field), ...(found && { texts: found }) }];
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

/** Looks at so many first texts of the columns of texts of a table, by name; a query is not asked for it. */
async function firstTexts(
    session: Session,
    fields: readonly Field[],
    target: DatabaseBind,
    dialect: Dialect,
    records: number,
): Promise<ReadonlyMap<string, ColumnTexts>> {
    const { relation } = target;
    const names = fields.flatMap(field => (typeOfForm(field)?.kind === 'string' ? [field.name] : []));
    if (relation.kind !== 'table' || records === 0 || names.length === 0) return new Map();
    const selected = names.map(name => dialect.quoted(name)).join(', ');
    const text = `SELECT ${selected} FROM ${quotedTable(relation, dialect)} LIMIT ${records}`;
    const rows = await watched(session, session.run(text, []), QUESTION, target);
    return new Map(
        names.map((name, at) => {
            const survey = new TextSurvey();
            for (const row of rows) if (typeof row[at] === 'string') survey.note(row[at]);
            return [name, survey.found];
        }),
    );
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
