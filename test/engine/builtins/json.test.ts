import { describe, expect, it } from 'vitest';
import { jsonSource } from '#engine/values/from-json.ts';
import { readJson } from '#engine/values/json.ts';
import { build, ExpressionHarness } from '../../support/expression-harness.ts';
import { fc } from '../../support/fast-check.ts';
import { checkCalls } from './check-calls.ts';

const { integer, double, string, boolean, missing, list, set, date, call } = build;

describe('a JSON text', () => {
    it('is read as JSON.parse reads it', () => {
        fc.assert(
            fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
                const read = readJson(JSON.stringify(value, undefined, indent));
                expect(read && JSON.parse(jsonSource(read))).toEqual(JSON.parse(JSON.stringify(value)));
            }),
        );
    });

    it('is refused where JSON.parse refuses it', () => {
        const noise = fc.string({ unit: fc.constantFrom(...'[]{},:"\\ntrue0123.-eE u \u0001\u007f'), maxLength: 10 });
        fc.assert(
            fc.property(noise, text => {
                let valid = true;
                try {
                    JSON.parse(text);
                } catch {
                    valid = false;
                }
                expect(readJson(text) !== undefined, text).toBe(valid);
            }),
            { numRuns: 2000 },
        );
    });

    it('may be nested 64 deep', () => {
        const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
        expect(readJson(nested(64))).toBeDefined();
        expect(readJson(nested(65))).toBeUndefined();
        expect(readJson(nested(1_000_000))).toBeUndefined();
    });
});

describe('as_json', () => {
    checkCalls([
        ['as_json', [integer(1)], '"1"'],
        ['as_json', [double(1)], '"1.0"'],
        ['as_json', [string('a"b')], '"""a\\\\""b"""'],
        ['as_json', [missing()], '"null"'],
        ['as_json', [boolean(true)], '"true"'],
        ['as_json', [date(0)], '"""1970-01-01"""'],
        ['as_json', [list(integer(1), missing(), list())], '"[1,null,[]]"'],
        ['as_json', [set(string('b'), string('a'))], '"[""a"",""b""]"'],
        ['as_json', [call('struct', string('a'), integer(1), string('b'), missing())], '"{""a"":1,""b"":null}"'],
        ['as_json', [call('collections:map', integer(1), double(2))], '"{""1"":2.0}"'],
    ]);
});

describe('as_list and as_set', () => {
    checkCalls([
        ['as_list', [string('[1, 2, 2]'), string('int')], '[1,2,2]'],
        ['as_list', [string('[1, 2.7, "3"]'), string('integer')], '[1,null,3]', ['RT021']],
        ['as_list', [string('[9007199254740993]'), string('long')], '[9007199254740993]'],
        ['as_list', [string('[1, 2.50]'), string('string')], '["1","2.50"]'],
        ['as_list', [string('["2031-04-09"]'), string('date')], '[2031-04-09]'],
        ['as_list', [string('[null, 1]'), string('int')], '[null,1]'],
        ['as_list', [string('["x", 1]'), string('int')], '[null,1]', ['RT021']],
        ['as_list', [string('[0, 2, true, "no"]'), string('boolean')], '[#F,#T,#T,#F]'],
        ['as_list', [string('[[1],[2,3]]'), string('list<int>')], '[[1],[2,3]]'],
        ['as_list', [string('[{"a":1,"x":9},{"b":"u"}]'), string('a:int, b:string')], '[struct(a=1,b=null),struct(a=null,b="u")]'],
        ['as_list', [string('[]'), string('int')], '[]'],
        ['as_list', [string('{"a":1}'), string('int')], 'null', ['RT021']],
        ['as_list', [string('[1'), string('int')], 'null', ['RT021']],
        ['as_list', [string(''), string('int')], 'null', ['RT021']],
        ['as_list', [string('[1]'), string('whole')], 'null', ['RT024']],
        ['as_list', [string('[1]'), string('a:')], 'null', ['RT024']],
        ['as_list', [string('[1]')], 'null', ['RT024']],
        ['as_list', [set(integer(2), integer(1))], '[1,2]'],
        ['as_list', [missing(), string('int')], 'null'],
        ['as_list', [integer(1)], 'null', ['RT024']],
        ['asList', [list(integer(1))], '[1]'],
        ['as_set', [string('[3, 1, 3]'), string('int')], '{1,3}'],
        ['as_set', [list(integer(3), integer(1), integer(3))], '{1,3}'],
        ['asSet', [set()], '{}'],
    ]);

    it('give each gap an unknown value of its own, the same for the same text', () => {
        const harness = new ExpressionHarness();
        const gaps = call('as_list', string('[null, null]'), string('int'));
        const [first, second] = harness.dictionary.membersOf(harness.value(gaps));
        expect(first).not.toBe(second);
        expect(harness.value(gaps)).toBe(harness.value(gaps));
    });
});

