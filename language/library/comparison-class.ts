import type { Type } from '#language/program/types.ts';

/** Values of one class can be compared with each other (3.4). */
export type ComparisonClass = 'number' | 'string' | 'boolean' | 'time' | 'list' | 'set' | 'map' | 'struct';

/** The class of all known values of a type; undefined where they are of no class or of several. */
export function comparisonClass({ kind }: Type): ComparisonClass | undefined {
    switch (kind) {
        case 'int':
        case 'long':
        case 'double':
        case 'float':
            return 'number';
        case 'string':
        case 'json':
            return 'string';
        case 'date':
        case 'timestamp':
            return 'time';
        case 'boolean':
        case 'list':
        case 'set':
        case 'map':
        case 'struct':
            return kind;
        case 'unknown':
        case 'mixed':
            return undefined;
    }
}
