import { describe, expect, test } from 'vitest';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import { RuleDocument } from '#language/document/rule-document.ts';
import { cachedTokens, clauseTokens, nameTraits, semanticTokens } from '#language/editing/semantic-tokens.ts';
import { carrySymbols, symbolsOf, symbolsOfClause } from '#language/symbols/document-symbols.ts';
import { type SymbolIndex, symbolIndex } from '#language/symbols/symbol-index.ts';
import { documentsSharing, type Workspace, workspaceOf } from '#language/symbols/workspace.ts';

const TEXT = `@output("h"). p(1). p(2). constructor(1). __proto__(1).
h(X) <- p(X), not q(X), X > ?least, starts_with(X, "\${least}").
@param("least", 1). broken(X <- p(X
`;

function answers(index: SymbolIndex, names: readonly string[]): unknown {
    return names.map(name => ({
        name,
        introduced: index.introduces(name),
        places: index.named(name).map(({ clause, mention }) => clause.place.offset + mention.span.start),
        parameters: index.parameter(name).length,
    }));
}

const NAMES = ['p', 'q', 'h', 'least', 'broken', 'starts_with', 'constructor', '__proto__', 'toString'];

describe('the index of symbols', () => {
    test('is the same whatever came and went', () => {
        const document = openDocument(TEXT, 'a.rulelang');
        const { clauses } = document.analysed.program;
        const index = symbolIndex();
        for (const clause of [...clauses].reverse()) index.add(clause, symbolsOfClause(document, clause));
        for (const clause of clauses.slice(1, 4)) index.remove(clause, symbolsOfClause(document, clause));
        for (const clause of clauses.slice(1, 4)) index.add(clause, symbolsOfClause(document, clause));
        expect(answers(index, NAMES)).toEqual(answers(symbolsOf(document), NAMES));
    });

    test('forgets what is removed', () => {
        const document = openDocument(TEXT, 'a.rulelang');
        const index = symbolIndex();
        for (const clause of document.analysed.program.clauses) index.add(clause, symbolsOfClause(document, clause));
        for (const clause of document.analysed.program.clauses) index.remove(clause, symbolsOfClause(document, clause));
        expect([...index.introduced()]).toEqual([]);
        expect(NAMES.flatMap(name => index.named(name))).toEqual([]);
    });

    test('knows what introduces a predicate', () => {
        const index = symbolsOf(openDocument(TEXT, 'a.rulelang'));
        expect(NAMES.filter(name => index.introduces(name))).toEqual(['p', 'h', 'broken', 'constructor']);
    });

    test('goes on from one version of a document to the next', () => {
        const edited = RuleDocument.open(TEXT, 'a.rulelang');
        symbolsOf(edited.current);
        const changes = [
            { start: 14, end: 14, text: 'q(3). ' },
            { start: 0, end: 14, text: '' },
            { start: 20, end: 40, text: 'p("' },
            { start: 22, end: 23, text: '' },
        ];
        for (const change of changes) {
            const before = edited.current;
            const kept = symbolsOf(before);
            const after = edited.change([change]);
            carrySymbols(before, after);
            expect(symbolsOf(after)).toBe(kept);
            expect(answers(kept, NAMES)).toEqual(answers(symbolsOf(openDocument(after.text, 'a.rulelang')), NAMES));
        }
    });
});

describe('modules', () => {
    const document = (file: string, text: string) => openDocument(text, file);
    const filesSharing = (workspace: Workspace, from: OpenDocument, name: string) =>
        documentsSharing(workspace, from, other => symbolsOf(other).named(name).length > 0).map(({ file }) => file);

    test('a name reaches what a program includes, directly and through others, and the programs that include it', () => {
        const main = document('main', '@include("one"). @output("q"). q(X) <- p(X).');
        const one = document('one', '@module("one"). @include("sub/two").');
        const two = document('sub/two.rulelang', 'p(1). q(1).');
        const alone = document('alone', 'p(1).');
        const workspace = workspaceOf(alone, two, one, main);
        expect(filesSharing(workspace, main, 'p')).toEqual(['main', 'sub/two.rulelang']);
        expect(filesSharing(workspace, two, 'p')).toEqual(['sub/two.rulelang', 'main']);
        expect(filesSharing(workspace, alone, 'p')).toEqual(['alone']);
    });

    test('programs that include one module share what the module mentions and nothing else', () => {
        const shared = document('shared.rulelang', 'base(1).');
        const a = document('a.rulelang', '@include("shared"). p(X) <- base(X).');
        const b = document('b.rulelang', '@include("shared"). p(X) <- base(X).');
        const workspace = workspaceOf(shared, a, b);
        expect(filesSharing(workspace, a, 'base')).toEqual(['a.rulelang', 'shared.rulelang', 'b.rulelang']);
        expect(filesSharing(workspace, a, 'p')).toEqual(['a.rulelang']);
    });

    test('files that include each other', () => {
        const a = document('a', '@include("b"). p(X) <- q(X).');
        const b = document('b', '@module("b"). @include("a"). q(X) <- p(X).');
        expect(filesSharing(workspaceOf(a, b), b, 'p')).toEqual(['b', 'a']);
    });
});

describe('semantic tokens', () => {
    test('of a clause are kept while its names mean the same', () => {
        const document = openDocument(TEXT, 'a.rulelang');
        const clause = document.analysed.program.clauses[1];
        if (clause === undefined) throw new Error('no clause');
        const first = cachedTokens(document, clause, nameTraits(document));
        expect(cachedTokens(document, clause, nameTraits(document))).toBe(first);
        const traits = { ...nameTraits(document), isExternal: () => true };
        expect(cachedTokens(document, clause, traits)).not.toBe(first);
        expect(clauseTokens('p(1).', traits).map(({ start, length, type }) => [start, length, type])).toEqual([
            [0, 1, 'predicate'],
            [2, 1, 'number'],
        ]);
    });

    test('of a range are those of the document in its clauses', () => {
        const document = openDocument(TEXT, 'a.rulelang');
        const start = TEXT.indexOf('h(X)');
        const range = { start, end: start + 5 };
        const all = semanticTokens(document).filter(token => token.start >= start && token.start < TEXT.indexOf('@param'));
        expect(semanticTokens(document, range)).toEqual(all);
    });
});
