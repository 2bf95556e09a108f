import { describe, expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { fixAll } from '#language/editing/fix-all.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';

const open = (text: string): ReturnType<typeof openDocument> => openDocument(text, 'p.rulelang');

test('fixes follow each other until nothing is left', () => {
    const { text, fixed } = fixAll(open('@output("h").\np(1, 2)\nh(X) <- p(X, Y) p(X, Z), !p(Y, 1).'), new Map(), open);
    expect(text).toBe('@output("h").\np(1, 2).\nh(X) <- p(X, Y), p(X, _Z), not p(Y, 1).');
    expect([...fixed].sort()).toEqual([
        ['RL0001', 1],
        ['RL0002', 1],
        ['RL0040', 1],
        ['RL9001', 1],
    ]);
});

test('what nobody is told stays', () => {
    const text = '@output("h").\np(1, 2).\n% rulelang-ignore RL9001\nh(X) <- p(X, Y).\nh(X) <- p(X, Z).';
    expect(fixAll(open(text), new Map(), open).text).toBe(text.replace('Z', '_Z'));
    expect(fixAll(open(text), new Map([['RL9001', 'off']]), open).text).toBe(text);
});

test('a variable gets no name that the rule has', () => {
    const text = '@output("h").\np(1, 2).\nh(X) <- p(X, Y), p(X, _Y).';
    expect(fixAll(open(text), new Map(), open).text).toBe(text.replace(' Y', ' _Y2'));
});

test('a fix that would bring an error is left out, and the others are made', () => {
    const text = '@output("h").\np(1, 2).\nh(X) <- p(X, Y).\nk(X) <- p(X, _) q(Z > 2).';
    expect(fixAll(open(text), new Map(), open).text).toBe(text.replace(', Y', ', _Y'));
});

describe('a negated group', () => {
    const facts = '@output("f").\ne("a", 1). g("a", 1).\n';

    test('becomes a predicate of a new name', () => {
        const text = `${facts}f(X) <- e(X, V), not (g(X, V), V > 3). % few\n`;
        const fixed = `${facts}f(X) <- e(X, V), not some_g(X, V). % few\nsome_g(X, V) <- g(X, V), V > 3.\n`;
        expect(fixAll(open(text), new Map(), open).text).toBe(fixed);
    });

    test('gets no name that the text or another group has', () => {
        const text = `${facts}some_g(9).\nf(X) <- e(X, _), not (g(X, V), V > 3).\nf(X) <- e(X, _), not (g(X, V), V < 0).\n`;
        const fixed = fixAll(open(text), new Map(), open).text;
        expect(fixed).toContain('some_g_2(X) <- g(X, V), V > 3.');
        expect(fixed).toContain('some_g_3(X) <- g(X, V), V < 0.');
        expect(open(text).problems.map(({ remedy }) => remedy)).toContain(
            "write 'not some_g_3(X)' and 'some_g_3(X) <- g(X, V), V < 0.' as a clause of its own",
        );
    });

    test.each(['not (g(X, _), V > 3)', 'not (g(X, W), W > V)'])('whose variables are bound outside stays: %s', group => {
        const text = `${facts}f(X) <- e(X, V), ${group}.\n`;
        expect(fixAll(open(text), new Map(), open).text).toBe(text);
        expect(open(text).problems[0]?.remedy).toMatch(/^write a rule/u);
    });
});

describe('fixing twice is fixing once, and brings no error', () => {
    test.each(Object.entries(PROBLEMS))('%s', (_, { example }) => {
        const once = fixAll(open(example), new Map(), open);
        expect(fixAll(open(once.text), new Map(), open)).toEqual({ text: once.text, edits: [], fixed: new Map() });
        const errors = (text: string): number => open(text).problems.filter(({ severity }) => severity === 'error').length;
        expect(errors(once.text)).toBeLessThanOrEqual(errors(example));
    });
});

test('a declaration of another language goes only where somebody looks at it', () => {
    for (const declaration of [':- dynamic p/1.', '.decl p(x:[a:number, b:number])']) {
        const text = `${declaration}\np(1).\n@output("h").\nh(X) <- p(X).\n`;
        expect(fixAll(open(text), new Map(), open).text).toBe(text);
        expect(open(text).problems.some(({ severity }) => severity === 'error')).toBe(true);
    }
});
