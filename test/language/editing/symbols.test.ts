import { describe, expect, test } from 'vitest';
import { RuleDocument } from '#language/document/rule-document.ts';
import { openDocument } from '#language/editing/open-document.ts';
import { cachedTokens, clauseTokens, nameTraits, semanticTokens } from '#language/editing/semantic-tokens.ts';
import { carrySymbols, symbolsOf, symbolsOfClause } from '#language/symbols/document-symbols.ts';
import { type SymbolIndex, symbolIndex } from '#language/symbols/symbol-index.ts';
import { connectedDocuments, workspaceOf } from '#language/symbols/workspace.ts';

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

test('modules connect documents, directly and through others', () => {
    const main = openDocument('@include("one"). p(1).', 'main');
    const one = openDocument('@module("one"). @include("two").', 'one');
    const two = openDocument('@module("two"). q(1).', 'two');
    const alone = openDocument('p(1).', 'alone');
    const workspace = workspaceOf(alone, two, one, main);
    expect(connectedDocuments(workspace, main).map(({ file }) => file)).toEqual(['main', 'one', 'two']);
    expect(connectedDocuments(workspace, two).map(({ file }) => file)).toEqual(['two', 'one', 'main']);
    expect(connectedDocuments(workspace, alone).map(({ file }) => file)).toEqual(['alone']);
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
