import { describe, expect, it } from 'vitest';
import { build } from '../../support/expression-harness.ts';
import { fc } from '../../support/fast-check.ts';
import { checkCalls, textOfCall } from './check-calls.ts';

const { integer, double, string, missing, list, set } = build;

const items = list(integer(3), integer(1), integer(3));
const integers = (...numbers: number[]) => list(...numbers.map(integer));

describe('collections', () => {
    checkCalls([
        ['collections:contains_all', [items, set(integer(1), integer(3))], '#T'],
        ['collections:contains_all', [items, integers(1, 2)], '#F'],
        ['collections:contains_all', [set(), set()], '#T'],
        ['collections:contains_all', [items, list(missing())], '#F'],
        ['collections:contains_all', [missing(), items], 'null'],
        ['containsAll', [items, list(double(1))], '#T'],
        ['collections:remove', [items, integer(3)], '[1]'],
        ['collections:remove', [items, integer(7)], '[3,1,3]'],
        ['collections:remove', [set(integer(2), integer(1)), integer(1)], '{2}'],
        ['collections:remove', [items, missing()], '[3,1,3]'],
        ['collections:remove', [missing(), integer(3)], 'null'],
        ['collections:remove_nulls', [list(missing(), integer(1), missing(), integer(1))], '[1,1]'],
        ['collections:remove_nulls', [set(missing())], '{}'],
        ['collections:shuffle', [list()], '[]'],
        ['collections:shuffle', [missing()], 'null'],
        ['collections:shuffle', [set(integer(1))], 'null', ['RT024']],
        ['collections:flatten', [list(integers(1, 2), integer(3), list(integers(4)), missing(), set(integer(5)))], '[1,2,3,[4],null,{5}]'],
        ['collections:flatten', [list()], '[]'],
        ['collections:slice', [integers(1, 2, 3, 4), integer(2), integer(2)], '[2,3]'],
        ['collections:slice', [integers(1, 2, 3, 4), integer(-2), integer(9)], '[3,4]'],
        ['collections:slice', [integers(1, 2), integer(0), integer(1)], '[]'],
        ['collections:slice', [integers(1, 2), integer(3), integer(1)], '[]'],
        ['collections:slice', [integers(1, 2), integer(-3), integer(1)], '[]'],
        ['collections:slice', [integers(1, 2), integer(1), integer(0)], '[]'],
        ['collections:slice', [integers(1, 2), integer(1), integer(-1)], '[]'],
        ['collections:slice', [integers(1, 2), integer(1), integer(9223372036854775807n)], '[1,2]'],
        ['subList', [integers(1, 2, 3), integer(1), integer(2)], '[1,2]'],
        ['collections:sub_array', [integers(1, 2, 3), integer(2)], '[1,2]'],
        ['collections:sub_array', [integers(1, 2), integer(5)], '[1,2]'],
        ['collections:sub_array', [integers(1, 2), integer(0)], '[]'],
        ['collections:sub_array', [integers(1, 2), integer(-1)], '[]'],
        ['collections:sub_array', [set(integer(1)), integer(1)], 'null', ['RT024']],
    ]);

    it('shuffle keeps the elements', () => {
        fc.assert(
            fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 8 }), numbers => {
                const shuffled = JSON.parse(textOfCall('collections:shuffle', integers(...numbers))) as number[];
                expect(shuffled.sort()).toEqual([...numbers].sort());
            }),
        );
    });

    it('slice is that of arrays, from 1 and by length', () => {
        fc.assert(
            fc.property(
                fc.array(fc.nat(9), { maxLength: 6 }),
                fc.integer({ min: -8, max: 8 }),
                fc.integer({ min: -2, max: 8 }),
                (numbers, start, length) => {
                    const first = start > 0 ? start - 1 : numbers.length + start;
                    const expected = start === 0 || first < 0 ? [] : numbers.slice(first, first + Math.max(length, 0));
                    const value = textOfCall('collections:slice', integers(...numbers), integer(start), integer(length));
                    expect(JSON.parse(value)).toEqual(expected);
                },
            ),
        );
    });
});

it('strings are found in sets of strings', () => {
    expect(textOfCall('collections:contains_all', set(string('a'), string('ä')), list(string('ä')))).toBe('#T');
});
