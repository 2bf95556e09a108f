import type { PlatformClient } from '#server/client/platform-client.ts';
import type { Database, Source } from './source.ts';
import { isFileType } from './source-kinds.ts';

type Scope = 'user' | 'organization';

/** Connects a source, or says why it cannot be. A password that is not kept is not left with the services either. */
export async function connectSource(
    client: PlatformClient,
    database: Database,
    { keeps, scope = 'user' }: { readonly keeps: boolean; readonly scope?: Scope },
    signal?: AbortSignal,
): Promise<{ readonly sources: readonly Source[]; readonly fault?: string }> {
    const isFile = isFileType(database.databaseType);
    const body = { scope, database, computeRowCount: isFile };
    const { connectionStatus, sources, errorMessage } = await client.connectSource({ body }, signal);
    if (!connectionStatus) return { sources: [], fault: errorMessage ?? '' };
    if (!isFile && !keeps) await forgetPasswords(client, sources);
    return { sources };
}

/** Has the services forget the passwords of sources; those of others may not know how to. */
export async function forgetPasswords(client: PlatformClient, sources: readonly Source[]): Promise<void> {
    for (const scope of ['user', 'organization'] as const) {
        const ids = sources.filter(source => source.scope === scope).map(({ id }) => id);
        if (ids.length > 0) await client.forgetPasswords({ body: { scope, source_ids: ids } });
    }
}
