import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_ERRORS } from '#server/protocol/platform/errors.ts';
import { callsTo, V1 } from '../api/calls.ts';
import { type Answered, answered, type Body, startServices } from '../api/services.ts';
import { CLI, ended, folderWith, start } from '../cli/command-line.ts';
import { LanguageClient } from '../lsp/language-client.ts';
import { englishIn, PSEUDO } from '../support/pseudo-language.ts';

let words = '';
let environment: Record<string, string> = {};
beforeAll(() => {
    words = mkdtempSync(join(tmpdir(), 'rulelang-words-'));
    mkdirSync(join(words, 'pseudo'));
    writeFileSync(join(words, 'pseudo/all.json'), JSON.stringify(PSEUDO));
    environment = { RULELANG_LOCALE: join(words, 'pseudo') };
});
afterAll(() => rmSync(words, { recursive: true }));

/** Names, formats and markup that no language translates. */
const NAMES = `rulelang RL RT MiB ms csv json jsonl ndjson parquet xlsx md sql facts box record auto always never NO FORCE COLOR lt gt quot amp parts of
    resultSet types columnNames STRING INT
    digraph dependencies rankdir TB node shape box style rounded fontname Helvetica fontsize subgraph cluster label color gray blue
    peripheries penwidth cylinder arrowhead diamond dashed odot
    example table text flame all dx chat completions`;

const PROGRAM = `@output("reach"). @output("far"). @output("total").
edge("k", "m"). edge("m", "p"). edge("p", "k").
reach(X, Y) <- edge(X, Y).
reach(X, Z) <- reach(X, Y), edge(Y, Z), Unused = 1.
@bind("price", "csv useHeaders=true", "", "price.csv").
@model("price", "['item:string', 'cost:int']").
total(S) <- price(I, C), S = msum(C).
far(X) <- reach(X, "q"), not edge(X, "k").
`;
const FILES = {
    'reach.rulelang': PROGRAM,
    'price.csv': 'item,cost\na,1\na,1\nb,two\nc\n"d"x,4\n',
    'stops.rulelang': '@output("q"). p(1, 0). q(Z) <- p(X, Y), Z = X / Y.\n',
    'wrong.rulelang': '@output("q").\nq(X) <- p(Y).\nq(X <- .\n',
};
/** What requests are about. */
const REQUESTED = 'zz zzzz postgresql spark nowhere POST params program programName line column bind qbind csv';
const RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">zz</rdf:RDF>';
const WRITTEN = Object.entries(FILES).flat().join(' ');

test.each([
    'run reach.rulelang --stats',
    'run reach.rulelang --format json --profile text',
    'run reach.rulelang --profile flame',
    'run reach.rulelang --output none',
    'run stops.rulelang',
    'run missing.rulelang --wrong',
    'check wrong.rulelang reach.rulelang',
    'explain reach.rulelang reach("k",X) --limit 1',
    'explain reach.rulelang reach("k","q")',
    'explain reach.rulelang total(9)',
    'graph reach.rulelang',
    'help RL2002',
    'help run',
])('%s', async line => {
    const folder = folderWith(FILES);
    const { stdout, stderr } = await ended(start(folder, line.split(' '), environment));
    expect(englishIn(withoutMarkup(`${stdout}${stderr}`), NAMES, WRITTEN, line, folder)).toEqual([]);
});

test('a language server', async () => {
    const capabilities = {
        textDocument: {
            hover: { contentFormat: ['markdown'] },
            codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
            completion: { completionItem: { documentationFormat: ['markdown'] } },
        },
    };
    const client = await LanguageClient.start({ capabilities, environment, files: FILES, door: 'command line', lenses: true });
    try {
        const name = 'wrong.rulelang';
        const textDocument = { uri: client.uri(name) };
        const text = '@output("total").\ntotal(R, S) <- sale(R, V), S = msum(V), is_null(W).\nsale("north", 3).\n';
        const { diagnostics } = await client.open(name, text);
        const range = { start: { line: 0, character: 0 }, end: { line: 3, character: 0 } };
        const ask = (method: string, line: number, character: number, more: object = {}): Promise<unknown> =>
            client.request(`textDocument/${method}`, { textDocument, position: { line, character }, ...more });
        const answers = [
            diagnostics,
            ...(await Promise.all([2, 17, 31, 42].map(character => ask('hover', 1, character)))),
            await ask('hover', 0, 3),
            await ask('signatureHelp', 1, 36),
            await ask('completion', 1, 15),
            await client.request('textDocument/codeAction', { textDocument, range, context: { diagnostics } }),
            await client.request('textDocument/codeLens', { textDocument }),
            await client.request('textDocument/documentSymbol', { textDocument }),
            { value: await client.request('rulelang/problemHelp', { code: 'RL2002' }) },
        ];
        const said = answers.flatMap(shownIn);
        expect(said.length).toBeGreaterThan(30);
        expect(said.filter(one => englishIn(withoutMarkup(one), NAMES, text).length > 0)).toEqual([]);
    } finally {
        await client.stop();
    }
});

