import { connectSource } from '#extension/sources/connecting.ts';
import type { Source } from '#extension/sources/source.ts';
import { databaseOf } from '#extension/sources/source-place.ts';
import { createSourceReader } from '#extension/sources/source-reader.ts';
import type { Given } from '#extension/surfaces/given.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { briefly } from '#extension/surfaces/platform/failure.ts';
import { createSourceSurface } from '#extension/surfaces/source/source-surface.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { openFormSheet } from './form-sheet.ts';
import { loginFields } from './login-fields.ts';
import { savePicture } from './saved-file.ts';
import { scopeOf } from './scope.ts';

export interface SourceViewEvents {
    announce(text: string): void;
    ask?: (given: Given) => void;
}

/** The first rows of a table, which are read while somebody looks at them. */
export interface SourceView {
    readonly root: HTMLElement;
    /** Reads the rows, and counts what a column holds. */
    read(column?: string): void;
    key(event: KeyboardEvent): boolean;
    close(): void;
}

export function sourceView(client: PlatformClient, source: Source, { announce, ask }: SourceViewEvents): SourceView {
    const reader = createSourceReader({
        tell: message => surface.show(message),
        // What a page knows of passwords is gone with it: the services know them, or are told one again.
        password: async () => undefined,
        wordsOf: reason => (reason instanceof PlatformError && reason.status !== 401 ? reason.message : briefly(reason)),
    });
    const read = (): void => void reader.read(client, source);
    const login = (): void =>
        openFormSheet({
            title: l10n.t('Read {0}', source.name),
            fields: () => loginFields(),
            label: l10n.t('Read'),
            async act({ username = '', password = '', keeps = '' }, signal) {
                const database = databaseOf([source], { username, password });
                const { fault } = await connectSource(client, database, { keeps: keeps !== '', scope: scopeOf(source.scope) }, signal);
                if (fault !== undefined) return fault;
                reader.hold(keeps === '' ? password : undefined);
                read();
                return undefined;
            },
        });
    const surface = createSourceSurface({
        announce,
        again: read,
        stop: () => reader.stop(),
        login,
        profile: column => void reader.profile(client, source, column),
        leaveProfile: () => reader.leaveProfile(),
        ask,
        savePicture,
    });
    return {
        root: surface.root,
        read(column) {
            read();
            if (column !== undefined) void reader.profile(client, source, column);
        },
        key: event => surface.key(event),
        close() {
            reader.close();
            surface.leave();
        },
    };
}
