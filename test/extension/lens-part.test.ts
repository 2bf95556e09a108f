import { expect, test } from 'vitest';
import { lensPart } from '#extension/host/lens-part.ts';

const seen = (from: number, to: number) => ({ start: { line: from }, end: { line: to } });

test('a short text has all of its lenses, and so has one that no editor shows', () => {
    expect(lensPart(500, [seen(0, 40)])).toBeUndefined();
    expect(lensPart(4000, [])).toBeUndefined();
});

test('of a long text the lenses near what is in sight are asked for', () => {
    expect(lensPart(4000, [seen(0, 40)])).toEqual({ from: 0, to: 100 });
    expect(lensPart(4000, [seen(1230, 1270)])).toEqual({ from: 1150, to: 1350 });
    expect(lensPart(4000, [seen(3970, 3999)])).toEqual({ from: 3900, to: 4000 });
});

test('two editors of a text have the lenses of both and of what lies between', () => {
    expect(lensPart(4000, [seen(1230, 1240), seen(60, 70)])).toEqual({ from: 0, to: 1300 });
});

test('a text that is scrolled by less than fifty lines asks for other lenses at most once', () => {
    const parts = Array.from({ length: 50 }, (_, i) => JSON.stringify(lensPart(4000, [seen(1210 + i, 1230 + i)])));
    expect(new Set(parts).size).toBeLessThanOrEqual(3);
    expect(new Set(parts.slice(0, 20)).size).toBe(1);
});
