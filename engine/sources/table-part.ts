import { append } from '#language/program/append.ts';
import { byCodePoint } from '#language/program/by-code-point.ts';
import { say } from '#language/program/say.ts';
import { join, sameType, type Type, UNKNOWN } from '#language/program/types.ts';
import { stop } from '../reports/reports.ts';
import { castText } from '../values/cast.ts';
import type { ValueId } from '../values/value-id.ts';
import type { ColumnPlan, ColumnRequest } from './column-plan.ts';
import type { RowFaults } from './row-faults.ts';
import type { RowTarget } from './source.ts';

/** Values in the names of folders such as `year=2031`, by the part before the sign; undefined for an unknown value. */
export type FolderValues = ReadonlyMap<string, string | undefined>;

/** The columns of a table that lies in many files: those of the files first, then those that folders stand for. */
export interface TableColumns {
    readonly names: readonly string[];
    /** Undefined where the files do not say, or the language has no such values. */
    readonly types: readonly (Type | undefined)[];
    /** How many of them are in the files. */
    readonly stored: number;
}

/** One of the many files of a table. */
export interface TablePart {
    readonly table: TableColumns;
    /** The column of the predicate for each column of the table. */
    readonly plan: ColumnPlan;
    readonly folders: FolderValues;
    /** Of the whole table. */
    readonly faults: RowFaults;
}

/** The columns of one of the files. */
export interface FileColumns {
    readonly names: readonly string[];
    readonly types: readonly (Type | undefined)[];
    readonly folders: FolderValues;
}

/**
 * The columns of a table, from those of its files: of the first, or of all in ascending order of their names. A column that a folder stands for is none of the files.
 * With `areTexts` folders stand for texts, otherwise for numbers or dates where all their values read as such.
 */
export function tableColumns(
    files: readonly FileColumns[],
    { ofAll, areTexts }: { readonly ofAll: boolean; readonly areTexts: boolean },
): TableColumns {
    const folders = new Map<string, (string | undefined)[]>();
    for (const file of files) for (const [name, text] of file.folders) append(folders, name, text);
    const types = new Map<string, Type | undefined>();
    for (const [i, file] of files.entries()) {
        for (const [at, name] of file.names.entries()) {
            const type = file.types[at];
            if (types.has(name)) types.set(name, joined(types.get(name), type));
            else if (i === 0 || ofAll) types.set(name, type);
        }
    }
    const [first] = files;
    const stored = (ofAll ? [...types.keys()].sort(byCodePoint) : (first?.names ?? [])).filter(name => !folders.has(name));
    return {
        names: [...stored, ...folders.keys()],
        types: [
            ...stored.map(name => types.get(name)),
            ...Array.from(folders.values(), texts => (areTexts ? undefined : folderType(texts))),
        ],
        stored: stored.length,
    };
}

function joined(left: Type | undefined, right: Type | undefined): Type | undefined {
    return left === undefined || right === undefined ? undefined : sameType(left, right) ? left : join(left, right);
}

function folderType(texts: readonly (string | undefined)[]): Type {
    const given = texts.filter(text => text !== undefined);
    if (given.length === 0) return UNKNOWN;
    if (given.every(text => /^-?(?:0|[1-9]\d{0,17})$/u.test(text))) return { kind: given.every(fitsInt) ? 'int' : 'long' };
    return { kind: given.every(text => /^\d{4}-\d\d-\d\d$/u.test(text)) ? 'date' : 'string' };
}

function fitsInt(text: string): boolean {
    return (Number(text) | 0) === Number(text);
}

/**
 * Plans the cells of one file's records: columns are found by their names if its header differs from the table's. Columns of folders are
 * absent.
 */
export function partPlan({ table, plan }: TablePart, header: readonly string[] | undefined, request: ColumnRequest): ColumnPlan {
    const { names, stored } = table;
    const isSame = header === undefined || (header.length === stored && header.every((name, at) => name === names[at]));
    if (isSame && stored === names.length) return plan;
    const found: (readonly [number, number])[] = [];
    const absent = [...plan.absent];
    for (const [source, at] of plan.targets.entries()) {
        if (at < 0) continue;
        if (source >= stored) absent.push(at);
        else found.push([isSame ? source : columnIn(header, table, source, request), at]);
    }
    const targets = new Int32Array(Math.max(0, ...found.map(([source]) => source + 1))).fill(-1);
    for (const [source, at] of found) targets[source] = at;
    const ofFolders = Math.max(0, Math.min(plan.expected, names.length) - stored);
    return { ...plan, targets, absent, expected: isSame ? plan.expected - ofFolders : header.length };
}

/** Finds a column of the table in a file. RT064 if the file has none or two of the name. */
export function columnIn(
    header: readonly string[],
    { names }: TableColumns,
    source: number,
    { file, context = {} }: ColumnRequest,
): number {
    const name = names[source] ?? '';
    const at = header.indexOf(name);
    const refuse = (reason: string): never => stop('RT064', { ...context, source: { file } }, file, reason);
    if (at < 0) {
        const shown = header.map(found => `'${found}'`).join(', ');
        refuse(say`has no column '${name}', which the first file of this bind has; its columns are ${shown}`);
    }
    if (header.includes(name, at + 1) || names.indexOf(name) !== names.lastIndexOf(name))
        refuse(say`has other columns than the first file of this bind, and cannot be matched with it by names: two are called '${name}'`);
    return at;
}

/**
 * Returns the values of columns that no column of the file fills: from its folders, read as the type of the column, else an unknown value.
 */
export function partFill(
    { table, plan, folders, faults }: TablePart,
    { dictionary, columns }: RowTarget,
    nullFor: (column: number) => ValueId,
): (column: number) => ValueId {
    const fills = new Map<number, () => ValueId>();
    for (const [source, at] of plan.targets.entries()) {
        const text = source < table.stored || at < 0 ? undefined : folders.get(table.names[source] ?? '');
        if (text === undefined) continue;
        const column = columns[at];
        const id = castText(dictionary, text, (column?.cast ? column.type : table.types[source]) ?? UNKNOWN);
        fills.set(at, () => {
            if (id === undefined) faults.unreadable(at, 1, () => text);
            return id ?? nullFor(at);
        });
    }
    return column => fills.get(column)?.() ?? nullFor(column);
}
