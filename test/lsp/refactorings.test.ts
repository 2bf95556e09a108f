import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LanguageClient } from './language-client.ts';

const LITERALS = { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } };
const EAGER = { textDocument: { codeAction: LITERALS } };
const LAZY = { textDocument: { codeAction: { ...LITERALS, dataSupport: true, resolveSupport: { properties: ['edit'] } } } };

let client: LanguageClient;
let uri: string;

interface Position {
    readonly line: number;
    readonly character: number;
}

interface WireEdit {
    readonly range: { readonly start: Position; readonly end: Position };
    readonly newText: string;
}

interface Action {
    readonly title: string;
    readonly kind: string;
    readonly edit?: { readonly changes: Readonly<Record<string, readonly WireEdit[]>> };
    readonly command?: { readonly command: string; readonly arguments: readonly unknown[] };
    readonly disabled?: { readonly reason: string };
}

type Options = Parameters<typeof LanguageClient.start>[0];

/** Opens a text in which `«` and `»` stand around what is selected. */
async function opened(marked: string, options: Options = {}): Promise<{ readonly text: string; readonly range: WireEdit['range'] }> {
    client = await LanguageClient.start({ capabilities: EAGER, ...options });
    return shown('main.rulelang', marked);
}

async function shown(name: string, marked: string): Promise<{ readonly text: string; readonly range: WireEdit['range'] }> {
    const text = marked.replace(/[«»]/g, '');
    uri = client.uri(name);
    await client.open(name, text);
    const [before = '', inside = ''] = marked.split(/[«»]/);
    return { text, range: { start: positionAfter(before), end: positionAfter(before + inside) } };
}

