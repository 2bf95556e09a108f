import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { report } from '#engine/reports.ts';
import { codeLenses } from '#language/editing/code-lenses.ts';
import { exampleDocument } from '#language/editing/example-document.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import { speak } from '#language/program/say.ts';
import { plainWords, pseudoLanguage, pseudoText } from '../support/pseudo-language.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PSEUDO = Object.assign(
    {},
    ...['language', 'engine', 'server'].map(area =>
        pseudoLanguage(JSON.parse(readFileSync(join(ROOT, 'server/words/en', `${area}.json`), 'utf8'))),
    ),
);

/** What is written the same in every language: types, keywords, and what belongs to the language or the format. */
const SAME = new Set([
    'string',
    'int',
    'long',
    'double',
    'float',
    'boolean',
    'date',
    'timestamp',
    'list',
    'set',
    'map',
    'struct',
    'unknown',
    'not',
    'true',
    'false',
    'as',
    'file',
]);

let folder = '';
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rulelang-words-'));
    mkdirSync(join(folder, 'words'));
    writeFileSync(join(folder, 'words/all.json'), JSON.stringify(PSEUDO));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => speak(undefined));

test('every letter of a text has an accent, but for the places of values', () => {
    expect(pseudoLanguage({ key: 'The {0} of {name}' })).toEqual({ key: 'Ťĥé {0} óƒ {name}······' });
    expect(plainWords(pseudoText('abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ'))).toEqual([]);
});

test('words without accents are found among others', () => {
    expect(plainWords("Ťĥé ŕúļé 'holds' ƒóŕ edge(X): no")).toEqual(['holds', 'edge', 'no']);
});

test('problems, their remedies and their fixes are of the language that is spoken', () => {
    speak(PSEUDO);
    const left = Object.entries(PROBLEMS).flatMap(([code, entry]: [string, ProblemEntry]) => {
        const document = exampleDocument(entry.example, entry);
        const known = new Set([...SAME, ...wordsIn(entry.example, JSON.stringify([entry.modules, entry.sources, entry.missing]))]);
        return document.analysed.problems
            .filter(problem => problem.code === code)
            .flatMap(problem => [
                ...[problem.message, problem.remedy ?? '', ...(problem.related ?? []).map(({ message }) => message)],
                ...quickFixes(document, problem).map(({ title }) => title),
            ])
            .flatMap(text => (plainWords(withoutCode(text)).some(word => !known.has(word)) ? [`${code}: ${text}`] : []));
    });
    expect(left).toEqual([]);
});

test('fixes do the same in every language', () => {
    const fixes = () =>
        Object.entries(PROBLEMS).map(([code, entry]: [string, ProblemEntry]) => {
            const document = exampleDocument(entry.example, entry);
            const found = document.analysed.problems.filter(problem => problem.code === code);
            return [code, found.flatMap(problem => quickFixes(document, problem)).map(({ edits }) => edits)];
        });
    const english = fixes();
    speak(PSEUDO);
    expect(fixes()).toEqual(english);
});

test('hovers and lenses', () => {
    speak(PSEUDO);
    const text = '@output("total").\ntotal(R, S) <- sale(R, V), S = msum(V), !is_null(R).\nsale("north", 3).';
    const document = exampleDocument(text, {});
    const cards = ['@output', 'msum', 'is_null', 'R,'].map(word => hoverCard(document, text.indexOf(word) + 1)?.markdown ?? 'nothing');
    const known = new Set([...SAME, ...wordsIn(text), 'rulelang', 'value', 'contributors', 'predicate', 'any']);
    expect(cards.flatMap(plainWords).filter(word => !known.has(word))).toEqual([]);
    expect(codeLenses(document)).not.toEqual([]);
});

test('reports', () => {
    speak(PSEUDO);
    const told = [report('RT011', {}, 'A/B'), report('RT031', {}, 'facts', '9', 'p'), report('RT072', {}, 2)];
    expect(told.flatMap(({ message, remedy = '' }) => plainWords(`${message} ${remedy}`))).toEqual([]);
});

test('the command line', () => {
    const program = join(folder, 'reach.rulelang');
    const text =
        'edge("k", "m"). edge("m", "p").\nreach(X, Y) <- edge(X, Y).\nreach(X, Z) <- reach(X, Y), edge(Y, Z), Unused = 1.\n@output("reach").';
    writeFileSync(program, text);
    const known = new Set([...SAME, ...wordsIn(text, folder), ...wordsIn('reach.rulelang rulelang warning error csv json ms')]);
    for (const args of [
        ['check', program],

        ['explain', program, 'reach("k", "p")'],
        ['explain', program, 'reach("p", "k")'],
    ]) {
        const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'dist/cli.js'), ...args], {
            encoding: 'utf8',
            env: { ...process.env, RULELANG_LOCALE: join(folder, 'words') },
        });
        const said = `${stdout}${stderr}`;

        expect(
            plainWords(said).filter(word => !known.has(word)),
            args.join(' '),
        ).toEqual([]);
    }
});

/** Without what stands in quotes, is called, set, or told by the library of patterns. */
function withoutCode(text: string): string {
    return text.replace(/'[^']*'|"[^"]*"|@?\w+\([^)]*\)|\w+=\S+|unterminated group/gu, '');
}

function wordsIn(...texts: readonly string[]): string[] {
    return texts.flatMap(text => text.match(/[a-zA-Z]+/gu) ?? []);
}
