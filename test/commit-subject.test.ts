import { expect, test } from 'vitest';
// @ts-expect-error: a script of the repository, in plain JavaScript
import { subjectFaults, subjectIn } from '../scripts/commit-subject.mjs';

test.each([
    ['grid: close the cell sheet when it loses focus', []],
    ['language, engine: name each month once', []],
    ['language server: answer hover behind a comment', []],
    ["Merge branch 'main' into prices", []],
    ['Revert "grid: close the cell sheet"', []],
    ['fixup! grid: close the cell sheet', []],
    [`grid: ${'x'.repeat(66)}`, []],
    [`grid: ${'x'.repeat(67)}`, ['at most 72 characters, not 73']],
    ['close the cell sheet', ['begin with the area']],
    ['Grid: close the cell sheet', ['begin with the area']],
    ['grid:close the cell sheet', ['begin with the area']],
    ['grid: Close the cell sheet', ['small letters']],
    ['grid: ', ['small letters']],
    ['grid: close the cell sheet.', ['full stop']],
    ['Close the cell sheet.', ['begin with the area', 'full stop']],
])('%s', (subject, faults) => {
    expect(subjectFaults(subject)).toEqual(faults.map(fault => expect.stringContaining(fault)));
});

test('the subject is the first line that is not a comment', () => {
    expect(subjectIn('# Please enter a message\n\ngrid: close the cell sheet\n\nIt covered the cell.\n')).toBe(
        'grid: close the cell sheet',
    );
    expect(subjectIn('# nothing\n')).toBe('');
});
