import type { Listing } from '#engine/results/listing.ts';
import { printsAsInteger } from '#engine/values/text.ts';
import { MIXED, printType, type Type } from '#language/program/types.ts';
import type { OutputColumn, OutputSummary } from '#server/protocol/runs.ts';

/** Summarises an output beside its rows. Columns have the types of their values if the program does not declare them. */
export function outputSummary(listing: Listing): OutputSummary {
    const { predicate, name, count, columns } = listing;
    return {
        key: predicate,
        name,
        rows: count,
        columns: columns.map((column, index) => {
            const isOpen = column.type.kind === 'unknown' || column.type.kind === 'mixed';
            const type = isOpen ? typeOfValues(listing, index) : column.type;
            return { name: column.name, type: printType(type), shape: shapeOf(type) };
        }),
    };
}

/** Returns the one type of a column's values other than nulls, if they have one. */
function typeOfValues({ dictionary, count, at }: Listing, column: number): Type {
    let found: Type['kind'] | undefined;
    for (let row = 0; row < count; row++) {
        const id = at(row, column);
        const kind = dictionary.kind(id);
        if (kind === 'null') continue;
        const type = kind !== 'number' ? kind : printsAsInteger(dictionary, id, MIXED) ? 'long' : 'double';
        if (found !== undefined && found !== type) return { kind: 'mixed' };
        found = type;
    }
    switch (found) {
        case undefined:
            return count === 0 ? { kind: 'mixed' } : { kind: 'unknown' };
        case 'list':
        case 'set':
            return { kind: found, element: { kind: 'mixed' } };
        case 'map':
            return { kind: 'map', key: { kind: 'mixed' }, value: { kind: 'mixed' } };
        case 'struct':
            return { kind: 'struct' };
        default:
            return { kind: found };
    }
}

function shapeOf(type: Type): OutputColumn['shape'] {
    switch (type.kind) {
        case 'int':
        case 'long':
        case 'double':
        case 'float':
            return 'number';
        case 'boolean':
            return 'boolean';
        case 'date':
        case 'timestamp':
            return 'time';
        case 'list':
        case 'set':
        case 'map':
        case 'struct':
            return 'collection';
        case 'string':
        case 'json':
        case 'unknown':
        case 'mixed':
            return 'text';
    }
}
