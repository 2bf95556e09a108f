import { l10n, ProgressLocation, window } from 'vscode';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import type { Scope } from '#extension/projects/projects.ts';
import { connectSource, forgetPasswords } from '#extension/sources/connecting.ts';
import type { Database, Source } from '#extension/sources/source.ts';
import { isFileType } from '#extension/sources/source-kinds.ts';
import { databaseOf } from '#extension/sources/source-place.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { askLogin, askPassword, type Login } from './connect-dialog.ts';
import type { KeptLogins } from './kept-logins.ts';

const NOT_FOUND = 404;

/** Connects sources, and knows what opens them. */
export interface SourceLogins {
    /** Connects a source; says why it cannot be. A password that is not kept is not left with the services either. */
    connect(connection: Connection, database: Database, keeps: boolean, scope?: Scope): Promise<string | undefined>;
    once(connection: Connection, source: Source): Promise<string | null | undefined>;
    renew(connection: Connection, source: Source): Promise<{ readonly once?: string } | undefined>;
    /** Sources of one place, and what opens them; nothing where the user leaves. `use` tells whether that was right. */
    withLogin<T>(
        connection: Connection,
        sources: readonly Source[],
        title: string,
        use: (database: Database) => Promise<T>,
    ): Promise<T | undefined>;
    /** From now on the password of a place is asked for each time. */
    forgetPassword(connection: Connection, sources: readonly Source[]): Promise<void>;
    remove(connection: Connection, source: Source): Promise<void>;
}

export function createSourceLogins(kept: KeptLogins): SourceLogins {
    const connect: SourceLogins['connect'] = async (connection, database, keeps, scope) => {
        const place = database.host === '' ? database.databaseName : `${database.databaseName} · ${database.host}`;
        const progress = { location: ProgressLocation.Notification, title: l10n.t('Connecting {0}', place), cancellable: true };
        try {
            const { sources, fault } = await window.withProgress(progress, (_, stopped) => {
                const abort = new AbortController();
                stopped.onCancellationRequested(() => abort.abort(new Error(l10n.t('connecting was stopped'))));
                return connectSource(connection.client, database, { keeps, ...(scope && { scope }) }, abort.signal);
            });
            if (fault !== undefined) return fault;
            const [first] = sources;
            if (!isFileType(database.databaseType) && first !== undefined) {
                const { username, password } = database;
                await kept.keep(connection, first, keeps ? { username, password } : { username });
            }
            const names = sources.map(({ name }) => name);
            window.setStatusBarMessage(`$(check) ${l10n.t('Connected: {0}', names.slice(0, 5).join(', '))}`, 5_000);
            return undefined;
        } catch (reason) {
            return failureText(reason);
        }
    };
    return {
        connect,
        async once(connection, source) {
            const known = await kept.of(connection, source);
            // Of a source that was connected elsewhere, the services know the password.
            if (known === undefined || known.password !== undefined) return undefined;
            return (await askPassword(l10n.t('Read {0}', source.name), known.username)) ?? null;
        },
        async renew(connection, source) {
            const known = await kept.of(connection, source);
            const login = await askLogin(l10n.t('Read {0}', source.name), known?.username);
            if (login === undefined) return undefined;
            const fault = await connect(connection, databaseOf([source], login), login.keeps, source.scope as Scope);
            if (fault === undefined) return login.keeps ? {} : { once: login.password };
            void window.showErrorMessage(l10n.t('{0} cannot be connected: {1}', source.database_name, fault));
            return undefined;
        },
        async withLogin(connection, sources, title, use) {
            const [first, ...others] = sources;
            if (first === undefined) return undefined;
            if (isFileType(first.database_type)) return use(databaseOf([first, ...others], { username: '', password: '' }));
            const known = await kept.of(connection, first);
            const login = await loginFor(title, known);
            if (login === undefined) return undefined;
            const done = await use(databaseOf([first, ...others], login));
            if (login.keeps) await kept.keep(connection, first, { username: login.username, password: login.password });
            return done;
        },
        async forgetPassword(connection, sources) {
            const [first] = sources;
            if (first === undefined) return;
            const known = await kept.of(connection, first);
            if (known !== undefined) await kept.keep(connection, first, { username: known.username });
            try {
                await forgetPasswords(connection.client, sources);
            } catch (reason) {
                if (!(reason instanceof PlatformError) || reason.status !== NOT_FOUND) throw reason;
                throw new Error(
                    l10n.t(
                        'The password is gone from this computer. The services at {0} keep theirs: forget the source to remove it there.',
                        connection.address,
                    ),
                );
            }
        },
        remove: (connection, source) => kept.remove(connection, source),
    };
}

/** What is known, or what the user says; what is known already is not kept anew. */
async function loginFor(
    title: string,
    known: { readonly username: string; readonly password?: string } | undefined,
): Promise<Login | undefined> {
    if (known?.password !== undefined) return { username: known.username, password: known.password, keeps: false };
    if (known === undefined) return askLogin(title);
    const password = await askPassword(title, known.username);
    return password === undefined ? undefined : { username: known.username, password, keeps: false };
}
