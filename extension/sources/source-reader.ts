import type { SourceMessage } from '#extension/surfaces/source/source-messages.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { type BoundTable, boundTable } from './bound-table.ts';
import { columnProfile } from './column-profile.ts';
import { sampleRows } from './sample-rows.ts';
import type { Source } from './source.ts';
import { isFileType } from './source-kinds.ts';

/** Rows of a sample. */
const LIMIT = 200;

/** Who shows what is read, and knows the password that nobody else keeps. */
export interface SourceReaderHost {
    tell(message: SourceMessage): void;
    /** The password of a source, which is not kept; null where the user was asked for it and left, undefined where it need not be known. */
    password(): Promise<string | null | undefined>;
    /** What went wrong, for people. */
    wordsOf(reason: unknown): string;
    failed?(about: string, message: string): void;
}

type Outcome = 'done' | 'nothing to do' | 'failed';

/** Reads the first rows of a table and counts what its columns hold, one of each at a time. */
export interface SourceReader {
    read(client: PlatformClient, source: Source): Promise<Outcome>;
    profile(client: PlatformClient, source: Source, column: string): Promise<Outcome>;
    readonly isReading: boolean;
    /** Holds a password for as long as the reader is there. */
    hold(password: string | undefined): void;
    stop(): void;
    leaveProfile(): void;
    /** Tells nothing more. */
    close(): void;
}

/** Said where the user was asked for a password, and left. */
class Left extends Error {}

export function createSourceReader(host: SourceReaderHost): SourceReader {
    let held: string | undefined;
    let reading: AbortController | undefined;
    let counting: AbortController | undefined;
    const open = async (client: PlatformClient, source: Source): Promise<BoundTable> => {
        const password = held ?? (await host.password());
        if (password === null) throw new Left();
        held = password;
        return boundTable(client, source, password);
    };
    return {
        async read(client, source) {
            reading?.abort();
            const abort = new AbortController();
            reading = abort;
            const { name } = source;
            host.tell({ kind: 'loading', name });
            try {
                const found = await sampleRows(client, await open(client, source), LIMIT, abort.signal);
                if (reading === abort) host.tell({ kind: 'rows', name, ...found });
                return 'done';
            } catch (reason) {
                if (reading !== abort) return 'nothing to do';
                if (abort.signal.aborted || reason instanceof Left) {
                    host.tell({ kind: 'stopped', name });
                    return 'nothing to do';
                }
                held = undefined;
                const isClosed = reason instanceof PlatformError && reason.code === 'source_unavailable';
                const message = host.wordsOf(reason);
                host.tell({ kind: 'failed', name, message, login: isClosed && !isFileType(source.database_type) });
                host.failed?.(name, message);
                return 'failed';
            }
        },
        async profile(client, source, column) {
            counting?.abort();
            const abort = new AbortController();
            counting = abort;
            host.tell({ kind: 'profiling', column });
            try {
                const profile = await columnProfile(client, await open(client, source), column, abort.signal);
                if (counting === abort) host.tell({ kind: 'profile', profile });
                return 'done';
            } catch (reason) {
                if (counting !== abort || abort.signal.aborted) return 'nothing to do';
                const message = host.wordsOf(reason);
                host.tell({ kind: 'unprofiled', column, message });
                host.failed?.(`${source.name}.${column}`, message);
                return 'failed';
            }
        },
        get isReading() {
            return reading !== undefined;
        },
        hold(password) {
            held = password;
        },
        stop: () => reading?.abort(),
        leaveProfile: () => counting?.abort(),
        close() {
            reading?.abort();
            counting?.abort();
            reading = undefined;
            counting = undefined;
        },
    };
}
