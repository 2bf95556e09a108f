import type { OutputColumn } from '#server/protocol/runs.ts';

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
    ['int', 'INT'],
    ['long', 'INT'],
    ['double', 'DOUBLE'],
    ['float', 'DOUBLE'],
    ['string', 'STRING'],
    ['json', 'STRING'],
    ['boolean', 'BOOLEAN'],
    ['date', 'DATE'],
    ['timestamp', 'DATETIME'],
    ['list', 'LIST'],
    ['set', 'SET'],
    ['struct', 'STRUCT'],
    ['map', 'STRUCT'],
    ['unknown', 'NULL'],
]);

/** The types of columns as answers call them. */
export function apiTypes(columns: readonly Pick<OutputColumn, 'type'>[]): string[] {
    return columns.map(({ type }) => apiTypeOf(type));
}

/** A printed type as answers call it, by its first word: `list<int>` is a list. */
export function apiTypeOf(type: string): string {
    return TYPE_NAMES.get(/^\w+/u.exec(type)?.[0] ?? '') ?? 'UNKNOWN';
}
