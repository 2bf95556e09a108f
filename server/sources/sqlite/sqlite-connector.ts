import { RunStopped } from '#engine/reports/reports.ts';
import { chosenColumns } from '#engine/sources/column-plan.ts';
import { TextSurvey } from '#engine/sources/column-texts.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Bind, ColumnTexts } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import { stampGranted } from '#server/files/open-granted.ts';
import { sourceName } from '../asked-query.ts';
import { type BoundFile, pathOf, readableTarget } from '../bound-file.ts';
import { type Connector, MOST_COUNTED, type SourceAccess } from '../connector.ts';
import { boundFile } from '../file-connector.ts';
import { requireWritable } from '../prepare-file.ts';
import { refuseOptions } from '../refuse-options.ts';
import { sharedFileSink } from '../shared-file-sink.ts';
import type { Database } from './load-sqlite.ts';
import { quotedName, refuse, rowsOf, type SqliteColumn, sqliteBytes, tableColumns, tableNames, withSqlite } from './sqlite-file.ts';
import { optionsOf, queryIn, readSqlite, tableOf, verifyReading } from './sqlite-rows.ts';
import { writeSqlite } from './sqlite-sink.ts';

/** Reads and writes tables of a database in a file, which the third argument of a bind names. */
export const SQLITE: Connector = {
    source: (bind, access) => {
        const file = databaseFile(bind, access);
        return {
            name: sourceName(file.shown, bind),
            load: (target, asked) => withSqlite(file, sqliteBytes(file), database => readSqlite(database, file, target, asked)),
        };
    },
    sink: (bind, access) => {
        const file = databaseFile(bind, access);
        return sharedFileSink(file, access, {
            name: `${file.shown}: ${bind.inner}`,
            verify: () => requireWritableTable(file),
            bytes: () => sqliteBytes(readableTarget(file)),
            change: (old, rows, checkpoint) =>
                withSqlite(file, old, database => {
                    const outcome = writeSqlite(database, file, rows, checkpoint);
                    return outcome === 'kept'
                        ? undefined
                        : { bytes: database.export(), table: bind.inner.toLowerCase(), ...(typeof outcome === 'object' && outcome) };
                }),
        });
    },
    verify: (bind, access) => {
        const file = databaseFile(bind, access);
        if (bind.direction === 'output') requireWritableTable(file);
        else {
            verifyReading(file);
            stampGranted(file.path, file.access);
        }
    },
    rows: async (bind, access) => {
        const file = databaseFile(bind, access);
        const counted = `SELECT count(*) FROM (SELECT 1 FROM ${quotedName(bind.inner)} LIMIT ${MOST_COUNTED + 1})`;
        return await withSqlite(file, sqliteBytes(readableTarget(file)), database =>
            tableColumns(database, bind.inner).length === 0 ? 0 : Number(rowsOf(database, counted)[0]?.[0]),
        );
    },
    path: (bind, access) => pathOf(databaseFile(bind, access)),
    columns: async (bind, access, records) => {
        const file = databaseFile(bind, access);
        const found = await withSqlite(file, sqliteBytes(file), database => {
            const { columns } = tableOf(database, file);
            return records === 0 || queryIn(file.bind) !== undefined ? columns : surveyedColumns(database, bind.inner, columns, records);
        });
        const selectedColumns = optionsOf(file).selectedColumns();
        const names = found.map(({ name }) => name);
        const request = {
            file: file.shown,
            options: selectedColumns === undefined ? {} : { selectedColumns },
            context: file.access.report,
        };
        const chosen = chosenColumns(names, request) ?? names.map((_, at) => at);
        return {
            columns: chosen.flatMap(at => {
                const column: SurveyedColumn | undefined = found[at];
                if (column === undefined) return [];
                const { name, type, texts } = column;
                return [{ name, ...(type && { type }), ...(texts && { texts }) }];
            }),
        };
    },
    tables: async (bind, access) => {
        const file = databaseFile(bind, access);
        return await withSqlite(file, sqliteBytes(file), database =>
            tableNames(database).map(table => ({
                ...table,
                columns: tableColumns(database, table.name).map(({ name, type }) => ({ name, ...(type && { type }) })),
            })),
        );
    },
    missing: async (bind, access) => {
        if (bind.outer.includes('${')) return undefined;
        const file = databaseFile(bind, access);
        try {
            return await withSqlite(file, sqliteBytes(file), database => {
                const names = tableNames(database).map(({ name }) => name);
                if (names.some(name => name.toLowerCase() === bind.inner.toLowerCase()) || bind.kind === 'qbind') return undefined;
                const nearest = nearestName(bind.inner, names);
                return nearest === undefined ? {} : { nearest };
            });
        } catch (error) {
            if (!(error instanceof RunStopped) || error.report.isAbsent !== true) throw error;
            return {};
        }
    },
    stamp: (bind, access) => {
        const { path, access: context } = databaseFile(bind, access);
        return stampGranted(path, context);
    },
};

interface SurveyedColumn extends SqliteColumn {
    readonly texts?: ColumnTexts;
}

/** Looks at so many rows of a table for what its texts show. A column of any values that has numbers and texts of numbers is mixed. */
function surveyedColumns(database: Database, table: string, columns: readonly SqliteColumn[], records: number): SurveyedColumn[] {
    const names = columns.map(({ name }) => quotedName(name)).join(', ');
    const rows = rowsOf(database, `SELECT ${names} FROM ${quotedName(table)}`, records);
    return columns.map(({ name, type }, at) => {
        if (type !== undefined && type.kind !== 'string') return { name, type };
        const survey = new TextSurvey();
        for (const row of rows) {
            const value = row[at] ?? null;
            if (typeof value === 'string') survey.note(value);
            else if (typeof value === 'number' || typeof value === 'bigint') survey.noteNumber(value);
        }
        const texts = survey.found;
        if (texts.mixed !== undefined) return { name, texts, type: MIXED };
        return type === undefined ? { name, type } : { name, texts, type };
    });
}

function databaseFile(bind: Bind, access: SourceAccess): BoundFile {
    return boundFile(bind, access, ({ outer }) => [outer]);
}

/** Ends the run where a table of the file is not written, or where the bind asks for what is not carried out. */
function requireWritableTable(file: BoundFile): void {
    const { bind, access } = file;
    refuseOptions(bind, ['compression'], access.report);
    if (queryIn(bind) !== undefined) refuse(file, say`cannot be written: a bind with a query is read alone`);
    requireWritable(file);
}