function positionAfter(text: string): Position {
    const lines = text.split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function asked(range: WireEdit['range'], context: object = {}): Promise<Action[]> {
    const params = { textDocument: { uri }, range, context: { diagnostics: [], ...context } };
    return client.request('textDocument/codeAction', params);
}

/** The text with the edits of an action for one file. */
function changed(text: string, action: Action | undefined, file = uri): string {
    const lines = text.split('\n');
    const offset = ({ line, character }: Position): number =>
        lines.slice(0, line).reduce((sum, before) => sum + before.length + 1, character);
    const edits = [...(action?.edit?.changes[file] ?? [])].sort((a, b) => offset(b.range.start) - offset(a.range.start));
    let result = text;
    for (const { range, newText } of edits) result = result.slice(0, offset(range.start)) + newText + result.slice(offset(range.end));
    return result;
}

/** What is selected, the title, the kind and the text afterwards. */
const CASES: readonly (readonly [marked: string, title: string, kind: string, after: string])[] = [
    [
        'h(X) <- «p(X, Y), Y > 1», q(X).\n',
        'Extract to a predicate',
        'refactor.extract',
        'h(X) <- h_part(X), q(X).\nh_part(X) <- p(X, Y), Y > 1.\n',
    ],
    ['h(X) <- p(X, Y), Y > «»1.\n', 'Extract to a parameter', 'refactor.extract', 'h(X) <- p(X, Y), Y > ?value.\n@param("value", 1).\n'],
    [
        'h(X) <- «»g(X, 1).\ng(A, B) <- p(A, X), q(X, B).\n',
        "Inline 'g' here",
        'refactor.inline',
        'h(X) <- p(X, X2), q(X2, 1).\ng(A, B) <- p(A, X), q(X, B).\n',
    ],
    [
        'h(X) <- g(X, 1).\n«»g(A, B) <- p(A, X), q(X, B).\n',
        "Inline 'g' everywhere and remove its rules",
        'refactor.inline',
        'h(X) <- p(X, X2), q(X2, 1).\n',
    ],
    ['h(X) <- p(X, Y), Y > ?le«»ast.\n@param("least", 1).\n', "Inline parameter 'least'", 'refactor.inline', 'h(X) <- p(X, Y), Y > 1.\n'],
    ['«»g(X), h(Y) <- p(X, Y).\n', 'Split into 2 rules, one for each head', 'refactor.rewrite', 'g(X) <- p(X, Y).\nh(Y) <- p(X, Y).\n'],
    ['«»g(X) <- p(X, Y).\nh(Y) <- p(X, Y).\n', 'Merge with the rule of the same body', 'refactor.rewrite', 'g(X), h(Y) <- p(X, Y).\n'],
    [
        'h(X) <- p(X), X == 1 «»|| X == 2.\n',
        'Split into 2 rules, one for each alternative',
        'refactor.rewrite',
        'h(X) <- p(X), X == 1.\nh(X) <- p(X), X == 2.\n',
    ],
    ['p(«»1, 2). h(X) <- p(X, _).\n', "Move argument 1 of 'p' to the right", 'refactor.rewrite', 'p(2, 1). h(X) <- p(_, X).\n'],
    ['p(1, «»2). h(X) <- p(X, _).\n', "Remove argument 2 of 'p'", 'refactor.rewrite', 'p(1). h(X) <- p(X).\n'],
    ['h(X) <- p(X, Y), q(«»Y).\n', "Add 'Y' to the arguments of 'h'", 'refactor.rewrite', 'h(X, Y) <- p(X, Y), q(Y).\n'],
    ['h(X, «»_) <- p(X).\n', "Name the unknown value 'Unknown'", 'refactor.rewrite', 'h(X, Unknown) <- p(X).\n'],
    ['h(X, «»N) <- p(X).\n', "Write 'N' as a Skolem term", 'refactor.rewrite', 'h(X, N) <- p(X), N = #h_n(X).\n'],
    ['p(1, 2). h(X) <- «»p(X).\n', "Write the columns that are left out as '_'", 'refactor.rewrite', 'p(1, 2). h(X) <- p(X, _).\n'],
    [
        'p(1, 2). p(3, 4).\n«»h(X, 1) <- p(X, Y), Y > 3.\nh(X, 2) <- p(X, Y), Y <= 3.\n',
        "Merge with the rule of the opposite condition, with 'if'",
        'refactor.rewrite',
        'p(1, 2). p(3, 4).\nh(X, if(Y > 3, 1, 2)) <- p(X, Y), is_not_null(Y).\n',
    ],
    ['h«»(Y) <- Y = X + 1, p(X).\n', 'Order the body by what its items need', 'refactor.rewrite', 'h(Y) <- p(X), Y = X + 1.\n'],
    ['h(S) <- p(X), S = «»msum(X).\n', "Replace 'msum' with 'sum'", 'refactor.rewrite', 'h(S) <- p(X), S = sum(X).\n'],
    ['h(X) «»:- p(X).\n', "Replace ':-' with '<-'", 'refactor.rewrite', 'h(X) <- p(X).\n'],
    [
        '«»h(X) <- p(X).\n@output("g").\ng(X) <- h(X).\n',
        'Add \'@output("h")\'',
        'refactor.rewrite',
        'h(X) <- p(X).\n@output("g").\n@output("h").\ng(X) <- h(X).\n',
    ],
];

test('a predicate moves to a new file, where the client takes edits that make files', async () => {
    const marked = '«»p(1). p(2).\n@output("h").\nh(X) <- p(X).\n';
    const title = "Move 'p' to a module";
    const creates = { workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } } };
    const { range } = await opened(marked, { capabilities: { ...EAGER, ...creates } });
    const action = (await asked(range)).find(other => other.title === title);
    const module = client.uri('p.rulelang');
    expect(action).toMatchObject({
        kind: 'refactor.extract',
        edit: {
            documentChanges: [
                { kind: 'create', uri: module },
                { textDocument: { uri: module, version: null }, edits: [{ newText: '@module("p").\np(1).\np(2).\n' }] },
                { textDocument: { uri, version: 1 }, edits: [{ newText: '@include("p").\n' }, { newText: '' }] },
            ],
        },
    });
    await client.stop();
    const again = await opened(marked);
    expect((await asked(again.range)).map(other => other.title)).not.toContain(title);
    await client.stop();
});

describe('each refactoring', () => {
    beforeAll(async () => {
        client = await LanguageClient.start({ capabilities: EAGER });
    });
    afterAll(() => client.stop());

    test.each(CASES)('%s: %s', async (marked, title, kind, after) => {
        const { text, range } = await shown(`${CASES.findIndex(one => one[0] === marked)}.rulelang`, marked);
        const action = (await asked(range, { only: ['refactor'] })).find(found => found.title === title);
        expect(action).toMatchObject({ title, kind });
        expect(changed(text, action)).toBe(after);
        expect((await asked(range, { only: [kind] })).map(found => found.title)).toContain(title);
        expect((await asked(range, { only: ['quickfix'] })).map(found => found.title)).not.toContain(title);
    });
});

