import { hasWords } from '#extension/surfaces/search-words.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import type { Source } from './source.ts';

/** A database or a file, and how many sources it has. */
export type SourceDatabase = Awaited<ReturnType<PlatformClient['listDatabases']>>[number];

/** Where sources are. */
export type SourcePlace = Pick<Source, 'database_type' | 'host' | 'port' | 'database_name'>;

const SCOPES = ['user', 'organization'] as const;
const NOT_FOUND = 404;

/** The databases of sources that have all words in their name or in that of their database. */
export async function listDatabases(client: PlatformClient, words: readonly string[]): Promise<readonly SourceDatabase[]> {
    const query = words.length === 0 ? {} : { words: words.join(' ') };
    const listed = SCOPES.map(async scope => {
        try {
            return await client.listDatabases({ query: { scope, ...query } });
        } catch (reason) {
            // Services of others may list nothing but sources.
            if (!(reason instanceof PlatformError) || reason.status !== NOT_FOUND) throw reason;
            return databasesOf((await client.listSources({ query: { scope } })).filter(source => mentions(source, words)));
        }
    });
    return (await Promise.all(listed)).flat();
}

/** The sources of a place, or of all of them, that have all words; of all scopes where none is said. */
export async function listSources(
    client: PlatformClient,
    words: readonly string[],
    place?: SourcePlace & { readonly scope?: string },
): Promise<readonly Source[]> {
    const at = place && { database_type: place.database_type, host: place.host, port: place.port ?? 0, database_name: place.database_name };
    const query = { ...at, ...(words.length > 0 && { words: words.join(' ') }) };
    const scopes = SCOPES.filter(scope => place?.scope === undefined || scope === place.scope);
    const listed = await Promise.all(scopes.map(scope => client.listSources({ query: { scope, ...query } })));
    // Services of others list all sources, whatever they are asked for.
    return listed.flat().filter(source => (place === undefined || placeOf(source) === placeOf(place)) && mentions(source, words));
}

/** The same for all sources of one place, and for no others. */
export function placeOf({ database_type, host, port, database_name }: SourcePlace): string {
    return JSON.stringify([database_type, host, port ?? 0, database_name]);
}

function mentions({ name, database_name }: Source, words: readonly string[]): boolean {
    return hasWords(words, name, database_name);
}

function databasesOf(sources: readonly Source[]): SourceDatabase[] {
    const found = new Map<string, SourceDatabase>();
    for (const source of sources) {
        const { scope, type, database_type, host, port, database_name } = source;
        const before = found.get(placeOf(source)) ?? { scope, type, database_type, host, port, database_name, sources: 0 };
        found.set(placeOf(source), { ...before, sources: before.sources + 1 });
    }
    return [...found.values()];
}
