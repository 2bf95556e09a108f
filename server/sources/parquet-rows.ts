import { QueryFailed } from '#engine/contracts/queries.ts';
import { RunStopped, stop } from '#engine/reports/reports.ts';
import { type ColumnRequest, readColumns } from '#engine/sources/column-plan.ts';
import { TextSurvey } from '#engine/sources/column-texts.ts';
import { type ParquetColumn, type ParquetFooter, readParquetFooter } from '#engine/sources/parquet-footer.ts';
import { nullMaker } from '#engine/sources/row-faults.ts';
import type { RowTarget } from '#engine/sources/source.ts';
import { partFill, type TableColumns } from '#engine/sources/table-part.ts';
import { castValue } from '#engine/values/cast.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Column, ColumnTexts } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { join, MIXED, sameType, type Type } from '#language/program/types.ts';
import { type ClosedDatabase, openFileDatabase } from '#server/compute/closed-database.ts';
import { type ParquetScan, readParquet, type WantedColumn } from '#server/compute/parquet-reader.ts';
import { type OpenedFile, openGranted } from '#server/files/open-granted.ts';
import type { BoundFile } from './bound-file.ts';
import { type FilePart, partsReading } from './file-parts.ts';

/** What a bind says about the rows that it reads. */
export interface ParquetReading {
    readonly options: ColumnRequest['options'];
    /** One null per column instead of one per cell. */
    readonly sameNull: boolean;
}

/** Reads the parts of a table one after another. */
export interface PartReader {
    read(parts: readonly FilePart[]): Promise<void>;
    end(): void;
}

export function partReader(file: BoundFile, table: TableColumns, reading: ParquetReading, target: RowTarget): PartReader {
    const { shown, access, bind } = file;
    const { dictionary, columns } = target;
    const context = access.report;
    const { plan, faults, partOf, end } = partsReading(file, table, reading.options, target);
    const nullFor = nullMaker({ file: shown, predicate: bind.predicate }, reading.sameNull, dictionary);
    const sources = [...plan.targets.keys()].filter(source => (plan.targets[source] ?? -1) >= 0);
    for (const source of sources) {
        if (table.types[source] !== undefined) continue;
        const reason = say`has values in column '${table.names[source]}' that the language has not, such as times without a day or bytes; name the other columns with selectedColumns`;
        stop('RT064', context, shown, reason);
    }
    const isRead = readColumns(plan, target.needs);
    const read = sources.filter(source => isRead(plan.targets[source] ?? 0));
    const stored = read.filter(source => source < table.stored);
    const ofFolders = read.filter(source => source >= table.stored).map(source => plan.targets[source] ?? 0);
    const rows: Int32Array[] = columns.map(() => new Int32Array(0));

    const readPart = async (database: ClosedDatabase, part: FilePart, opened: OpenedFile): Promise<void> => {
        const { columns: found } = footerOf(opened, part.file);
        const fill = partFill(partOf(part), target, nullFor);
        let line = 1;
        const wanted = stored.map(source => {
            const name = table.names[source] ?? '';
            const at = found.findIndex(column => column.name === name);
            if (at < 0) stop('RT064', context, opened.path, say`has no column '${name}', which the first file of '${shown}' has`);
            return { source, at };
        });
        const inOrder = wanted.toSorted((a, b) => a.at - b.at).map(({ source, at }) => ({ to: plan.targets[source] ?? 0, at }));
        const wantedColumns = inOrder.map(({ to, at }) => ({ at, ...readAs(columns[to], found[at]) }));
        const casts = inOrder.map(({ to, at }, i) => casting(columns[to], readType(wantedColumns[i]?.as, found[at]?.type ?? MIXED)));
        const comparedColumn: ParquetScan['comparedColumn'] = column => {
            const i = inOrder.findIndex(({ to }) => to === column);
            const { at, as } = wantedColumns[i] ?? {};
            if (at === undefined || as !== undefined || casts[i] !== undefined) return undefined;
            return { at, type: found[at]?.type, hasUnread: found[at]?.excess === 'whole' };
        };
        const scan = { path: opened.handle, columns: found.length, wanted: wantedColumns, needs: target.needs, comparedColumn };
        await readParquet(database, scan, dictionary, {
            nullFor: i => nullFor(inOrder[i]?.to ?? 0),
            unread: (i, text, row) => {
                const to = inOrder[i]?.to ?? 0;
                faults.unreadable(to, line + row, () => text);
                return nullFor(to);
            },
            add: (ids, count) => {
                for (const [i, { to: at }] of inOrder.entries()) {
                    const [values, cast] = [ids[i] ?? new Int32Array(count), casts[i]];
                    if (cast !== undefined) castAll(values, count, at, line, cast);
                    rows[at] = values;
                }
                for (const at of [...ofFolders, ...plan.absent]) rows[at] = Int32Array.from({ length: count }, () => fill(at));
                for (const [from, to] of plan.copies) rows[to] = rows[from] ?? new Int32Array(count);
                if (table.names.length < plan.expected) for (let row = 0; row < count; row++) faults.padded(line + row);
                if (table.names.length > plan.expected && plan.cutsMore) for (let row = 0; row < count; row++) faults.cut(line + row);
                addRows(target, rows, count);
                line += count;
                target.checkpoint();
            },
        });
    };
    /** Puts what the values are in the type of their column in their place. */
    const castAll = (values: Int32Array, count: number, at: number, line: number, cast: Cast): void => {
        for (let row = 0; row < count; row++) {
            const value = values[row] ?? 0;
            const id = castValue(dictionary, value, cast.to, cast.from);
            if (id === undefined) faults.unreadable(at, line + row, () => textOf(dictionary, value, cast.from, String));
            values[row] = id ?? nullFor(at);
        }
    };
    return {
        read: async parts => {
            const opened: OpenedFile[] = [];
            try {
                for (const { file: one } of parts) opened.push(openGranted(one.path, access));
                await inWords(file, say`cannot be read as Parquet`, () =>
                    withDatabase(
                        opened.map(({ handle }) => handle),
                        async database => {
                            for (const [i, part] of parts.entries()) {
                                const bytes = opened[i];
                                if (bytes !== undefined) await readPart(database, part, bytes);
                            }
                        },
                    ),
                );
            } finally {
                for (const one of opened) one.close();
            }
        },
        end,
    };
}

