import type { CellForm, Field } from './session.ts';

type Kind = Exclude<CellForm['kind'], 'array'>;

/** The names and forms of types by their numbers: https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html. */
export const TYPES: ReadonlyMap<number, readonly [name: string, kind: Kind]> = new Map([
    [0, ['decimal', 'decimal']],
    [1, ['tinyint', 'integer']],
    [2, ['smallint', 'integer']],
    [3, ['int', 'integer']],
    [4, ['float', 'decimal']],
    [5, ['double', 'decimal']],
    [7, ['timestamp', 'timestamp']],
    [8, ['bigint', 'integer']],
    [9, ['mediumint', 'integer']],
    [10, ['date', 'date']],
    [11, ['time', 'text']],
    [12, ['datetime', 'timestamp']],
    [13, ['year', 'integer']],
    [14, ['date', 'date']],
    [16, ['bit', 'integer']],
    [242, ['vector', 'none']],
    [245, ['json', 'json']],
    [246, ['decimal', 'decimal']],
    [255, ['geometry', 'none']],
]);

const KINDS: ReadonlyMap<string, Kind> = new Map(TYPES.values());
/** Bytes and shapes, whose numbers are those of other types. */
const WITHOUT_VALUES = /binary$|blob$|point$|linestring$|polygon$|collection$/u;

/** A column whose type is written as tables declare it: `int(10) unsigned`. */
export function declaredField(name: string, declared: string): Field {
    const type = /^[a-z0-9]+/u.exec(declared)?.[0] ?? '';
    if (declared === 'tinyint(1)' || declared === 'bit(1)') return { name, sqlType: 'boolean', form: { kind: 'boolean' } };
    if (/^decimal\(\d+,0\)/u.test(declared)) return { name, sqlType: declared, form: { kind: 'integer' } };
    return { name, sqlType: declared, form: { kind: WITHOUT_VALUES.test(type) ? 'none' : (KINDS.get(type) ?? 'text') } };
}
