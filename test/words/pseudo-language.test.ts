import { afterEach, expect, test } from 'vitest';
import { report } from '#engine/reports/reports.ts';
import { codeLenses } from '#language/editing/code-lenses.ts';
import { exampleDocument } from '#language/editing/example-document.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import { speak } from '#language/program/say.ts';
import { englishIn, PSEUDO, plainWords, pseudoLanguage, pseudoText } from '../support/pseudo-language.ts';

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
        const written = `${entry.example} ${JSON.stringify([entry.modules, entry.sources, entry.missing])}`;
        return document.analysed.problems
            .filter(problem => problem.code === code)
            .flatMap(problem => [
                ...[problem.message, problem.remedy ?? '', ...(problem.related ?? []).map(({ message }) => message)],
                ...quickFixes(document, problem).map(({ title }) => title),
            ])
            .flatMap(text => (englishIn(withoutCode(text), written).length > 0 ? [`${code}: ${text}`] : []));
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
    expect(englishIn(cards.join('\n'), text, 'rulelang value contributors predicate any')).toEqual([]);
    expect(codeLenses(document)).not.toEqual([]);
});

test('reports', () => {
    speak(PSEUDO);
    const told = [report('RT011', {}, 'A/B'), report('RT031', {}, 'facts', '9', 'p'), report('RT072', {}, 2)];
    expect(told.flatMap(({ message, remedy = '' }) => plainWords(`${message} ${remedy}`))).toEqual([]);
});

/** Without what stands in quotes, is called, set, or told by the library of patterns. */
function withoutCode(text: string): string {
    return text.replace(/'[^']*'|"[^"]*"|@?\w+\([^)]*\)|\w+=\S+|unterminated group/gu, '');
}
