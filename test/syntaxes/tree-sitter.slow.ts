import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AstNode, AstUtils } from 'langium';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedText } from '#language/document/text-change.ts';
import { isBinaryText } from '#language/generated/ast.ts';
import { createRuleLangServices } from '#language/services.ts';
import { splitClauses } from '#language/syntax/split-clauses.ts';
import { randomChange, randomNumbers } from '../language/document/random-edits.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GRAMMAR = join(ROOT, 'syntaxes/tree-sitter');
const SOURCES = ['parser.c', 'scanner.c'].map(name => join(GRAMMAR, 'src', name));
const { LangiumParser: parser } = createRuleLangServices().parser;

/** A node of a tree: its type and where it is, as `atom 0 4`. */
type Node = string;

/** The nodes of all clauses in order; undefined where one is wrong. */
function ourNodes(text: string): Node[] | undefined {
    const nodes: Node[] = [];
    for (const { place, end } of splitClauses(text, 'program')) {
        const { value, lexerErrors, parserErrors } = parser.parse(text.slice(place.offset, end));
        if (lexerErrors.length + parserErrors.length > 0) return undefined;
        for (const node of AstUtils.streamAst(value)) {
            const type = node.$type.replace(/Text$/u, '').toLowerCase();
            nodes.push(`${type} ${place.offset + startOf(node)} ${place.offset + endOf(node)}`);
        }
    }
    return nodes;
}

/** The operations of an expression say of themselves that they are all of it. */
function startOf(node: AstNode): number {
    return isBinaryText(node) ? startOf(node.left) : (node.$cstNode?.offset ?? Number.NaN);
}

function endOf(node: AstNode): number {
    return isBinaryText(node) ? endOf(node.right) : (node.$cstNode?.end ?? Number.NaN);
}

const WRONG = /^(?:ERROR|MISSING) /u;

let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rulelang-tree-sitter-'));
    const driver = join(ROOT, 'test/syntaxes/tree-sitter/print-trees.c');
    execFileSync('gcc', ['-O1', '-o', join(folder, 'print-trees'), '-I', join(GRAMMAR, 'src'), driver, ...SOURCES, '-ltree-sitter']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The nodes that tree-sitter sees in each program, without tokens, `program`, and comments. */
function theirNodes(texts: readonly string[]): Node[][] {
    const input = texts.flatMap(text => {
        const bytes = Buffer.from(text, 'utf16le');
        const length = Buffer.alloc(4);
        length.writeUInt32LE(bytes.length);
        return [length, bytes];
    });
    const { stdout, status } = spawnSync(join(folder, 'print-trees'), { input: Buffer.concat(input), maxBuffer: 2 ** 30 });
    expect(status).toBe(0);
    const rules: Record<string, { type: string }> = JSON.parse(readFileSync(join(GRAMMAR, 'src/grammar.json'), 'utf8')).rules;
    const tokens = new Set(Object.keys(rules).filter(name => rules[name]?.type === 'PATTERN' || name === 'program'));
    tokens.add('query');
    return stdout
        .toString()
        .split('\n\n')
        .slice(0, -1)
        .map(nodes => nodes.split('\n').filter(node => node !== '' && !tokens.has(node.split(' ', 1)[0] ?? '')));
}

const CORPUS = ['samples', 'test', 'docs', 'bench'];
const programs = CORPUS.flatMap(name => readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).map(path => join(name, path)))
    .filter(path => path.endsWith('.rulelang'))
    .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** Where the trees of programs differ; a program with a mistake has one in both. */
function differences(programs: readonly { readonly path: string; readonly text: string }[]): string[] {
    const theirs = theirNodes(programs.map(({ text }) => text));
    return programs.flatMap(({ path, text }, index) => {
        const ours = ourNodes(text);
        const found = theirs[index] ?? [];
        if (ours === undefined) return found.some(node => WRONG.test(node)) ? [] : [`${path}: nothing is wrong`];
        const first = ours.findIndex((node, at) => node !== found[at]);
        return first < 0 && found.length === ours.length ? [] : [`${path}: ${found[first]} for ${ours[first]}`];
    });
}

test(`trees are those of the parser, in ${programs.length} programs`, () => {
    expect(programs.length).toBeGreaterThan(500);
    expect(differences(programs)).toEqual([]);
});
test('trees are those of the parser where a program was changed and is still one', () => {
    const below = randomNumbers(7);
    const changed = programs
        .filter(({ text }) => text.length < 3000)
        .flatMap(({ path, text }) =>
            Array.from({ length: 10 }, () => ({ path, text: changedText(text, randomChange(text, below)) })).filter(
                program => ourNodes(program.text) !== undefined,
            ),
        );
    expect(changed.length).toBeGreaterThan(500);
    expect(differences(changed)).toEqual([]);
});

test('Neovim colours a program with it', () => {
    const library = join(folder, 'rulelang.so');
    execFileSync('gcc', ['-O1', '-shared', '-fPIC', '-o', library, '-I', join(GRAMMAR, 'src'), ...SOURCES]);
    const program = join(folder, 'program.rulelang');
    const answer = join(folder, 'captures.json');
    writeFileSync(program, '% who\n@output("p").\np(X) <- q(X, "a"), not r(null), X > 1.5, s.\np(X) <- select a.b from t.');
    const script = join(ROOT, 'test/syntaxes/tree-sitter/captures.lua');
    const files = [library, join(GRAMMAR, 'queries/highlights.scm'), program, answer];
    execFileSync('nvim', ['--headless', '--clean', '-n', '-c', `luafile ${script}`, '--', ...files], { timeout: 60_000, stdio: 'ignore' });
    const seen: [string, string][] = JSON.parse(readFileSync(answer, 'utf8'));
    const last = new Map(seen.map(([capture, text]) => [text, capture]));
    expect(Object.fromEntries(last)).toMatchObject({
        '% who': 'comment',
        '@output("p")': 'attribute',
        p: 'function',
        q: 'function',
        s: 'constant',
        X: 'variable',
        '"a"': 'string',
        '1.5': 'number',
        not: 'keyword.operator',
        null: 'constant.builtin',
        '<-': 'operator',
        'select a.b from t': 'embedded',
    });
});
