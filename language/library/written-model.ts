import { printString } from '#language/program/print-constant.ts';
import { uniqueName } from './unique-name.ts';

/** A column as it stands in the text of a `@model`. */
export interface WrittenField {
    readonly name: string;
    readonly type: string;
}

/** A `@model` without its dot, `separator` behind its commas: `@model("emp", "['name:string', 'pay:int']")`. Names are made such as it can hold. */
export function writeModel(predicate: string, fields: readonly WrittenField[], separator = ' '): string {
    const taken = new Set<string>();
    const items = fields.map(({ name, type }) => `'${uniqueName(fieldName(name), '_', taken)}:${type}'`);
    return `@model(${printString(predicate)},${separator}${printString(`[${items.join(`,${separator}`)}]`)})`;
}

/** Some signs would end a field. */
function fieldName(column: string): string {
    return column.replaceAll(/[:'([\r\n]/gu, '_');
}
