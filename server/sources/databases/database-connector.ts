import { chosenColumns } from '#engine/sources/column-plan.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { sourceName } from '../asked-query.ts';
import type { Connector, SourceAccess } from '../connector.ts';
import { type DatabaseBind, databaseBind } from './database-bind.ts';
import { databaseSink, writableTable } from './database-sink.ts';
import type { Dialect } from './dialect.ts';
import { begin, inTurn, PATIENCE, withDatabase } from './open-database.ts';
import { fieldsOf, loadRows, readOptions, tableNames, verifyReading } from './read-database.ts';
import { typeOfForm } from './session.ts';
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
                const type = typeOfForm(field);
                return [{ name: field.name, ...(type && { type }) }];
            });
            return columns.length === 0 ? undefined : { columns };
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

/** The name in the place of the table, behind the schema that stands before it. */
function withSchema(inner: string, table: string): string {
    const dot = inner.indexOf('.');
    return dot < 0 ? table : `${inner.slice(0, dot + 1)}${table}`;
}
