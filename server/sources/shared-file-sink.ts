import { stop } from '#engine/reports/reports.ts';
import type { OutputRows, WriteOutcome } from '#engine/sources/source.ts';
import { say } from '#language/program/say.ts';
import { stampGranted } from '#server/files/open-granted.ts';
import { type PreparedFile, writeTarget } from '#server/files/write-granted.ts';
import { type BoundFile, type ChangedTable, readableTarget } from './bound-file.ts';
import type { MaybePromise, SourceAccess, TriedSink } from './connector.ts';

/** One of the tables that a file holds, as the target of a bind. */
interface SharedTarget {
    /** What people call it. */
    readonly name: string;
    /** Throws where it cannot be written, as far as that shows beforehand. */
    readonly verify: () => void;
    /** The bytes of the file that is there. */
    readonly bytes: () => Uint8Array;
    /** Puts the rows into their table; undefined where the file stays as it is. */
    readonly change: (old: Uint8Array | undefined, rows: OutputRows, checkpoint: () => void) => MaybePromise<ChangedTable | undefined>;
}

/** What a run has made of a file so far; several of its tables may be targets. */
interface ChangedFile {
    readonly bytes: Uint8Array;
    readonly tables: ReadonlySet<string>;
    /** Of the file that it takes the place of; undefined where there was none. */
    readonly stamp: string | undefined;
    readonly prepared: PreparedFile;
}

const changedFiles = new WeakMap<SourceAccess, Map<string, ChangedFile>>();

/** All tables of a file that a run writes are put into one copy of it beside it, which then takes its place. */
export function sharedFileSink(file: BoundFile, access: SourceAccess, { name, verify, bytes, change }: SharedTarget): TriedSink {
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
        name,
        try: verify,
        write: async (rows, checkpoint): Promise<WriteOutcome> => {
            verify();
            const { existing } = writeTarget(file.path, file.access);
            const before = changed.get(file.shown);
            const isThere = existing !== undefined && existing.size > 0;
            const stamp = before === undefined ? (isThere ? stampNow() : undefined) : before.stamp;
            const old = before?.bytes ?? (isThere ? bytes() : undefined);
            const made = await change(old, rows, checkpoint);
            if (made === undefined) return 'kept';
            if (before?.tables.has(made.table) === true)
                stop('RT064', file.access.report, name, say`is the target of two binds of this program`);
            end(own => own.prepared.discard());
            // The folder may be gone with what was there for the tables before.
            const prepared = writeTarget(file.path, file.access).prepare(temporary => announce(temporary, true));
            changed.set(file.shown, { bytes: made.bytes, tables: new Set(before?.tables).add(made.table), stamp, prepared });
            prepared.write(made.bytes);
            prepared.finish();
            if (made.changed !== undefined) return { changed: made.changed };
            return made.isReplaced === true ? 'replaced' : undefined;
        },
        commit: () =>
            end(({ prepared, stamp }) => {
                if (stamp !== undefined && stampNow() !== stamp) {
                    prepared.discard();
                    const reason = say`was changed by another program while this run wrote it; run it again`;
                    stop('RT064', { ...file.access.report, source: { file: file.shown } }, file.shown, reason);
                }
                prepared.commit();
            }),
        discard: () => end(({ prepared }) => prepared.discard()),
    };
}
