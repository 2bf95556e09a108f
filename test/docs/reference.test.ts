import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { REPORTS } from '#engine/reports/reports.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const language = readFileSync(join(root, 'docs/reference/language.md'), 'utf8');
const platform = readFileSync(join(root, 'docs/reference/platform-api.md'), 'utf8');

/** Severities by code, as the tables of section 13 have them: `E / W`. */
const stated = new Map([...language.matchAll(/^\| (R[LT]\d+) \| ([^|]+) \|/gmu)].map(([, code = '', severity = '']) => [code, severity]));
const found = new Map([...Object.entries(PROBLEMS), ...Object.entries(REPORTS)].map(([code, { severity }]) => [code, severity]));
const LETTERS = { error: 'E', warning: 'W', information: 'I', hint: 'H' } as const;

/** What is said of queries, of concepts in Python and of secrets, which nothing finds yet. */
const NOT_YET = `
    RL7005
    RL8006 RL8201 RL8202 RL8203 RL8204 RT081
`
    .trim()
    .split(/\s+/u);

describe('the codes of section 13', () => {
    test('are those that there are', () => {
        expect([...found.keys()].filter(code => !stated.has(code))).toEqual([]);
        expect([...stated.keys()].filter(code => !found.has(code))).toEqual(NOT_YET);
    });
    test('have their severities', () => {
        const other = [...found].filter(([code, severity]) => !stated.get(code)?.includes(LETTERS[severity]));
        expect(other.map(([code, severity]) => `${code} is ${severity}, not ${stated.get(code)}`)).toEqual([]);
    });
});

describe('what comments and tests refer to', () => {
    const sources = ['language', 'engine', 'server', 'extension', 'test'].flatMap(folder =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
            .filter(name => name.endsWith('.ts'))
            .map(name => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') })),
    );
    const missing = (pattern: RegExp, isThere: (reference: string) => boolean): string[] =>
        sources.flatMap(({ path, text }) =>
            [...text.matchAll(pattern)].filter(([, reference = '']) => !isThere(reference)).map(([, reference]) => `${path}: ${reference}`),
        );

    test('sections are there', () => {
        const sections = new Set([...`${language}\n${platform}`.matchAll(/^#+ ([\d.]+\d)/gmu)].map(([, number]) => number));
        const inComments = /^\s*(?:\*|\/\*\*|\/\/).*?\((\d+\.\d+)(?:\.\d+)?[a-z]?\)/gmu;
        expect(missing(inComments, section => sections.has(section))).toEqual([]);
    });
    test('decisions are there', () => {
        expect(missing(/\b(D-\d\d+)/gu, decision => language.includes(`| ${decision} |`))).toEqual([]);
        expect(missing(/\((D\d\d)\b/gu, decision => platform.includes(`| ${decision} |`))).toEqual([]);
    });
});
