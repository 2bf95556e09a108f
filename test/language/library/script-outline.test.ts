import { describe, expect, test } from 'vitest';
import { scriptOutline } from '#language/library/script-outline.ts';

describe('main can be called', () => {
    test.each([
        ['def main():\n    return []\n', true],
        ['def main(params):\n    return []\n', true],
        ['def main(params: dict = {"a": (1, 2)}, *, limit=3, **more) -> list:\n    return []\n', true],
        ['def main(*rows):\n    return []\n', true],
        ['"""def main(a, b)"""\n# def main(a, b):\ndef main(): return []\nif __name__ == "__main__":\n    main()\n', true],
        ['def main(a, b=1):\n    return []\n', false],
        ['def main(a, *, b):\n    return []\n', false],
        ['def other():\n    return []\n', false],
        ['x = """\ndef main():\n"""\n', false],
        ['', false],
        ['from rows import main\n', undefined],
        ['from rows import *\n', undefined],
        ['main = lambda: []\n', undefined],
        ['async def main():\n    return []\n', undefined],
        ['if True:\n    def main(a, b):\n        return []\n', undefined],
        ['@cached\ndef main(a, b):\n    return []\n', undefined],
        ['def main():\n    return []\ndef main(a, b):\n    return []\n', undefined],
    ])('%j', (text, isCallable) => {
        expect(scriptOutline(text)?.isCallable).toBe(isCallable);
    });
    test('a script that cannot be told apart says nothing', () => {
        expect(scriptOutline('def main(:\n')).toBeUndefined();
        expect(scriptOutline('#'.repeat(1 << 19))).toBeUndefined();
    });
});

describe('what main returns', () => {
    const returning = (value: string) => scriptOutline(`def main(params):\n    x = 1; y = {"z": [1]}\n    return ${value}\n`);
    test.each([
        ['[{"a": 1, \'b\': f(2, 3)}, {"a": [1, {"q": 2}]}]', [['a', 'b'], ['a']]],
        ['[\n  {"a": 1},  # one\n  {},\n]', [['a'], []]],
        ['[{**x, "a": 1}]', []],
        ['[{key: 1}]', []],
        ['[{f"a": 1}]', []],
        ['[{"a": 1} for _ in x]', []],
        ['[{"a": 1}] + more', []],
        ['rows', []],
        ['[row]', []],
    ])('%j has the keys %j', (value, keys) => {
        expect([returning(value)?.rows, returning(value)?.misfit]).toEqual([keys, undefined]);
    });
    test.each([
        ['{"a": 1}', '{…}'],
        ['1', '1'],
        ['"text"', "'text'"],
        ['None', 'None'],
        ['', 'None'],
        ['[1, 2]', '[1, …]'],
    ])('%j is no list of dictionaries', (value, misfit) => {
        expect(returning(value)?.misfit).toBe(misfit);
    });
    test('other functions may return what they want, and generators have no result', () => {
        expect(scriptOutline('def f():\n    return 1\ndef main():\n    return f()\ndef g():\n    return 2\n')?.misfit).toBeUndefined();
        expect(scriptOutline('def main():\n    def f():\n        return 1\n    return f()\n')?.misfit).toBeUndefined();
        expect(scriptOutline('def main():\n    yield {"a": 1}\n    return\n')?.misfit).toBeUndefined();
    });
});

test('parameters are read by constant names', () => {
    const text = `def main(given):
    a = given["city"]; b = given.get('day'); c = given.get("hour", 3); d = given[name]; e = other["x"]; f = given["a" + "b"]
    return [{"X": given[f"{a}"]}]
`;
    expect(scriptOutline(text)?.parameters).toEqual(['city', 'day', 'hour']);
});

test('a text of backslashes that nothing closes is read at once', () => {
    const text = `def main():\n    return [{"X": "${'\\'.repeat(100_000)}`;
    expect(scriptOutline(text)).toBeUndefined();
});
