import { printString } from '#language/program/print-constant.ts';
import type { ColumnType } from './file-columns.ts';
import { predicateName, uniqueName, variableName } from './program-names.ts';

/** A table, file or sheet that a program can read. */
export interface FoundTable {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
    /** The bind annotation that reads it into a predicate. */
    readonly bind: (predicate: string) => string;
}

const MODEL_TYPES: Readonly<Record<ColumnType, string>> = {
    INT: 'int',
    DOUBLE: 'double',
    STRING: 'string',
    BOOLEAN: 'boolean',
    DATE: 'date',
    DATETIME: 'datetime',
    LIST: 'list',
    STRUCT: 'string',
};

/** The program that reads these tables, in the layout of D55: one block for each, by name. Tables without columns have none. */
export function inferredProgram(tables: readonly FoundTable[], { addBind, addModel }: { addBind: boolean; addModel: boolean }): string {
    const taken = new Set<string>();
    const sorted = tables.filter(({ columns }) => columns.length > 0).sort((a, b) => (a.name < b.name ? -1 : 1));
    const blocks = sorted.map(({ name, columns, bind }) => {
        const predicate = uniqueName(predicateName(name), '_', taken);
        const source = `${predicate}_source`;
        const fields = new Set<string>();
        const items = columns.map(({ name, type }) => `'${uniqueName(modelName(name), '_', fields)}:${MODEL_TYPES[type]}'`);
        const variables = variableNames(columns.map(column => column.name)).join(',');
        return [
            ...(addBind ? [bind(source)] : []),
            ...(addModel ? [`@model(${printString(predicate)},${printString(`[${items.join(',')}]`)}).`] : []),
            `${predicate}(${variables}) :- ${source}(${variables}).`,
        ].join('\n');
    });
    return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}

/** One for each column, in order; each name once. */
function variableNames(names: readonly string[]): string[] {
    const taken = new Set<string>();
    return names.map(name => uniqueName(variableName(name), '', taken));
}

/** A column as a field of a model, whose name some signs would end. */
function modelName(column: string): string {
    return column.replaceAll(/[:'([\r\n]/gu, '_');
}
