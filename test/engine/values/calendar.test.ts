import { expect, test } from 'vitest';
import { daysOfDate } from '#engine/values/calendar.ts';
import { fc } from '../../support/fast-check.ts';

test('days are those of the calendar of JavaScript', () => {
    fc.assert(
        fc.property(
            fc.oneof(fc.integer({ min: -400, max: 9999 }), fc.integer({ min: -280_000, max: 280_000 })),
            fc.integer({ min: -1, max: 14 }),
            fc.oneof(fc.integer({ min: -1, max: 33 }), fc.integer({ min: 28, max: 31 })),
            (year, month, day) => {
                const date = new Date(0);
                date.setUTCFullYear(year, month - 1, day);
                const isThere = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
                expect(daysOfDate(year, month, day)).toBe(isThere && Math.abs(year) <= 271_820 ? date.getTime() / 86_400_000 : undefined);
            },
        ),
        { numRuns: 3000 },
    );
});
