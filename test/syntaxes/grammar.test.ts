import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar } from 'vscode-textmate';
import { withLibraryNames } from '#language/editing/grammar-names.ts';
import { treeSitterGrammar } from '#language/editing/tree-sitter-grammar.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FIXTURES = join(ROOT, 'test/syntaxes');
/** Of a text: a place for the value of a parameter. */
const HOLE = ['a $', '{b} '].join('');

/**
 * A fixture is a program in which a line `% ^^^ scope other` says which scopes the text above its carets has, innermost
 * last; a scope may be written by its beginning. `%<- scope` speaks of the first character of the line above.
 */
interface Expectation {
    readonly line: number;
    readonly start: number;
    readonly end: number;
    readonly scopes: readonly string[];
}

/** What a page in Markdown is for this test: paragraphs. */
const MARKDOWN = JSON.stringify({ scopeName: 'text.html.markdown', patterns: [] });
const FENCED = 'markdown.rulelang.codeblock';

let grammar: IGrammar;
let markdown: IGrammar;
beforeAll(async () => {
    const wasm = readFileSync(join(createRequire(import.meta.url).resolve('vscode-oniguruma'), '../onig.wasm'));
    await oniguruma.loadWASM(wasm);
    const paths: Readonly<Record<string, string>> = {
        'source.rulelang': join(ROOT, 'syntaxes/rulelang.tmLanguage.json'),
        [FENCED]: join(ROOT, 'syntaxes/markdown.tmLanguage.json'),
    };
    const registry = new textmate.Registry({
        onigLib: Promise.resolve({
            createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
            createOnigString: text => new oniguruma.OnigString(text),
        }),
        // The editor has a grammar of SQL; here its place stays empty.
        loadGrammar: async scope => {
            if (scope === 'text.html.markdown') return textmate.parseRawGrammar(MARKDOWN, 'markdown.json');
            const path = paths[scope];
            return path === undefined ? null : textmate.parseRawGrammar(readFileSync(path, 'utf8'), path);
        },
        getInjections: scope => (scope === 'text.html.markdown' ? [FENCED] : undefined),
    });
    const load = async (scope: string): Promise<IGrammar> =>
        (await registry.loadGrammar(scope)) ?? expect.fail(`the grammar ${scope} could not be loaded`);
    grammar = await load('source.rulelang');
    markdown = await load('text.html.markdown');
});

test('the names of the library are in the grammar; else run npm run generate', () => {
    const text = readFileSync(join(ROOT, 'syntaxes/rulelang.tmLanguage.json'), 'utf8');
    expect(withLibraryNames(text)).toBe(text);
});

test.each(['```rulelang', '   ~~~~ rulelang title="x"'])(
    'a block of Markdown that begins with %s has the colours of a program',
    opening => {
        const fence = opening.trim().replace(/[^`~].*$/u, '');
        let state = textmate.INITIAL;
        const scopes = ['Text', opening, 'p("a").', fence, 'p("a").'].map(line => {
            const { tokens, ruleStack } = markdown.tokenizeLine(line, state);
            state = ruleStack;
            return new Set(tokens.flatMap(token => token.scopes));
        });
        expect(scopes.map(found => found.has('meta.embedded.block.rulelang'))).toEqual([false, false, true, false, false]);
        expect(scopes[2]).toContain('string.quoted.double.rulelang');
    },
);

test('the grammar for tree-sitter is the one that follows from ours', () => {
    expect(readFileSync(join(ROOT, 'syntaxes/tree-sitter/src/grammar.json'), 'utf8')).toBe(treeSitterGrammar());
});

describe('scopes', () => {
    const fixtures = readdirSync(FIXTURES).filter(name => name.endsWith('.txt'));

    test.each(fixtures)('%s', name => {
        const { lines, expectations } = readFixture(readFileSync(join(FIXTURES, name), 'utf8'));
        const tokens = tokensOf(lines);
        const wrong = expectations.flatMap(({ line, start, end, scopes }) => {
            const found = (tokens[line] ?? []).filter(token => token.startIndex < end && token.endIndex > start);
            const text = lines[line]?.slice(start, end);
            return found
                .filter(token => !hasScopes(token.scopes, scopes))
                .map(token => `line ${line + 1}, '${text}': ${token.scopes.slice(1).join(' ')} instead of ${scopes.join(' ')}`);
        });
        expect(wrong).toEqual([]);
        expect(expectations.length).toBeGreaterThan(0);
    });
});

describe('robustness', () => {
    const samples = ['audit', 'control', 'genealogy', 'parts', 'reachability'];

    test.each(samples)('every line of %s begins a clause or continues one', name => {
        const lines = readFileSync(join(ROOT, `samples/${name}/${name}.rulelang`), 'utf8').split('\n');
        const states = tokensOf(lines);
        const heads = lines.flatMap((line, index) => (/^[a-z]\w*\(/u.test(line) ? [states[index]?.[0]] : []));
        expect(heads.length).toBeGreaterThan(3);
        for (const head of heads) expect(head?.scopes).not.toContain('meta.body.rulelang');
    });

    test('a missing dot is forgotten at the next rule', () => {
        const [, second] = tokensOf(['p(X) <- q(X)', 'r(X) <- s(X).']);
        expect(second?.[0]?.scopes).toEqual(['source.rulelang', 'entity.name.function.predicate.rulelang']);
    });

    test('the time for a line follows its length', { retry: 2 }, () => {
        const line = (parts: number): string => `p("${HOLE.repeat(parts)}", ${'['.repeat(parts)}`;
        expect(growth(parts => tokensOf([line(parts)]), 3000)).toBeLessThan(MOST_GROWTH);
    });
});

interface Token {
    readonly startIndex: number;
    readonly endIndex: number;
    readonly scopes: readonly string[];
}

function tokensOf(lines: readonly string[]): Token[][] {
    let stack = textmate.INITIAL;
    return lines.map(line => {
        const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
        stack = ruleStack;
        return tokens;
    });
}

function readFixture(text: string): { readonly lines: string[]; readonly expectations: Expectation[] } {
    const lines: string[] = [];
    const expectations: Expectation[] = [];
    for (const line of text.split('\n')) {
        const match = /^%( *)(\^+|<-)\s+(\S.*)$/u.exec(line);
        if (match === null) {
            lines.push(line);
            continue;
        }
        const [, blanks = '', carets = '', scopes = ''] = match;
        const start = carets === '<-' ? 0 : 1 + blanks.length;
        expectations.push({
            line: lines.length - 1,
            start,
            end: start + (carets === '<-' ? 1 : carets.length),
            scopes: scopes.split(/\s+/u),
        });
    }
    return { lines, expectations };
}

/** The scopes, in order, begin as they are asked for; `-` alone asks for no scope of the language at all. */
function hasScopes(found: readonly string[], asked: readonly string[]): boolean {
    if (asked[0] === '-') return found.length === 1;
    let at = 0;
    for (const scope of found) {
        const wanted = asked[at];
        if (wanted !== undefined && (scope === wanted || scope.startsWith(`${wanted}.`))) at++;
    }
    return at === asked.length;
}
