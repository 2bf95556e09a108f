import { stop } from '#engine/reports.ts';
import { type ParquetFooter, readParquetFooter } from '#engine/sources/parquet-footer.ts';
import { join, sameType, type Type, UNKNOWN } from '#language/program/types.ts';
import type { OpenedFile } from '#server/files/open-granted.ts';
import { type BoundFile, withFile } from './bound-file.ts';
import type { ParquetPart } from './parquet-parts.ts';

/** All columns of a table, those of the files first, then those that folders stand for. */
export interface ParquetTable {
    readonly names: readonly string[];
    /** Undefined where the language has no such values. */
    readonly types: readonly (Type | undefined)[];
    /** How many of them are in the files. */
    readonly stored: number;
}

export function tableOf(file: BoundFile, parts: readonly ParquetPart[]): ParquetTable {
    const types = new Map<string, Type | undefined>();
    const texts = new Map<string, (string | undefined)[]>();
    for (const [at, part] of parts.entries()) {
        const { columns } = withFile({ ...file, path: part.path }, bytes => footerOf(bytes, file));
        for (const { name, type } of columns) {
            if (at === 0) types.set(name, type);
            else if (types.has(name)) types.set(name, joined(types.get(name), type));
        }
        for (const [name, text] of part.partitions) texts.set(name, [...(texts.get(name) ?? []), text]);
    }
    for (const name of texts.keys()) types.delete(name);
    const folders = [...texts].map(([name, values]) => [name, partitionType(values)] as const);
    return {
        names: [...types.keys(), ...texts.keys()],
        types: [...types.values(), ...folders.map(([, type]) => type)],
        stored: types.size,
    };
}

function joined(left: Type | undefined, right: Type | undefined): Type | undefined {
    return left === undefined || right === undefined ? undefined : sameType(left, right) ? left : join(left, right);
}

/** Values in the names of folders are numbers or dates where all of them read as such. */
function partitionType(values: readonly (string | undefined)[]): Type {
    const given = values.filter(value => value !== undefined);
    if (given.length === 0) return UNKNOWN;
    if (given.every(value => /^-?(?:0|[1-9]\d{0,17})$/u.test(value))) return { kind: given.every(fitsInt) ? 'int' : 'long' };
    return { kind: given.every(value => /^\d{4}-\d\d-\d\d$/u.test(value)) ? 'date' : 'string' };
}

function fitsInt(value: string): boolean {
    return (Number(value) | 0) === Number(value);
}

export function footerOf(bytes: OpenedFile, { shown, access }: BoundFile): ParquetFooter {
    return readParquetFooter(bytes, reason => stop('RT064', { ...access.report, source: { file: shown } }, shown, reason));
}