/** Numbers whose type does not hold them all are read as a model wants them: all digits of a text, a double as it rounds. */
function readAs(column: Column | undefined, found: ParquetColumn | undefined): Pick<WantedColumn, 'as'> {
    if (found?.excess === undefined || !column?.cast) return {};
    const { kind } = column.type;
    if (kind === 'string' || kind === 'json') return { as: 'digits' };
    return found.excess === 'whole' && (kind === 'double' || kind === 'float') ? { as: 'double' } : {};
}

function readType(as: WantedColumn['as'], type: Type): Type {
    return as === undefined ? type : { kind: as === 'digits' ? 'string' : 'double' };
}

interface Cast {
    readonly from: Type;
    readonly to: Type;
}

/** How values of a file become those of a column; undefined where they are that. */
function casting(column: Column | undefined, from: Type): Cast | undefined {
    if (column === undefined || !column.cast || column.type.kind === 'mixed' || column.type.kind === 'unknown') return undefined;
    const { type } = column;
    const isSame = sameType(type, from) || sameType(join(type, from), type);
    return isSame && type.kind !== 'float' && type.kind !== 'struct' ? undefined : { from, to: type };
}

function addRows(target: RowTarget, rows: readonly Int32Array[], count: number): void {
    if (target.addRows !== undefined) {
        target.addRows(rows, count, 0);
        return;
    }
    const row = new Int32Array(rows.length);
    for (let i = 0; i < count; i++) {
        for (let column = 0; column < row.length; column++) row[column] = rows[column]?.[i] ?? 0;
        target.add(row, 0);
    }
}

/** Looks at so many first texts of the columns of texts, by name; finds nothing in a file that cannot be read. */
export async function firstTexts(file: BoundFile, records: number): Promise<ReadonlyMap<string, ColumnTexts>> {
    const opened = openGranted(file.path, file.access);
    try {
        const { columns } = footerOf(opened, file);
        const wanted = columns.flatMap(({ name, type }, at) => (type?.kind === 'string' ? [{ name, at, survey: new TextSurvey() }] : []));
        if (wanted.length === 0) return new Map();
        const dictionary = new Dictionary();
        const scan = { path: opened.handle, columns: columns.length, wanted, comparedColumn: () => undefined };
        let left = records;
        const add = (ids: readonly Int32Array[], count: number): void => {
            for (const [i, { survey }] of wanted.entries())
                for (const id of ids[i]?.subarray(0, Math.min(count, left)) ?? [])
                    if (dictionary.kind(id) === 'string') survey.note(dictionary.stringOf(id));
            left -= count;
            if (left <= 0) throw new Enough();
        };
        const missing = (): ValueId => dictionary.freshNull(file.shown);
        await withDatabase([opened.handle], database =>
            readParquet(database, scan, dictionary, { nullFor: missing, unread: missing, add }),
        ).catch((error: unknown) => {
            if (!(error instanceof Enough || error instanceof QueryFailed)) throw error;
        });
        return new Map(wanted.map(({ name, survey }) => [name, survey.found]));
    } finally {
        opened.close();
    }
}

/** No further rows are needed. */
class Enough extends Error {}

/** Has a database that reaches these files alone. */
export async function withDatabase(paths: readonly string[], use: (database: ClosedDatabase) => Promise<void>): Promise<void> {
    const database = await openFileDatabase(paths);
    try {
        await use(database);
    } finally {
        database.close();
    }
}

/** Says what DuckDB refuses as RT064. */
export async function inWords(file: BoundFile, what: string, action: () => Promise<void>): Promise<void> {
    try {
        await action();
    } catch (error) {
        if (error instanceof RunStopped || !(error instanceof QueryFailed)) throw error;
        stop('RT064', { ...file.access.report, source: { file: file.shown } }, file.shown, `${what}: ${error.message}`);
    }
}

export function footerOf(bytes: OpenedFile, { shown, access }: BoundFile): ParquetFooter {
    return readParquetFooter(bytes, reason => stop('RT064', { ...access.report, source: { file: shown } }, shown, reason));
}
