import type { Predicate } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import type { Database } from '../contracts/database.ts';

/** Rows whose values tell of which kind a column is, where its type does not. */
const LOOKED_AT = 100;

/** Whether the values of one column could stand in another: both hold whole numbers, or others, or texts, or dates. */
export function areOfOneKind(database: Database, predicate: Predicate, first: number, second: number): boolean {
    const [one, other] = [first, second].map(column => predicate.columns[column]?.type.kind);
    if (one !== other && (one === 'double' || other === 'double')) return false;
    const [left, right] = [first, second].map(column => kindsOf(database, predicate, column)) as [ReadonlySet<string>, ReadonlySet<string>];
    return left.size === 0 || right.size === 0 || [...left].some(kind => right.has(kind));
}

/** Whether a column could hold values of a type; true where nothing tells. */
export function mayHold(database: Database, predicate: Predicate, column: number, type: Type | undefined): boolean {
    const kind = type && kindOfType(type);
    const kinds = kindsOf(database, predicate, column);
    return kind === undefined || kinds.size === 0 || kinds.has(kind);
}

function kindsOf({ dictionary, relation }: Database, { key, columns }: Predicate, column: number): ReadonlySet<string> {
    const typed = columns[column] && kindOfType(columns[column].type);
    if (typed !== undefined) return new Set([typed]);
    const rows = relation(key);
    const ids = rows?.columns[column]?.subarray(0, Math.min(rows.count, LOOKED_AT)) ?? [];
    return new Set([...ids].map(id => dictionary.kind(id)).filter(kind => kind !== 'null'));
}

function kindOfType({ kind }: Type): string | undefined {
    switch (kind) {
        case 'int':
        case 'long':
        case 'double':
            return 'number';
        case 'string':
        case 'boolean':
        case 'date':
        case 'timestamp':
            return kind;
        default:
            return undefined;
    }
}
