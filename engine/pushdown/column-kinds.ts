import type { Type } from '#language/program/types.ts';
import type { ColumnKind } from '../contracts/compute.ts';

const KINDS: ReadonlySet<string> = new Set<ColumnKind>(['int', 'long', 'double', 'string', 'boolean', 'date', 'timestamp']);

/** The kind of columns with values of a type; undefined where engines have none. */
export function kindOf({ kind }: Type): ColumnKind | undefined {
    return KINDS.has(kind) ? (kind as ColumnKind) : undefined;
}

export function isNumber(kind: ColumnKind): boolean {
    return kind === 'double' || isInteger(kind);
}

export function isInteger(kind: ColumnKind): boolean {
    return kind === 'int' || kind === 'long';
}
