import { expect, test } from 'vitest';
import { charactersOf, hasAll, neededCharacters } from '#language/library/needed-characters.ts';
import { FORMS } from '#language/syntax/foreign-forms.ts';
import { splitClauses } from '#language/syntax/split-clauses.ts';
import { BROKEN_PROGRAMS } from '../beginners/broken-programs.ts';
import { LOGIC_HABITS } from '../beginners/logic-habits.ts';
import { QUERY_HABITS } from '../beginners/query-habits.ts';
import { SCRIPT_HABITS } from '../beginners/script-habits.ts';
import { SLIPS } from '../beginners/slips.ts';
import { SQL_HABITS } from '../beginners/sql-habits.ts';

test.each([
    [/ab?c/u, 'ac', ['a', 'c', 'AC']],
    [/ab?c/iu, 'AC', ['A', 'b']],
    [/(?:xy|xz+)\d/u, 'x1', ['x', '1y']],
    [/[#$]\s/u, ' ', ['#']],
    [/(?<=<-\s*)\bp[A-Z]*/u, '<-p', ['<p', '-p']],
    [/(?!q)[a-z]{2,}[^"]\W/u, 'a', ['A', '1']],
    [/k/iu, '\u212A', ['j']],
])('%s is looked for where its characters are', (pattern, found, missed) => {
    const needed = neededCharacters(pattern);
    expect(hasAll(charactersOf(found), needed)).toBe(true);
    for (const text of missed) expect(hasAll(charactersOf(text), needed)).toBe(false);
});

test('no clause with a form of another language lacks characters that the form needs', () => {
    const habits = [...BROKEN_PROGRAMS, ...SQL_HABITS, ...LOGIC_HABITS, ...SLIPS, ...SCRIPT_HABITS, ...QUERY_HABITS];
    const clauses = habits.flatMap(({ text }) => Array.from(splitClauses(text, 'p'), ({ place, end }) => text.slice(place.offset, end)));
    const found = FORMS.map(({ pattern }) => ({ pattern, clauses: clauses.filter(clause => clause.search(pattern) >= 0) }));
    for (const { pattern, clauses } of found) {
        const needed = neededCharacters(pattern);
        expect(clauses.filter(clause => !hasAll(charactersOf(clause), needed))).toEqual([]);
    }
    expect(found.filter(({ clauses }) => clauses.length > 0).length).toBeGreaterThan(100);
});
