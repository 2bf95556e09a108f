import { describe, expect, test } from 'vitest';
import { areTurned, labelledPlaces, roomBelow } from '#extension/surfaces/chart/axis-labels.ts';
import { chartData, choiceOfKind, firstChoice, type PlotChoice } from '#extension/surfaces/chart/chart-data.ts';
import { writtenStretch } from '#extension/surfaces/chart/time-axis.ts';
import type { OutputColumn } from '#server/protocol/runs.ts';
import { fc } from '../support/fast-check.ts';

const COLUMNS: readonly OutputColumn[] = [
    { name: 'city', type: 'string', shape: 'text' },
    { name: 'people', type: 'int', shape: 'number' },
    { name: 'day', type: 'date', shape: 'time' },
];
const ROWS = [
    ['Rome', '10', '2031-01-02'],
    ['Oslo', '-4', '2031-01-01'],
    ['Rome', '5', { null: 'z1', missing: true as const }],
    ['Lyon', { null: 'z2' }, '2031-01-03'],
];
const drawn = (choice: PlotChoice) => chartData(choice, COLUMNS, ROWS);

describe('the labels of an axis', () => {
    const days = Array.from({ length: 40 }, (_, at) => `2031-01-${at}`);

    test('are turned where they have no room side by side, and have the room below that this takes', () => {
        expect([areTurned(['Rome', 'Oslo'], 300), areTurned(days, 300)]).toEqual([false, true]);
        expect(roomBelow(days, 300)).toBeGreaterThan(roomBelow(['Rome', 'Oslo'], 300));
        expect(roomBelow(undefined, 300)).toBe(roomBelow(['Rome'], 300));
    });

    test('are left out where one would cover the next', () => {
        expect(labelledPlaces(days, -1, 41, 2000)).toHaveLength(40);
        const few = labelledPlaces(days, -1, 41, 180);
        expect(few).toEqual(Array.from({ length: few.length }, (_, at) => at * 4));
        expect(few.length * 18).toBeLessThanOrEqual(180);
        expect(labelledPlaces(days, 3, 5, 2000)).toEqual([3, 4, 5]);
        expect(labelledPlaces([], 0, 1, -5)).toEqual([]);
    });
});

test('the ends of a long stretch of time are days', () => {
    const day = (text: string): number => Date.parse(text) / 1000;
    expect(writtenStretch({ from: day('2031-01-01T05:06:07Z'), to: day('2031-03-01') })).toEqual(['2031-01-01', '2031-03-01']);
    expect(writtenStretch({ from: day('2031-01-01T05:06:07Z'), to: day('2031-01-03') })).toEqual(['2031-01-01 05:06:07', '2031-01-03']);
});

describe('charts', () => {
    test('bars sum the numbers of a value, or count its rows', () => {
        const sums = drawn({ kind: 'bar', x: 0, y: 1 });
        expect(sums.xs.map(at => sums.x.labels?.[at])).toEqual(['Rome', 'Oslo']);
        expect([sums.ys, sums.without, sums.rest]).toEqual([[15, -4], 1, 0]);
        expect(drawn({ kind: 'bar', x: 0, y: undefined }).ys).toEqual([2, 1, 1]);
    });

    test('of values that are too many have the most frequent, and say how many rows are left out', () => {
        const rows = Array.from({ length: 100 }, (_, i) => [`${i % 60}`]);
        const { xs, rest, without } = chartData({ kind: 'bar', x: 0, y: undefined }, COLUMNS, rows);
        expect([xs.length, rest, without]).toEqual([40, 20, 0]);
    });

    test('lines go from left to right, and times are those of UTC', () => {
        const { xs, ys, x, without } = drawn({ kind: 'line', x: 2, y: 1 });
        expect(xs.map(at => new Date(at * 1000).toISOString().slice(0, 10))).toEqual(['2031-01-01', '2031-01-02']);
        expect([ys, x.isTime, without]).toEqual([[-4, 10], true, 2]);
    });

    test('a histogram and a heat map have every row with a number once, in bins of a round size', () => {
        fc.assert(
            fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 200 }), numbers => {
                const rows = numbers.map(number => ['x', String(number), '']);
                const histogram = chartData({ kind: 'histogram', x: 1, y: undefined }, COLUMNS, rows);
                expect(histogram.ys.reduce((sum, count) => sum + count, 0)).toBe(numbers.length);
                expect(histogram.ys.length).toBeLessThanOrEqual(26);
                expect(String(histogram.step.x)).toMatch(/^(?:[125]0*|0\.0*[125])$/u);
                for (const [bin, middle] of histogram.xs.entries()) {
                    // The middle is rounded; numbers are whole.
                    const from = middle - histogram.step.x * (0.5 + 1e-9);
                    const inside = numbers.filter(number => number >= from && number < from + histogram.step.x).length;
                    expect(histogram.ys[bin]).toBe(inside);
                }
                const heat = chartData({ kind: 'heat', x: 1, y: 1 }, COLUMNS, rows);
                expect(heat.weights.reduce((sum, weight) => sum + weight, 0)).toBe(numbers.length);
            }),
        );
    });

    test('a histogram of dates counts the rows of whole days', () => {
        const rows = ['2031-01-01', '2031-01-01', '2031-01-03', '2031-01-04'].map(day => ['x', '1', day]);
        const { xs, ys, step } = chartData({ kind: 'histogram', x: 2, y: 1 }, COLUMNS, rows);
        const days = xs.map(middle => new Date((middle - step.x / 2) * 1000).toISOString());
        expect(days).toEqual(['01', '02', '03', '04'].map(day => `2031-01-${day}T00:00:00.000Z`));
        expect([ys, step.x]).toEqual([[2, 0, 1, 1], 86_400]);
        const year = Array.from({ length: 365 }, (_, day) => ['x', '1', new Date(Date.UTC(2031, 0, 1 + day)).toISOString().slice(0, 10)]);
        const bins = chartData({ kind: 'histogram', x: 2, y: undefined }, COLUMNS, year);
        expect([bins.step.x % 86_400, bins.ys.length <= 26, bins.ys.reduce((sum, rows) => sum + rows)]).toEqual([0, true, 365]);
    });

    test('begin with what the columns suggest', () => {
        expect(firstChoice(COLUMNS)).toEqual({ kind: 'histogram', x: 2, y: 1 });
        expect(firstChoice(COLUMNS.slice(0, 2))).toEqual({ kind: 'bar', x: 0, y: 1 });
        expect(firstChoice(COLUMNS.slice(1, 2))).toEqual({ kind: 'histogram', x: 0, y: undefined });
        expect(firstChoice([])).toEqual({ kind: 'bar', x: 0, y: undefined });
    });

    test('keep the columns that suit another kind of chart', () => {
        const bars = { kind: 'bar', x: 0, y: 1 } as const;
        expect(choiceOfKind('area', bars, COLUMNS)).toEqual({ kind: 'area', x: 0, y: 1 });
        expect(choiceOfKind('timeline', bars, COLUMNS)).toEqual({ kind: 'timeline', x: 2, y: undefined, by: 0 });
        expect(choiceOfKind('graph', bars, [...COLUMNS, { name: 'to', type: 'string', shape: 'text' }])).toEqual({
            kind: 'graph',
            x: 0,
            y: 3,
        });
        expect(choiceOfKind('bar', { kind: 'graph', x: 0, y: 2 }, COLUMNS)).toEqual({ kind: 'bar', x: 0, y: undefined });
    });
});
