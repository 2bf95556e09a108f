import { RunStopped } from '#engine/reports.ts';
import { chosenColumns } from '#engine/sources/column-plan.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { stampGranted } from '#server/files/open-granted.ts';
import { type PreparedFile, writeTarget } from '#server/files/write-granted.ts';
import { sourceName } from '../asked-query.ts';
import { type BoundFile, readableTarget } from '../bound-file.ts';
import type { Connector, SourceAccess, TriedSink } from '../connector.ts';
import { boundFile } from '../file-connector.ts';
import { refuse, sqliteBytes, tableNames, withSqlite } from './sqlite-file.ts';
import { optionsOf, readSqlite, tableOf } from './sqlite-rows.ts';
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
    sink: (bind, access) => sqliteSink(databaseFile(bind, access), access),
    columns: async (bind, access) => {
        const file = databaseFile(bind, access);
        const found = await withSqlite(file, sqliteBytes(file), database => tableOf(database, file).columns);
        const selectedColumns = optionsOf(file).selectedColumns();
        const names = found.map(({ name }) => name);
        const request = {
            file: file.shown,
            options: selectedColumns === undefined ? {} : { selectedColumns },
            context: file.access.report,
        };
        const chosen = chosenColumns(names, request) ?? names.map((_, at) => at);
        return { columns: chosen.flatMap(at => found[at] ?? []).map(({ name, type }) => (type === undefined ? { name } : { name, type })) };
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

function databaseFile(bind: Bind, access: SourceAccess): BoundFile {
    return boundFile(bind, access, ({ outer }) => [outer]);
}

/** What a run has made of a file so far; several of its tables may be targets. */
interface ChangedFile {
    readonly bytes: Uint8Array;
    /** Of the file that it takes the place of; undefined where there was none. */
    readonly stamp: string | undefined;
    readonly prepared: PreparedFile;
}

const changedFiles = new WeakMap<SourceAccess, Map<string, ChangedFile>>();

/** All tables are put into one copy of the file beside it, which then takes its place. */
function sqliteSink(file: BoundFile, access: SourceAccess): TriedSink {
    const changed = changedFiles.get(access) ?? new Map<string, ChangedFile>();
    changedFiles.set(access, changed);
    const announce = access.onTemporary ?? (() => undefined);
    const source = readableTarget(file);
    const stampNow = (): string => stampGranted(source.path, source.access);
    const end = (action: (own: ChangedFile) => void): void => {
        const own = changed.get(file.shown);
        if (own === undefined) return;
        action(own);
        changed.delete(file.shown);
        announce(own.prepared.temporary, false);
    };
    return {
        name: `${file.shown}: ${file.bind.inner}`,
        try: () => void writeTarget(file.path, file.access),
        write: async (rows, checkpoint) => {
            const { existing } = writeTarget(file.path, file.access);
            const before = changed.get(file.shown);
            const isThere = existing !== undefined && existing.size > 0;
            const stamp = before === undefined ? (isThere ? stampNow() : undefined) : before.stamp;
            const old = before?.bytes ?? (isThere ? sqliteBytes(source) : undefined);
            const bytes = await withSqlite(file, old, database =>
                writeSqlite(database, file, rows, checkpoint) ? database.export() : undefined,
            );
            if (bytes === undefined) return;
            end(own => own.prepared.discard());
            // The folder may be gone with what was there for the tables before.
            const prepared = writeTarget(file.path, file.access).prepare(temporary => announce(temporary, true));
            changed.set(file.shown, { bytes, stamp, prepared });
            prepared.write(bytes);
            prepared.finish();
        },
        commit: () =>
            end(({ prepared, stamp }) => {
                if (stamp !== undefined && stampNow() !== stamp) {
                    prepared.discard();
                    refuse(file, say`was changed by another program while this run wrote it; run it again`);
                }
                prepared.commit();
            }),
        discard: () => end(({ prepared }) => prepared.discard()),
    };
}
