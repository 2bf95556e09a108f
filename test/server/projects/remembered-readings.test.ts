import { expect, test } from 'vitest';
import { type Concept, readConcept } from '#server/projects/concept-reading.ts';

const concept = (more: Partial<Concept> = {}): Concept => ({
    name: 'a',
    type: 'logic',
    definition: 'a(X) :- b(X).',
    binds: [],
    scripts: {},
    ...more,
});
const noModule = (): undefined => undefined;

test('a concept is read once as long as its name, its text and its binds stay', () => {
    const first = readConcept(concept(), noModule);
    expect(readConcept(concept(), noModule)).toBe(first);
    expect(readConcept(concept({ name: 'c' }), noModule)).not.toBe(first);
    expect(readConcept(concept({ definition: 'a(X) :- c(X).' }), noModule).reads).toEqual(['c']);
    expect(readConcept(concept({ binds: ['@bind("b", "csv", "", "b.csv")'] }), noModule).reads).toEqual([]);
    expect(readConcept(concept(), noModule).reads).toEqual(['b']);
});

test('what a concept includes is looked for each time', () => {
    const including = concept({ definition: '@include("m").\na(X) :- b(X).' });
    let asked = 0;
    const find = (): undefined => {
        asked++;
    };
    readConcept(including, find);
    const once = asked;
    expect(once).toBeGreaterThan(0);
    readConcept(including, find);
    expect(asked).toBe(2 * once);
});

test('of many large concepts the last ones stay', () => {
    const large = (i: number): Concept => concept({ definition: `a(${i}, "${'x'.repeat(1_000_000)}").` });
    const first = readConcept(large(0), noModule);
    const last = [1, 2, 3, 4].map(i => readConcept(large(i), noModule)).at(-1);
    expect(readConcept(large(4), noModule)).toBe(last);
    expect(readConcept(large(0), noModule)).not.toBe(first);
});
