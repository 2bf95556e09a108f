import { expect, test } from 'vitest';
import { countText } from '#language/program/count-text.ts';

test('a count is written as Intl writes it', () => {
    const written = new Intl.NumberFormat('en-US');
    for (const count of [0, 7, 999, 1000, 12_345, 999_999, 1_288_924, Number.MAX_SAFE_INTEGER, -1, -999, -1000, -123_456]) {
        expect(countText(count)).toBe(written.format(count));
    }
});
