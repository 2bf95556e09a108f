import { describe, expect, test } from 'vitest';
import { readRowOrder } from '#server/projects/row-order.ts';

const COLUMNS = ['City', 'city', 'Size', 'a:b'];
const key = (column: number, descending = false) => ({ column, descending });

describe('orders of rows', () => {
    test.each([
        ['0', [key(0)]],
        ['2:desc', [key(2, true)]],
        ['1:desc,0', [key(1, true), key(0)]],
        [' Size : desc , city:asc ', [key(2, true), key(1)]],
        ['city', [key(1)]],
        ['City', [key(0)]],
        ['CITY', [key(0)]],
        ['size', [key(2)]],
        ['a:b', [key(3)]],
        ['a:b:desc', [key(3, true)]],
        ['0,0:desc', [key(0), key(0, true)]],
    ])("'%s'", (text, keys) => {
        expect(readRowOrder(text, COLUMNS)).toEqual({ ok: true, keys });
    });

    test.each([
        ['', 'a column is missing'],
        ['0,', 'a column is missing'],
        [':desc', 'a column is missing'],
        ['nope', "there is no column 'nope'"],
        ['4', "there is no column '4'"],
        ['-1', "there is no column '-1'"],
        ['0:down', "there is no column '0:down'"],
        ['0:DESC', "there is no column '0:DESC'"],
    ])("'%s' is none", (text, reason) => {
        expect(readRowOrder(text, COLUMNS)).toEqual({ ok: false, reason });
    });

    test('a number beyond the columns may be a name', () => {
        expect(readRowOrder('2024', ['a', '2024'])).toEqual({ ok: true, keys: [key(1)] });
    });
});
