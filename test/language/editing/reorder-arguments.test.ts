import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analysedDocument, type OpenDocument } from '#language/document/open-document.ts';
import { refusedRefactorings, reorderAt, reorderableAt } from '#language/editing/refactorings.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { check, FILE } from '../../support/conformance.ts';
import { readExpectation, sameFacts } from '../../support/expected-facts.ts';
import { observeTexts } from '../../support/refactored.ts';
import { applied } from './editing-markers.ts';

let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rulelang-reorder-'));
    writeFileSync(join(folder, 'sales.csv'), 'region,item,amount\nnorth,pen,3\nnorth,ink,7\nsouth,pen,5\n');
    writeFileSync(join(folder, 'twice.csv'), 'a,a,b\n1,2,3\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The program with the columns of its files; the place of `¦`, which goes, is the one that is asked about. */
function opened(marked: string): { readonly document: OpenDocument; readonly at: number } {
    const text = marked.replace('¦', '');
    return { document: analysedDocument(text, check(text, new Map(), folder).program, []), at: marked.indexOf('¦') };
}

function orders(count: number): readonly (readonly number[])[] {
    if (count === 0) return [[]];
    return orders(count - 1).flatMap(order => Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)));
}

const FOLLOWING: readonly (readonly [about: string, text: string])[] = [
    [
        'facts, heads and shorter atoms',
        'p(¦1, 2, 3). p(2, 2, 4).\nq(A, B, C) <- p(A, B, C), not p(B), p(B, _, D), D > C.\nr(A) <- p(A).\n@output("q"). @output("r").',
    ],
    [
        'a model and the positions of directives',
        '@model("t", "[\'region:string\', \'item:string\', \'amount:int\']", "[item] is sold").\n@output("t"). @post("t", "argmax(3, <1>)"). @post("t", "orderby(-3, 1)").\nt(¦R, I, A) <- s(R, I, A).\ns("n", "pen", 3). s("n", "ink", 7). s("s", "pen", 5).',
    ],
    ['a limit', '@output("t").\n@post("t", "limit(2)").\nt(¦A, B, C) <- s(A, B, C).\ns(3, 1, 2). s(1, 2, 3). s(2, 3, 1). s(1, 2, 2).'],
    [
        'a limit of rows in an order with ties',
        '@output("t").\n@post("t", "limit(2)"). @post("t", "limit(3)").\n@post("t", "orderby(-2)").\nt(¦A, B, C) <- s(A, B, C).\ns(3, 5, 2). s(1, 5, 3). s(1, 5, 2). s(2, 0, 1).',
    ],
    [
        'a file with a header',
        '@input("s").\n@bind("s", "csv useHeaders=true", "", "sales.csv").\nt(R, A) <- s(¦R, _, A), not s(_, R, _).\n@output("t").',
    ],
    [
        'a file with a header, a model and a mapping',
        '@bind("s", "csv useHeaders=true", "", "sales.csv"). @mapping("s", 2, "amount", "int").\n@model("s", "[\'region:string\', \'item:string\', \'amount:int\']").\nt(R, T) <- s(¦R, _, A), T = sum(A).\n@output("t").',
    ],
];

describe('arguments in any order leave the facts as they are', () => {
    test.each(FOLLOWING)('%s', async (_, marked) => {
        const { document, at } = opened(marked);
        const workspace = workspaceOf(document);
        const name = reorderableAt(workspace, document, at)?.name;
        const program = { folder, expectation: readExpectation('') };
        const before = await observeTexts(program, [[FILE, document.text]]);
        expect([...before.facts.values()].flat()).not.toEqual([]);
        for (const order of orders(3)) {
            const edits = reorderAt(workspace, document, at, order)?.edits();
            expect(edits).toBeDefined();
            const text = applied(document.text, edits?.get(FILE) ?? []);
            const after = await observeTexts(program, [[FILE, text]]);
            const expected = new Map(
                [...before.facts].map(([key, rows]) => [
                    key,
                    key === name ? rows.map(row => order.flatMap(column => row[column] ?? [])) : rows,
                ]),
            );
            expect({ text, order, same: sameFacts(after.facts, expected) }).toEqual({ text, order, same: true });
        }
    });

    test('the columns of a file are found by their names then', () => {
        const { document, at } = opened('@bind("s", "csv useHeaders=true", "", "sales.csv").\nt(I) <- s(_, ¦I, _).\n@output("t").');
        const edits = reorderAt(workspaceOf(document), document, at, [1, 0, 2])?.edits().get(FILE) ?? [];
        expect(applied(document.text, edits)).toBe(
            '@bind("s", "csv useHeaders=true", "", "sales.csv"). @mapping("s", 0, "item", "string"). @mapping("s", 1, "region", "string").\nt(I) <- s(I, _, _).\n@output("t").',
        );
    });

    test('the words for the columns', () => {
        const { document, at } = opened('@bind("s", "csv useHeaders=true", "", "sales.csv").\nt(I) <- s(_, ¦I, _).\n@output("t").');
        expect(reorderableAt(workspaceOf(document), document, at)).toEqual({ name: 's', columns: ['region', 'item', 'amount'] });
    });

    test('what is no order changes nothing', () => {
        const { document, at } = opened('p(¦1, 2, 3).\nq(A) <- p(A, _, _).\n@output("q").');
        for (const order of [[0, 1], [0, 1, 1], [0, 1, 3], []])
            expect(reorderAt(workspaceOf(document), document, at, order)).toBeUndefined();
    });
});

describe('columns that have only their place stay, and it is said why', () => {
    test.each([
        ['a file without a header', '@bind("s", "csv", "", "sales.csv").\nt(I) <- s(_, ¦I, _).\n@output("t").', /useHeaders=true/u],
        [
            'a file that is not there',
            '@bind("s", "csv useHeaders=true", "", "no.csv").\nt(I) <- s(_, ¦I, _).\n@output("t").',
            /can be read/u,
        ],
        ['two columns of one name', '@bind("s", "csv useHeaders=true", "", "twice.csv").\nt(I) <- s(_, ¦I, _).\n@output("t").', /@bind/u],
        [
            'a file that is written',
            '@bind("t", "csv useHeaders=true", "", "o.csv").\nt(¦I, J) <- s(J, I).\ns(1, 2).\n@output("t").',
            /is written/u,
        ],
        ['rows from outside', '@input("s").\nt(I) <- s(_, ¦I, _).\n@output("t").', /@input/u],
        ['a limit before all else', '@post("t", "prelimit(1)").\nt(¦I, J) <- s(J, I).\ns(1, 2).\n@output("t").', /@post/u],
    ])('%s', (_, marked, reason) => {
        const { document, at } = opened(marked);
        const workspace = workspaceOf(document);
        expect(reorderableAt(workspace, document, at)).toBeUndefined();
        expect(refusedRefactorings(workspace, document, { start: at, end: at })).toMatchObject([{ reason: expect.stringMatching(reason) }]);
    });
});
