import { expect } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { type OpenDocument, openDocument, type TextRange } from '#language/document/open-document.ts';
import type { Refactoring } from '#language/editing/refactorings/refactoring.ts';
import { refactorings } from '#language/editing/refactorings.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import { applied } from '../language/editing/editing-markers.ts';
import { type ConformanceProgram, FILE, includedTexts, type Observed, observe } from './conformance.ts';
import { factsText, type Row, sameFacts } from './expected-facts.ts';
import { finding } from './modules.ts';

/** The texts of a program by the names of its files, its own first. */
type Texts = readonly (readonly [file: string, text: string])[];

/** A change that is offered somewhere in a program, with the texts that it makes. */
export interface Offer {
    readonly title: string;
    readonly texts: Texts;
}

/** What is offered at the ranges of the program's own text, each change once. */
export function offers(texts: Texts, ranges: Iterable<TextRange>): readonly Offer[] {
    const find = finding(texts);
    const documents = texts.map(([file, text]) => openDocument(text, file, {}, find));
    const [own] = documents;
    const found = new Map<string, Offer>();
    if (own === undefined) return [];
    const workspace = workspaceOf(...documents);
    for (const range of ranges) {
        for (const refactoring of refactorings(workspace, own, range)) {
            const offer = { title: refactoring.title, texts: changedTexts(documents, refactoring) };
            found.set(JSON.stringify(offer), offer);
        }
    }
    return [...found.values()];
}

function changedTexts(documents: readonly OpenDocument[], refactoring: Refactoring): Texts {
    const edits = refactoring.edits();
    expect(edits.size).toBeGreaterThan(0);
    const { created } = refactoring;
    const changed = documents.map(({ file, text }) => [file, applied(text, edits.get(file) ?? [])] as const);
    return created === undefined ? changed : [...changed, [created.file, created.text]];
}

/** The places of all tokens, and all runs of items in bodies. */
export function* placesIn(text: string): Iterable<TextRange> {
    const { program } = openDocument(text, FILE);
    for (const clause of program.clauses) {
        const { offset } = clause.place;
        for (const { start } of tokenize(text.slice(offset, offset + clause.span.end)))
            yield { start: offset + start, end: offset + start };
        if (clause.kind !== 'rule' || clause.body.kind !== 'items') continue;
        const { items } = clause.body;
        for (const [index, first] of items.entries()) {
            for (const last of items.slice(index + 1)) yield { start: offset + first.span.start, end: offset + last.span.end };
        }
    }
}

export function textsOf({ text, folder }: Pick<ConformanceProgram, 'text' | 'folder'>): Texts {
    return [[FILE, text], ...includedTexts(folder)];
}

type Asked = Pick<ConformanceProgram, 'folder' | 'expectation'>;

export function observeTexts(program: Asked, [own, ...modules]: Texts): Promise<Observed> {
    return observe(program, own?.[1] ?? '', evaluate, new Set(), modules);
}

/** The changed program has no errors and gives the facts of the program before, in the columns that the change made of its. */
export async function expectSame(program: Asked, before: Observed, { title, texts }: Offer): Promise<void> {
    const where = `${title}\n${texts.map(([, text]) => text).join('\n')}`;
    const after = await observeTexts(program, texts).catch(error => {
        throw new Error(`${error} after ${where}`);
    });
    // A rule of its own is evaluated in matches too that the rest of the body left out, and its sums count in them.
    if (title === 'Extract to a predicate' && after.reports.includes('RT010')) return;
    const expected = new Map([...before.facts].map(([name, rows]) => [name, rows.map(row => changedRow(title, name, row))]));
    const actual = new Map(
        [...after.facts]
            .filter(([name]) => before.facts.has(name))
            .map(([name, rows]) => [name, rows.map(row => shownRow(title, name, row))]),
    );
    if (!sameFacts(actual, expected)) expect(`${where}\n${factsText(actual)}`).toBe(`${where}\n${factsText(expected)}`);
    const gone = title.startsWith('Remove argument') ? before.reports.filter(code => !after.reports.includes(code)) : [];
    expect([where, ...after.reports]).toEqual([where, ...before.reports.filter(code => !gone.includes(code))]);
}

/** A row of before in the columns of after. */
function changedRow(title: string, name: string, row: Row): Row {
    const [, removed, ofRemoved] = /^Remove argument (\d+) of '(\w+)'/.exec(title) ?? [];
    if (ofRemoved === name) return row.filter((_, column) => column + 1 !== Number(removed));
    const [, moved, ofMoved, direction] = /^Move argument (\d+) of '(\w+)' to the (left|right)$/.exec(title) ?? [];
    if (ofMoved !== name) return row;
    const column = Number(moved) - 1;
    const other = direction === 'left' ? column - 1 : column + 1;
    return row.map((value, at) => (at === column ? (row[other] ?? value) : at === other ? (row[column] ?? value) : value));
}

/** A row of after without the column that was added. */
function shownRow(title: string, name: string, row: Row): Row {
    const [, added] = /^(?:Add '\w+' to the arguments|Count the matches for each row) of '(\w+)'$/.exec(title) ?? [];
    return added === name ? row.slice(0, -1) : row;
}
