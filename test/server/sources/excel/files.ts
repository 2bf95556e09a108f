import { join } from 'node:path';
import { expect } from 'vitest';
import type { OutputRows } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { runConnectors } from '#server/sources/connectors.ts';
import { reportOf, rowsOf } from '../../../support/describe-source.ts';

export function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}

export function bindTo(options = '', file = 'x.xlsx'): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "excel ${options}", "", "${file}").`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

export const columnsOf = (...types: readonly Type['kind'][]): Column[] =>
    types.map((kind, i) => ({ name: `c${i}`, type: { kind } as Type, cast: kind !== 'mixed' }));

export function mixed(count: number): Column[] {
    return columnsOf(...Array.from({ length: count }, () => 'mixed' as const));
}

/** The rows that a bind gives, as text. */
export async function rowsIn(folder: string, bind: Bind, columns: readonly Column[]): Promise<readonly string[]> {
    return (await rowsOf(bind, accessTo(folder), () => undefined, columns)).rows;
}

/** What is said of a workbook that cannot be read. */
export async function saidOf(folder: string, bind: Bind, columns: readonly Column[] = mixed(2)): Promise<string> {
    const report = await reportOf(() => rowsOf(bind, accessTo(folder), () => undefined, columns));
    return `${report?.code ?? 'fine'} ${report?.message ?? ''}`;
}

export function outputOf(columns: readonly Column[], rows: readonly ((dictionary: Dictionary) => readonly ValueId[])[]): OutputRows {
    const dictionary = new Dictionary();
    const ids = rows.map(row => row(dictionary));
    return { dictionary, columns, count: rows.length, at: (row, column) => ids[row]?.[column] ?? expect.fail('no value') };
}

/** One row of numbers. */
export function numbers(...values: readonly number[]): OutputRows {
    return outputOf(mixed(values.length), [dictionary => values.map(value => dictionary.number(value))]);
}

/** Writes what each bind has as one run does. */
export async function write(folder: string, ...binds: readonly (readonly [Bind, OutputRows])[]): Promise<void> {
    const connectors = runConnectors(accessTo(folder));
    const sinks = binds.map(([bind]) => connectors.sink(bind) ?? expect.fail('no sink'));
    try {
        for (const [i, [, rows]] of binds.entries()) await sinks[i]?.write(rows, () => undefined);
        for (const sink of sinks) await sink.commit();
    } catch (error) {
        for (const sink of sinks) await sink.discard();
        throw error;
    }
}
