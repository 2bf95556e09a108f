import { expect, test } from 'vitest';
import { documentationIndex } from '#server/assistant/documentation.ts';
// @ts-expect-error: a script of the build, in plain JavaScript
import { documentationSections } from '../../scripts/documentation-sections.mjs';
import { OTHER_QUESTIONS, QUESTIONS } from './questions.ts';

const sections = (await documentationSections()) as {
    readonly title: string;
    readonly url: string;
    readonly text: string;
    readonly keywords: string;
}[];
const documentation = documentationIndex(sections);
const found = (...questions: string[]): string[] => documentation.search(questions, 3).map(({ url }) => url);

test('the sections that answer the questions are there', () => {
    const urls = new Set(sections.map(({ url }) => url));
    expect([...QUESTIONS, ...OTHER_QUESTIONS].flatMap(([, ...wanted]) => wanted).filter(url => !urls.has(url))).toEqual([]);
});

test.each([
    ['those that were written first', QUESTIONS, 45, 55],
    ['those that somebody else asked', OTHER_QUESTIONS, 40, 50],
])('of 60 questions, %s, most are answered by the first section and nearly all by one of three', (_, questions, first, three) => {
    const places = questions.map(([question, ...wanted]) => found(question).findIndex(url => wanted.includes(url)));
    expect(places).toHaveLength(60);
    expect(places.filter(place => place === 0).length).toBeGreaterThanOrEqual(first);
    expect(places.filter(place => place >= 0).length).toBeGreaterThanOrEqual(three);
});

test.each([
    'RL2401',
    'what is rl2401?',
    'how do I get rid of RL2401 in my program',
    'error RL2401: Recursion through negation: win → not win',
    'Recursion through negation: win → not win',
])('the page of a problem comes first where its code or message is asked for: %s', question => {
    expect(found(question)[0]).toBe('/docs/problems/logic#rl2401');
});

test('a message is found without what it quotes', () => {
    expect(found("Head variable 'Total' is not bound by the body")[0]).toBe('/docs/problems/logic#rl2001');
});

test('no page of a problem comes first where none is asked for', () => {
    const first = QUESTIONS.filter(([question]) => !/\bR[LT]\d/u.test(question)).map(([question]) => found(question)[0]);
    expect(first.filter(url => url?.startsWith('/docs/problems/'))).toEqual([]);
});

test.each([
    ['How do I read a CSV file?', 'and JSON?', '/docs/data/files#json'],
    ['What is @post for?', 'show me how to get the greatest', '/docs/language/annotations#post-processing'],
    ['How do I connect to PostgreSQL?', 'where does the password go?', '/docs/data/databases#postgresql'],
])('%s %s', (before, question, wanted) => expect(found(before, question)).toContain(wanted));

test('a question of nothing but common words finds nothing', () => expect(found('what is it?')).toEqual([]));
