import { expect } from 'vitest';
import type { AggregateResult, GroupNode } from '#engine/explain/explanation.ts';

/** Demands of what is said of a group that the terms which are told give the result which is told, computed from their text alone. */
export function checkResults(group: GroupNode): void {
    for (const { aggregates } of group.results?.columns ?? []) {
        for (const result of aggregates) {
            expect(result.kept.length, group.fact).toBeGreaterThan(0);
            if (result.family === 'mcount' || result.family === 'maxcount')
                expect(result.kept.length, group.fact).toBe(numberOf(result.value));
            else checkNumbers(group, result);
        }
    }
}

const NUMBER = /^-?[\d.]+(E-?\d+)?$/u;
const ARITHMETIC = /^[-+*()\d.E ×]+$/u;
const EXACT = 2 ** 53;

function checkNumbers(group: GroupNode, { family, kept, value }: AggregateResult): void {
    if (!NUMBER.test(value) || !kept.every(({ terms }) => ARITHMETIC.test(terms))) return;
    const numbers = kept.map(({ terms }) => numberOf(terms));
    const told = numberOf(value);
    if (![told, ...numbers].every(number => Math.abs(number) < EXACT)) return;
    const sum = numbers.reduce((total, number) => total + number, 0);
    const sorted = [...numbers].sort((a, b) => a - b);
    const middle = ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
    const product = numbers.reduce((total, number) => total * number, 1);
    const expected = {
        msum: sum,
        mprod: product,
        mavg: sum / numbers.length,
        mmedian: middle,
        mmin: sorted[0],
        mmax: sorted.at(-1),
    }[family as string];
    if (expected === undefined) return;
    const size = Math.max(1, ...numbers.map(Math.abs), Math.abs(told));
    expect(Math.abs(expected - told), `${group.fact}: ${family} of ${numbers} is not ${value}`).toBeLessThanOrEqual(1e-9 * size);
    if (family === 'mmin' || family === 'mmax') expect(kept.some(({ isResult, terms }) => isResult && numberOf(terms) === told)).toBe(true);
}

function numberOf(terms: string): number {
    return Number(new Function(`return ${terms.replaceAll('×', '*').replaceAll('--', '- -')}`)());
}
