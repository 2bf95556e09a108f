import type { Database, Source } from './source.ts';
import { isFileType } from './source-kinds.ts';
import { placeOf, type SourcePlace } from './source-list.ts';

/** Tables of one database, sheets of one workbook, or a file: they stand together. */
export interface PlaceOfSources {
    readonly sources: readonly [Source, ...Source[]];
}

export function hostOf({ host, port }: Pick<SourcePlace, 'host' | 'port'>): string {
    return port === null || port === 0 ? host : `${host}:${port}`;
}

/** Sources by their places, in the order in which they are listed. */
export function byPlace(sources: readonly Source[]): readonly PlaceOfSources[] {
    const places = new Map<string, [Source, ...Source[]]>();
    for (const source of sources) {
        const key = JSON.stringify([source.scope, placeOf(source)]);
        const beside = places.get(key);
        if (beside === undefined) places.set(key, [source]);
        else beside.push(source);
    }
    return Array.from(places.values(), together => ({ sources: together }));
}

/** What leads to the tables of one place. */
export function databaseOf(
    sources: readonly [Source, ...Source[]],
    { username, password }: { readonly username: string; readonly password: string },
): Database {
    const [{ database_type: databaseType, host, port, database_name: databaseName, schema }] = sources;
    return {
        databaseType,
        host,
        databaseName,
        username,
        password,
        ...(port !== null && { port }),
        ...(schema !== null && { schema }),
        ...(!isFileType(databaseType) && { tables: sources.map(({ name }) => name) }),
    };
}