test('services', async () => {
    const services = await startServices({}, [], { file: process.execPath, before: [CLI], env: environment });
    try {
        const { call, post, get } = callsTo(() => services);
        await post('/projects/save', { project: { id: 'p', name: 'P' } });
        const save = (definition: string, name: string): Promise<Answered> =>
            post('/concepts/p/save', { definition, output_predicate: name });
        await save('q(Z) <- p(X, Y), Z = X / Y. p(1, 0). @output("q").', 'q');
        const platform = await Promise.all([
            call('POST', `${V1}/projects/save`, { text: '{', headers: { 'content-type': 'application/json' } }),
            save('q(X <- .', 'q'),
            save('a(1). b(2).', 'c'),
            post('/concepts/p/run/q', {}),
            post('/concepts/p/run/q', { compute: { backend: 'spark' } }),
            get('/concepts/p/fetch?output_predicate=q&order_by=zz'),
            post('/rulelang/build-bind', { bindAnnotation: 'p(1).', predicateName: 'q' }),
            post('/rulelingo/p/translate/rdf-to-rulelang', { rdf_data: RDF }),
            post('/data/connect', { database: { databaseType: 'postgresql', host: 'h', databaseName: 'd', username: '', password: '' } }),
            post('/rulelingo/p/translate/nl-to-rulelang', { domain_knowledge: 'x' }),
        ]);
        const engine = await Promise.all(
            [
                { path: '/evaluate', body: 'program=' },
                { path: '/evaluate', body: 'program=q(X <- .' },
                { path: '/evaluateFromRepoWithParams', body: 'programName=../x' },
                { path: '/evaluateFromRepoWithParams', body: 'programName=x&params=a' },
                { path: '/nowhere', body: '' },
            ].map(async ({ path, body }) =>
                answered(
                    await fetch(`${services.engine}${path}`, {
                        method: 'POST',
                        headers: { 'content-type': 'application/x-www-form-urlencoded' },
                        body,
                    }),
                ),
            ),
        );
        const chat = (body: unknown, path = '/api/rulelang'): Promise<Answered> =>
            fetch(`${services.chat}${path}`, {
                method: 'POST',
                headers: { 'content-type': 'application/json' },
                body: JSON.stringify(body),
            }).then(answered);
        const assistant = await Promise.all([chat({ query: 'zzzz' }), chat({ messages: [] }, '/api/docsChat'), chat({}, '/nowhere')]);
        const answers = [...platform, ...engine, ...assistant];
        const said = answers.map(({ body }) => unframed(body));
        expect(said.filter(text => /\p{L}/u.test(text) && !/^[\p{ASCII}]*$/u.test(text)).length).toBeGreaterThan(12);
        expect(said.filter(text => englishIn(text, NAMES, REQUESTED).length > 0)).toEqual([]);
    } finally {
        await services.stop();
    }
});

const SIGNATURE = /^[\w:#@]+\(.*\) → .*$/u;

/** What an editor shows of an answer. */
function shownIn(answer: unknown): string[] {
    if (typeof answer !== 'object' || answer === null) return [];
    return Object.entries(answer).flatMap(([key, value]) =>
        typeof value === 'string' && ['detail', 'documentation', 'message', 'title', 'value'].includes(key) && !SIGNATURE.test(value)
            ? [value]
            : shownIn(value),
    );
}

/** What an answer says but for the sentence of its code. */
function unframed({ code, message = '', response, data }: Body): string {
    const frame = code === undefined ? undefined : Object.entries(API_ERRORS).find(([name]) => name === code)?.[1].message;
    const error = (data as { readonly errorMessage?: string } | null)?.errorMessage;
    if (frame === undefined) return String(error ?? response ?? message);
    const place = ['\0'];
    const sentence = (frame as (...words: unknown[]) => string)(place, place, place);
    const pattern = sentence
        .split('\0')
        .map(part => part.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'))
        .join('(.*)');
    const [, ...reasons] = new RegExp(`^${pattern}$`, 'u').exec(message) ?? ['', message];
    return reasons.join(' ');
}

/** Without tags but for their titles, without options and the words that stand for their values, and without commands to be typed. */
function withoutMarkup(text: string): string {
    return text
        .replaceAll(/<style>[\s\S]*?<\/style>|```[\s\S]*?```|`[^`]*`|&\w+;/gu, '')
        .replaceAll(/<\/?\w[^<>]*>|<!doctype html>/gu, tag => / (?:data-)?title="([^"]*)"/u.exec(tag)?.[1] ?? '')
        .replaceAll(/--[a-z-]+|\b[A-Z]{3,}\b|^ +(?:\$ )?rulelang .*$/gmu, '');
}
