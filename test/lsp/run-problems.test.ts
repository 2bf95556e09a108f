import { afterEach, describe, expect, test } from 'vitest';
import { type ClientOptions, LanguageClient, type Message } from './language-client.ts';

const NAME = 'main.rulelang';
const BROKEN = `@output("q").
p(1). p(7).
q(X) <- p(X).
#F <- q(X), X > 5.
`;
const CLASH = `@output("boss").
works("Ada", "Mill").
head("Mill", "Bo"). head("Mill", "Ida").
boss(X, Y) <- works(X, M), head(M, Y).
Y = Z <- boss(X, Y), boss(X, Z).
`;

let client: LanguageClient;
afterEach(async () => {
    await client.stop();
});

interface Told {
    readonly source: string;
    readonly code: string;
    readonly message: string;
    readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

async function started(text: string, files: Readonly<Record<string, string>> = {}, options: ClientOptions = {}): Promise<void> {
    client = await LanguageClient.start({ trusted: true, files, ...options });
    await client.open(NAME, text);
}

/** Runs the program and waits for the problems that its documents then have. */
async function run(uri = client.uri(NAME), more: object = {}): Promise<readonly Told[]> {
    const ended = client.next('rulelang/runEnded');
    const published = client.next('textDocument/publishDiagnostics', params => params.uri === uri && ofRuns(params).length > 0);
    await client.request('rulelang/run', { uri: client.uri(NAME), ...more });
    expect((await ended).outcome).toBe('failed');
    return ofRuns(await published);
}

function ofRuns(params: Message['params']): readonly Told[] {
    return params.diagnostics.filter(({ source }: Told) => source === 'rulelang run');
}

/** The problems of a document once those of runs are gone. */
async function gone(uri: string, does: () => unknown): Promise<void> {
    await does();
    await client.diagnosed(uri, params => ofRuns(params).length === 0);
}

function edit(name: string, version: number): void {
    client.notify('textDocument/didChange', {
        textDocument: { uri: client.uri(name), version },
        contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '% changed\n' }],
    });
}

describe('what a run reports stands at its place in the text', () => {
    test('a violated constraint, with the facts', async () => {
        await started(BROKEN);
        const [told, ...others] = await run();
        expect(others).toEqual([]);
        expect(told).toMatchObject({
            code: 'RT041',
            severity: 1,
            range: { start: { line: 3, character: 0 }, end: { line: 3, character: 18 } },
        });
        expect(told?.message).toContain('\nq(7)');
    });

    test('with a link from its code, for clients that follow it', async () => {
        await started(
            BROKEN,
            {},
            { lenses: true, capabilities: { textDocument: { publishDiagnostics: { codeDescriptionSupport: true } } } },
        );
        expect((await run())[0]).toMatchObject({
            code: 'RT041',
            codeDescription: { href: `command:rulelang.explainProblem?${encodeURIComponent('["RT041"]')}` },
        });
    });

    test('and not in its place what is said of a parameter that is not used', async () => {
        await started(BROKEN);
        const told = await run(client.uri(NAME), { parameters: { lest: 1 } });
        expect(told.map(({ code }) => code)).toEqual(['RT041']);
    });

    test('a division by zero, with the fact that is to blame', async () => {
        await started('price("a", 3, 1).\nprice("b", 3, 0).\nprice("c", 4, 0).\nunit(P, U) <- price(P, A, B), U = A / B.\n');
        const [told, ...others] = await run();
        expect(others).toEqual([]);
        expect(told).toMatchObject({
            code: 'RT011',
            message: 'Division by zero in A / B, for price("b",3,0) and 1 more row',
            range: { start: { line: 3, character: 34 } },
            relatedInformation: [
                { message: 'price("b",3,0)', location: { uri: client.uri(NAME), range: { start: { line: 1, character: 0 } } } },
            ],
        });
    });

    test('an equality that clashes, with its derivation', async () => {
        await started(CLASH);
        const [told] = await run();
        expect(told).toMatchObject({ code: 'RT040', range: { start: { line: 4, character: 0 } } });
        expect(told?.message).toContain('boss("Ada","Bo")');
    });

    test('until the program is edited', async () => {
        await started(BROKEN);
        await run();
        await gone(client.uri(NAME), () => edit(NAME, 2));
    });

    test('until it is run again', async () => {
        await started(BROKEN);
        await run();
        await gone(client.uri(NAME), () => client.request('rulelang/run', { uri: client.uri(NAME), predicates: ['p'] }));
    });

    test('also in a module, until the program that includes it is edited', async () => {
        const module = '@module("rules").\n@output("q").\nq(X) <- p(X).\n#F <- q(X), X > 5.\n';
        await started('@include("rules").\n@output("q").\np(7).\n', { 'rules.rulelang': module });
        await client.open('rules.rulelang', module);
        const [told] = await run(client.uri('rules.rulelang'));
        expect(told).toMatchObject({ code: 'RT041', range: { start: { line: 3, character: 0 } } });
        await gone(client.uri('rules.rulelang'), () => edit(NAME, 2));
    });

    test('not when the text has changed while it ran', async () => {
        await started(BROKEN);
        const ended = client.next('rulelang/runEnded');
        const { run: number } = await client.request('rulelang/run', { uri: client.uri(NAME) });
        edit(NAME, 2);
        expect((await ended).run).toBe(number);
        await client.request('textDocument/documentSymbol', { textDocument: { uri: client.uri(NAME) } });
        const all = client.received.filter(({ method }) => method === 'textDocument/publishDiagnostics');
        expect(all.length).toBeGreaterThan(0);
        expect(all.flatMap(({ params }) => ofRuns(params))).toEqual([]);
    });

    test('a file that is not there once, as the error that it is now', async () => {
        await started('@bind("p", "csv", "data", "missing.csv").\n@output("q").\nq(X) <- p(X).\n');
        const uri = client.uri(NAME);
        const ended = client.next('rulelang/runEnded');
        const isError = ({ diagnostics }: Message['params']): boolean =>
            diagnostics.some(({ code, severity }: { code: string; severity: number }) => code === 'RL6111' && severity === 1);
        await client.request('rulelang/run', { uri });
        expect((await ended).outcome).toBe('failed');
        const { diagnostics } = await client.diagnosed(uri, isError);
        expect(diagnostics.map(({ code }: Told) => code).filter((code: string) => ['RL6111', 'RT064'].includes(code))).toEqual(['RL6111']);
    });
});