describe('the door', () => {
    afterEach(() => client.stop());

    test('their kinds are told, and edits come when they are asked for', async () => {
        const { text, range } = await opened('p(1, «»2). h(X) <- p(X, _).\n', { capabilities: LAZY });
        const { codeActionKinds, resolveProvider } = client.initialized.capabilities.codeActionProvider;
        expect(codeActionKinds).toEqual(expect.arrayContaining(['refactor.extract', 'refactor.inline', 'refactor.rewrite']));
        expect(resolveProvider).toBe(true);
        const action = (await asked(range)).find(found => found.title === "Remove argument 2 of 'p'");
        expect(action).not.toHaveProperty('edit');
        expect(changed(text, await client.request('codeAction/resolve', action))).toBe('p(1). h(X) <- p(X).\n');
        client.notify('textDocument/didChange', {
            textDocument: { uri, version: 2 },
            contentChanges: [{ text: 'p(1).\n' }],
        });
        const late = await client.ask('codeAction/resolve', action).answer;
        expect(late.error?.code).toBe(-32801);
    });

    test('a cursor that moves is not told of them, a selection is', async () => {
        const { range } = await opened('h(X) <- «p(X, Y), q(Y)».\n');
        expect(await asked({ start: range.start, end: range.start }, { triggerKind: 2, only: ['refactor'] })).toEqual([]);
        expect(await asked(range, { triggerKind: 2, only: ['refactor'] })).toMatchObject([{ title: 'Extract to a predicate' }]);
    });

    test('what cannot be offered arrives disabled with its reason, where the client shows that', async () => {
        const marked = '@bind("p", "json", "", "p.json").\nh(X, Y) <- p(«»X, Y).\n';
        const disabledOf = async (): Promise<Action[]> => (await asked(range)).filter(({ disabled }) => disabled !== undefined);
        const shows = { textDocument: { codeAction: { ...LITERALS, disabledSupport: true } } };
        const { range } = await opened(marked, { capabilities: shows });
        const [action, ...others] = await disabledOf();
        expect(others).toEqual([]);
        expect(action).toMatchObject({ title: "Move argument 1 of 'p'", kind: 'refactor.rewrite' });
        expect(action?.disabled?.reason).toMatch(/^'@bind' /);
        expect(action).not.toHaveProperty('edit');
        await client.stop();
        await opened(marked);
        expect(await disabledOf()).toEqual([]);
    });

    test('clients with the command for it ask for a name', async () => {
        const { range } = await opened('q(1).\nh(X) <- «p(X, Y), q(Y)», X > 1.\n', { lenses: true });
        const [extraction] = await asked(range, { only: ['refactor.extract'] });
        expect(extraction?.command).toMatchObject({ command: 'rulelang.nameMadeUp', arguments: [uri, 1, 8] });
    });

    test('clients with the command for it ask for an order of arguments, which the server makes', async () => {
        const { text, range } = await opened('p(1, «»2, 3).\nh(A, B, C) <- p(A, B, C).\n', { lenses: true });
        const title = "Reorder the arguments of 'p'…";
        const action = (await asked(range, { only: ['refactor.rewrite'] })).find(found => found.title === title);
        const { line, character } = range.start;
        expect(action?.command).toEqual({
            title,
            command: 'rulelang.reorderArguments',
            arguments: [uri, line, character, 'p', ['p_0', 'p_1', 'p_2']],
        });
        const order = (columns: readonly number[]): Promise<unknown> =>
            client.request('rulelang/reorderArguments', { uri, position: range.start, order: columns });
        const applied = client.next('workspace/applyEdit');
        expect(await order([2, 0, 1])).toEqual({ applied: true });
        expect(changed(text, { title, kind: '', ...(await applied) })).toBe('p(3, 1, 2).\nh(A, B, C) <- p(C, A, B).\n');
        expect(await order([0, 0, 1])).toEqual({ applied: false });
        await expect(client.request('rulelang/reorderArguments', { uri, position: range.start })).rejects.toThrow('without a place');
    });

    test('arguments change in files that are not open', async () => {
        const lib = '@module("lib").\nnear(1, 2). near(2, 3).\nback(X) <- near(_, X).\n';
        const { range } = await opened('@include("lib").\nfar(X, Z) <- near(«»X, Y), near(Y, Z).\n@output("far").\n', {
            files: { 'lib.rulelang': lib },
        });
        const title = "Move argument 1 of 'near' to the right";
        const found = async (): Promise<Action | undefined> => (await asked(range)).find(action => action.title === title);
        await expect
            .poll(async () => changed(lib, await found(), client.uri('lib.rulelang')))
            .toBe('@module("lib").\nnear(2, 1). near(3, 2).\nback(X) <- near(X, _).\n');
    });
});
