import type { FunctionEntry } from './function-entry.ts';
import { CAST_FUNCTIONS } from './functions/casts.ts';
import { COLLECTION_FUNCTIONS } from './functions/collections.ts';
import { DATE_FUNCTIONS } from './functions/dates.ts';
import { INTERVAL_FUNCTIONS, LOGICAL_FUNCTIONS } from './functions/logic.ts';
import { MATH_FUNCTIONS } from './functions/mathematics.ts';
import { PROVIDER_FUNCTIONS } from './functions/models.ts';
import { NULL_FUNCTIONS } from './functions/nulls.ts';
import { SIMILARITY_FUNCTIONS } from './functions/similarity.ts';
import { STRING_FUNCTIONS } from './functions/strings.ts';
import { STRUCT_FUNCTIONS } from './functions/structs.ts';

export interface FunctionFamily {
    readonly title: string;
    readonly functions: readonly FunctionEntry[];
}

export const FUNCTION_FAMILIES: readonly FunctionFamily[] = [
    { title: 'Strings', functions: STRING_FUNCTIONS },
    { title: 'Numbers', functions: MATH_FUNCTIONS },
    { title: 'Logic', functions: LOGICAL_FUNCTIONS },
    { title: 'Intervals', functions: INTERVAL_FUNCTIONS },
    { title: 'Unknown values', functions: NULL_FUNCTIONS },
    { title: 'Conversions', functions: CAST_FUNCTIONS },
    { title: 'Structs, identities, hashes', functions: STRUCT_FUNCTIONS },
    { title: 'Collections', functions: COLLECTION_FUNCTIONS },
    { title: 'Dates and times', functions: DATE_FUNCTIONS },
    { title: 'Similarity', functions: SIMILARITY_FUNCTIONS },
    { title: 'Models and other providers', functions: PROVIDER_FUNCTIONS },
];

/** Every built-in function, by family. */
export const FUNCTIONS: readonly FunctionEntry[] = FUNCTION_FAMILIES.flatMap(({ functions }) => functions);

/** Prefixes that `@library` declares, without their colon, and the libraries they stand for. */
export type LibraryPrefixes = ReadonlyMap<string, string>;

/** Spellings that older programs use, and the names that replace them (6.11, 6.13). */
const LEGACY_NAMES: ReadonlySet<string> = new Set([
    'containsAll',
    'collections:containsAll',
    'subList',
    'collections:subList',
    'asList',
    'asSet',
    'nullManagement:isnull',
    'embeddings:cosine_sim',
    'embeddings:cosine_sim_udf',
]);

const BY_NAME: ReadonlyMap<string, FunctionEntry> = new Map(
    FUNCTIONS.flatMap(entry => [
        ...[entry.name, ...entry.aliases].map(name => [name, entry] as const),
        ...(STRING_FUNCTIONS.includes(entry) ? [entry.name, ...entry.aliases].map(name => [`string:${name}`, entry] as const) : []),
    ]),
);

const NO_PREFIXES: LibraryPrefixes = new Map();

/** The function that a call names: by its own name, an alias, a legacy spelling, `string:NAME` or a declared prefix. */
export function functionNamed(name: string, prefixes: LibraryPrefixes = NO_PREFIXES): FunctionEntry | undefined {
    const colon = name.indexOf(':');
    const library = colon < 0 ? undefined : prefixes.get(name.slice(0, colon));
    if (library === undefined) return BY_NAME.get(name);
    return BY_NAME.get(`${library === 'hashCode' ? 'hash' : library}:${name.slice(colon + 1)}`);
}

/** True for `string:NAME`, which means the same without its namespace. */
export function isPrefixedName(name: string, prefixes: LibraryPrefixes): boolean {
    return name.startsWith('string:') && !prefixes.has('string');
}

/** The libraries that `@library` may name (6.13). */
export const LIBRARIES: readonly string[] = [
    'math',
    'collections',
    'hash',
    'hashCode',
    'date',
    'similarity',
    'nullManagement',
    'string',
    'monotonic',
];

/** The namespaces that functions have without any declaration. */
export const NAMESPACES: ReadonlySet<string> = new Set(
    [...BY_NAME.keys()].flatMap(name => (name.includes(':') ? [name.slice(0, name.indexOf(':'))] : [])),
);

/** True for a spelling that still works and has a newer one. */
export function isLegacyName(name: string): boolean {
    return LEGACY_NAMES.has(name);
}

/** Every name a call may use, for completion and nearest names. */
export function functionNames(): Iterable<string> {
    return BY_NAME.keys();
}
