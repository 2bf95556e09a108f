import { describe, expect, test } from 'vitest';
import { binsOf, ticksOf, writtenMoment } from '#extension/surfaces/chart/time-axis.ts';
import { lanesOf, marksOf } from '#extension/surfaces/chart/timeline-lanes.ts';
import { fc } from '../support/fast-check.ts';

const at = (text: string): number => Date.parse(text) / 1000;
const stretch = fc
    .tuple(fc.integer({ min: at('1800-01-01Z'), max: at('2200-01-01Z') }), fc.integer({ min: 1, max: 4e9 }))
    .map(([from, length]) => ({ from, to: from + length }));
const DAY = 86_400;

describe('the axis of times', () => {
    test('has round moments of the stretch in order, no more than there is room for', () => {
        fc.assert(
            fc.property(stretch, fc.integer({ min: 1, max: 20 }), (shown, most) => {
                const ticks = ticksOf(shown, most);
                expect(ticks.length).toBeLessThanOrEqual(most + 1);
                expect(ticks.every((tick, i) => tick.at >= (ticks[i - 1]?.at ?? shown.from) && tick.at <= shown.to)).toBe(true);
            }),
        );
    });

    test('writes days, hours and years as the grid does, in UTC', () => {
        expect(ticksOf({ from: at('2031-04-01Z'), to: at('2031-04-05Z') }, 5).map(({ label }) => label)).toEqual([
            '2031-04-01',
            '2031-04-02',
            '2031-04-03',
            '2031-04-04',
            '2031-04-05',
        ]);
        expect(ticksOf({ from: at('2031-04-01T18:00Z'), to: at('2031-04-02T06:00Z') }, 3).map(({ label }) => label)).toEqual([
            '18:00',
            '2031-04-02',
            '06:00',
        ]);
        expect(ticksOf({ from: at('2029-06-01Z'), to: at('2031-06-01Z') }, 2).map(({ label }) => label)).toEqual(['2030', '2031']);
        expect(writtenMoment(at('2031-04-01T00:00Z'))).toBe('2031-04-01');
        expect(writtenMoment(at('2031-04-01T10:15Z'))).toBe('2031-04-01 10:15:00');
    });

    test('has bins that cover the stretch side by side; those of days are whole days', () => {
        fc.assert(
            fc.property(stretch, shown => {
                const bins = binsOf(shown, 40, DAY);
                expect(bins[0]?.from).toBeLessThanOrEqual(shown.from);
                expect(bins.at(-1)?.to).toBeGreaterThan(shown.to);
                expect(bins.length).toBeLessThanOrEqual(42);
                expect(bins.every(({ from, to }, i) => from % DAY === 0 && to === (bins[i + 1]?.from ?? to))).toBe(true);
            }),
        );
    });
});

describe('lanes', () => {
    const sizes = { least: 1, bin: 1 };

    test('have every row of the stretch once: in lines where none covers another, or in bins', () => {
        const rows = fc.array(fc.tuple(fc.nat(20), fc.nat(3), fc.constantFrom('a', 'b', 'c')), { maxLength: 900 });
        fc.assert(
            fc.property(rows, found => {
                const cells = found.map(([from, length, lane]) => [writtenMoment(from), writtenMoment(from + length), lane]);
                const lanes = lanesOf(marksOf(cells, 0, 1), 2, { from: 0, to: 40 }, sizes);
                expect(lanes.map(({ name }) => name)).toEqual([...new Set(found.map(([, , lane]) => lane))].sort());
                for (const { lines, bins, rows: count } of lanes) {
                    const drawn = lines.flat().length + bins.reduce((sum, bin) => sum + bin.rows, 0);
                    expect(drawn).toBe(count);
                    for (const line of lines) expect(line.every((mark, i) => mark.from >= (line[i - 1]?.to ?? 0))).toBe(true);
                }
                expect(lanes.reduce((sum, { rows: count }) => sum + count, 0)).toBe(found.length);
            }),
            { numRuns: 50 },
        );
    });

    test('of rare values are one together; a row without a begin is in none, one without an end is a moment', () => {
        const rows = Array.from({ length: 20 }, (_, i) => [`2031-01-0${(i % 9) + 1}`, { null: '—', missing: true as const }, `lane ${i}`]);
        const marks = marksOf([...rows, [{ null: 'z1' }, '2031-01-01', 'lane 0']], 0, 1);
        expect([marks.length, marks.every(({ isMoment }) => isMoment)]).toEqual([20, true]);
        const lanes = lanesOf(marks, 2, { from: at('2031-01-01Z'), to: at('2031-02-01Z') }, sizes);
        expect(lanes.map(({ rows: count }) => count)).toEqual([...Array.from({ length: 12 }, () => 1), 8]);
        expect(lanes.at(-1)?.name).toBeUndefined();
    });
});
