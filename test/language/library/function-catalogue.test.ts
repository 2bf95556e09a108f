import { describe, expect, test } from 'vitest';
import { FUNCTIONS, functionNamed, isLegacyName } from '#language/library/function-catalogue.ts';
import { argumentCount } from '#language/library/function-entry.ts';

test('every function says in one sentence what it does', () => {
    expect(FUNCTIONS.filter(entry => !/^[A-Z].*[^.]\.$/u.test(entry.documentation)).map(entry => entry.name)).toEqual([]);
});

test('names are distinct', () => {
    const names = FUNCTIONS.flatMap(entry => [entry.name, ...entry.aliases]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('parameters have known kinds, and optional ones come last', () => {
    const wrong = FUNCTIONS.filter(({ parameters }) => {
        const firstOptional = parameters.findIndex(parameter => parameter.optional);
        return parameters.some(
            (parameter, i) => parameter.kind.length === 0 || (firstOptional >= 0 && i > firstOptional && !parameter.optional),
        );
    });
    expect(wrong.map(entry => entry.name)).toEqual([]);
});

describe('lookup', () => {
    test.each([
        ['strlen', 'string_length'],
        ['string:to_lower', 'to_lower'],
        ['asList', 'as_list'],
        ['embeddings:cosine_sim_udf', 'similarity:cosine_sim'],
        ['nullManagement:isnull', 'is_null'],
        ['math:PI', 'math:PI'],
        ['_between', '_between'],
    ])('%s is %s', (written, name) => expect(functionNamed(written)?.name).toBe(name));

    test.each(['sqrt', 'To_Lower', 'constructor', 'math:nothing', 'string:sqrt', 'removeAt'])('%s is none', name => {
        expect(functionNamed(name)).toBeUndefined();
    });

    test('prefixes of @library stand for their libraries', () => {
        const prefixes = new Map([
            ['m', 'math'],
            ['h', 'hashCode'],
            ['s', 'string'],
        ]);
        expect(functionNamed('m:sqrt', prefixes)?.name).toBe('math:sqrt');
        expect(functionNamed('h:md5', prefixes)?.name).toBe('hash:md5');
        expect(functionNamed('s:concat', prefixes)?.name).toBe('concat');
        expect(functionNamed('x:sqrt', prefixes)).toBeUndefined();
    });

    test('legacy spellings are known as such', () => {
        expect(['asSet', 'subList', 'as_set'].map(isLegacyName)).toEqual([true, true, false]);
    });
});

test.each([
    ['substring', 2, 3],
    ['concat', 1, Number.POSITIVE_INFINITY],
    ['math:max', 2, Number.POSITIVE_INFINITY],
    ['hash:sha2', 2, Number.POSITIVE_INFINITY],
    ['uuid', 0, Number.POSITIVE_INFINITY],
    ['math:rand', 0, 0],
    ['mask', 1, 5],
])('%s takes %d to %d arguments', (name, least, most) => {
    const entry = functionNamed(name);
    expect(entry && argumentCount(entry)).toEqual({ least, most });
});
