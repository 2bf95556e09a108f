import { type NullLabel, textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Type } from '#language/program/types.ts';
import { quotedName, quotedText } from '#server/compute/sql-text.ts';
import type { NamedRows } from './print-json.ts';

/** Rows of one statement. */
const ROWS = 500;

/**
 * Writes rows as `INSERT` statements for a table that has the name of the output and its columns, in standard SQL: dates and collections, which are
 * JSON, are texts that a column of their type takes; a null of either kind is NULL.
 */
export function printSql(rows: NamedRows, limit: number, label: NullLabel, print: (text: string) => void): void {
    const { name, dictionary, columns, at } = rows;
    const count = Math.min(rows.count, limit);
    const head = `INSERT INTO ${quotedName(name)} (${columns.map(column => quotedName(column.name)).join(', ')}) VALUES\n`;
    const value = (id: ValueId, type: Type): string => {
        switch (dictionary.kind(id)) {
            case 'null':
                return 'NULL';
            case 'number':
                return textOf(dictionary, id, type, label);
            case 'boolean':
                return textOf(dictionary, id, type, label).toUpperCase();
            default:
                return quotedText(textOf(dictionary, id, type, label));
        }
    };
    for (let row = 0; row < count; row++) {
        const isLast = row === count - 1 || row % ROWS === ROWS - 1;
        const values = columns.map(({ type }, column) => value(at(row, column), type)).join(', ');
        print(`${row % ROWS === 0 ? head : ''}    (${values})${isLast ? ';\n' : ',\n'}`);
    }
}