describe('as_struct and as_map', () => {
    checkCalls([
        ['as_struct', [string('{"b":"u","a":1.5,"c":[]}'), string('a:double, b:string')], 'struct(a=1.5,b="u")'],
        ['as_struct', [string('{"__proto__":1}'), string('__proto__:int')], 'struct(__proto__=1)'],
        ['as_struct', [string('{"a":1,"a":2}'), string('a:int')], 'struct(a=2)'],
        ['as_struct', [string('{}'), string('a:int')], 'struct(a=null)'],
        ['as_struct', [string('{"t":"2031-04-09T10:15:00Z"}'), string('t:timestamp')], 'struct(t=2031-04-09 10:15:00)'],
        ['as_struct', [string('[]'), string('a:int')], 'null', ['RT021']],
        ['as_struct', [string('{}'), string('a')], 'null', ['RT024']],
        ['as_struct', [string('{}'), string('a:int, a:int')], 'null', ['RT024']],
        ['as_struct', [missing(), string('a:int')], 'null'],
        ['as_map', [string('{"1":"2","3":"x"}'), string('int'), string('int')], 'map(1=2,3=null)', ['RT021']],
        ['as_map', [string('{"a":{"b":1}}'), string('string'), string('json')], 'map("a"="{""b"":1}")'],
        ['as_map', [call('struct', string('a'), integer(1)), string('string'), string('double')], 'map("a"=1)'],
        ['as_map', [call('collections:map', integer(1), string('7')), string('string'), string('int')], 'map("1"=7)'],
        ['as_map', [call('struct', string('a'), integer(1)), string('int'), string('int')], 'map(null=1)', ['RT021']],
        ['as_map', [string('[]'), string('int'), string('int')], 'null', ['RT021']],
        ['as_map', [list(), string('int'), string('int')], 'null', ['RT024']],
    ]);
});

describe('struct and map', () => {
    const pair = call('struct', string('a'), integer(1), string('b'), missing());
    checkCalls([
        ['struct', [string('a'), integer(1)], 'struct(a=1)'],
        ['struct', [string('a')], 'null', ['RT024']],
        ['struct', [string('a'), integer(1), string('a'), integer(2)], 'null', ['RT024']],
        ['struct', [integer(1), integer(1)], 'null', ['RT024']],
        ['struct:get', [string('a'), pair], '1'],
        ['struct:get', [string('b'), pair], 'null'],
        ['struct:get', [string('z'), pair], 'null'],
        ['struct:get', [pair, string('a')], 'null', ['RT024']],
        ['struct:get', [string('a'), missing()], 'null'],
        ['collections:map', [string('k'), integer(1), string('l'), integer(2), string('k'), integer(3)], 'map("k"=3,"l"=2)'],
        ['collections:map', [integer(1), string('a'), double(1), string('b')], 'map(1="b")'],
        ['collections:map', [string('k')], 'null', ['RT024']],
        ['collections:map', [missing(), missing()], 'map(null=null)'],
        ['collections:size', [call('collections:map', string('k'), integer(1))], '1'],
        ['collections:get', [call('collections:map', string('k'), integer(1)), string('k')], '1'],
        ['collections:get', [call('collections:map', string('k'), integer(1)), string('l')], 'null'],
    ]);
});
