import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { openDocument } from '#language/document/open-document.ts';
import { RuleDocument } from '#language/document/rule-document.ts';
import { semanticTokens, TOKEN_MODIFIERS, TOKEN_TYPES } from '#language/editing/semantic-tokens.ts';
import { carrySymbols } from '#language/symbols/document-symbols.ts';
import { TokenSheet, tokenNumbers } from '#server/lsp/token-sheet.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { type Encoding, textPositions } from '#server/workspace/text-positions.ts';
import { generatedText } from '../../language/document/generated-text.ts';
import { changeAtLine, randomChange, randomNumbers } from '../../language/document/random-edits.ts';

function editorDocument(program: EditorDocument['program'], encoding: Encoding): EditorDocument {
    const document = TextDocument.create('file:///a.rulelang', 'rulelang', 1, program.text);
    return {
        uri: document.uri,
        version: 1,
        program,
        step: () => false,
        tablesOf: () => [],
        scriptText: () => undefined,
        stampOf: () => undefined,
        freshenSources: () => undefined,
        ...textPositions(document, encoding),
    };
}

/** Every token as its places in the document and what it is. */
function decoded(numbers: readonly number[]): string[] {
    const tokens: string[] = [];
    let [line, character] = [0, 0];
    for (let at = 0; at < numbers.length; at += 5) {
        const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = numbers.slice(at, at + 5);
        line += down;
        character = down === 0 ? character + right : right;
        const names = TOKEN_MODIFIERS.filter((_, bit) => (modifiers >> bit) % 2 === 1);
        tokens.push(`${line}:${character}-${character + length} ${TOKEN_TYPES[type]} ${names.join()}`);
    }
    return tokens;
}

function wanted(text: string, encoding: Encoding): string[] {
    const program = openDocument(text, 'a.rulelang');
    const { rangeOf } = editorDocument(program, encoding);
    return semanticTokens(program).map(({ start, length, type, modifiers }) => {
        const range = rangeOf({ start, end: start + length });
        const names = TOKEN_MODIFIERS.filter(name => modifiers.includes(name));
        return `${range.start.line}:${range.start.character}-${range.end.character} ${type} ${names.join()}`;
    });
}

test.each<Encoding>(['utf-16', 'utf-8'])('edits of tokens lead to the tokens of the text, in %s', encoding => {
    for (let seed = 1; seed <= 2; seed++) {
        const below = randomNumbers(seed);
        const rules = RuleDocument.open(`p("😀ü"). ${generatedText(25, below)}`, 'a.rulelang');
        const sheet = new TokenSheet(encoding);
        let numbers = sheet.full(editorDocument(rules.current, encoding));
        for (let i = 0; i < 12; i++) {
            for (let changes = below(3); changes >= 0; changes--) {
                const before = rules.current;
                const change = below(3) === 0 ? changeAtLine(before.text, below) : randomChange(before.text, below);
                carrySymbols(before, rules.change([change]));
            }
            const document = editorDocument(rules.current, encoding);
            const edits = sheet.edits(document);
            for (const { start, deleteCount, data } of edits.toReversed()) numbers = numbers.toSpliced(start, deleteCount, ...(data ?? []));
            const all = wanted(document.text, encoding);
            expect(decoded(numbers), `seed ${seed}, change ${i}`).toEqual(all);
            if (i % 5 > 0) continue;
            expect(decoded(tokenNumbers(document, { start: 0, end: document.text.length }, encoding))).toEqual(all);
            expect(new TokenSheet(encoding).full(document)).toEqual(numbers);
        }
    }
});

test('a name that becomes a predicate changes the tokens of the clauses that mention it, and of no others', () => {
    const text = 'q(X) <- p(X), year(X).\nr(X) <- p(X).\ns(X) <- p(X), not year(X).\nfact(1).\n';
    const rules = RuleDocument.open(text, 'a.rulelang');
    const sheet = new TokenSheet('utf-16');
    sheet.full(editorDocument(rules.current, 'utf-16'));
    const before = rules.current;
    carrySymbols(before, rules.change([{ start: text.indexOf('fact'), end: text.indexOf('fact') + 4, text: 'year' }]));
    const edits = sheet.edits(editorDocument(rules.current, 'utf-16'));
    expect(edits.map(({ deleteCount }) => deleteCount / 5)).toEqual([6, 8]);
    expect(sheet.edits(editorDocument(rules.current, 'utf-16'))).toEqual([]);
});
