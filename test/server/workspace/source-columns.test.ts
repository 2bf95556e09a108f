import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import { type Answer, type SourceColumnsHost, sourceColumns } from '#server/workspace/source-columns.ts';
import { folderWith } from '../../cli/command-line.ts';
import { until } from '../../support/until.ts';

const TEXT = '@bind("p", "csv useHeaders=true", "", "p.csv"). h(X, Y) <- p(X, Y). @output("h").';

/** A document whose source answers when the test says so. */
function awaiting() {
    const folder = folderWith({});
    const uri = pathToFileURL(join(folder, 'a.rulelang')).href;
    const answered: string[] = [];
    let answer: (schema: SourceSchema) => void = () => undefined;
    const later = new Promise<{ schema: SourceSchema }>(resolve => {
        answer = schema => resolve({ schema });
    });
    const columns = sourceColumns({
        roots: () => [folder],
        isTrusted: () => true,
        answered: one => void answered.push(one),
        failed: error => expect.fail(String(error)),
        look: () => later,
    });
    const open = (): OpenDocument => openDocument(TEXT, uri, columns.known(uri));
    return {
        uri,
        columns,
        answered,
        open,
        answer: (names: readonly string[]) => answer({ columns: names.map(name => ({ name })) }),
        later,
    };
}

function namesIn({ analysed }: OpenDocument): string[] | undefined {
    const [predicate] = analysed.predicatesNamed('p');
    return predicate?.columns.map(({ name }) => name);
}

test('a document is there before its source has answered, and is told when it has', async () => {
    const { uri, columns, answered, open, answer, later } = awaiting();
    const first = columns.completing(uri, open(), () => expect.fail('nothing was found yet'));
    expect([namesIn(first), answered]).toEqual([['p_0', 'p_1'], []]);
    answer(['name', 'size']);
    await later;
    expect(answered).toEqual([uri]);
    expect(namesIn(columns.completing(uri, open(), open))).toEqual(['name', 'size']);
});

test('an answer to what was forgotten counts for nothing', async () => {
    const { uri, columns, answered, open, answer, later } = awaiting();
    columns.completing(uri, open(), open);
    columns.forget(uri);
    answer(['name', 'size']);
    await later;
    expect([answered, namesIn(open())]).toEqual([[], ['p_0', 'p_1']]);
});

/** Documents of a folder with files, in which everything is granted. */
function workspace(host: Partial<SourceColumnsHost> = {}, files: Readonly<Record<string, string>> = {}) {
    const folder = folderWith(files);
    const answered: string[] = [];
    const columns = sourceColumns({
        roots: () => [folder],
        isTrusted: () => true,
        reached: () => ({ hosts: [{ host: 'db' }] }),
        answered: uri => void answered.push(uri),
        failed: error => expect.fail(String(error)),
        ...host,
    });
    const uri = pathToFileURL(join(folder, 'a.rulelang')).href;
    const open = (text: string): OpenDocument =>
        columns.completing(uri, openDocument(text, uri, columns.known(uri)), sources => openDocument(text, uri, sources));
    return { uri, folder, columns, answered, open };
}

const codesOf = ({ problems }: OpenDocument): string[] => problems.map(({ code }) => code);

test('two binds that write one target are told, and no longer once one of them writes another', () => {
    const { open } = workspace();
    const text = (second: string): string =>
        `e(1). @output("a"). @output("b"). a(X) <- e(X). b(X) <- e(X).\n@bind("a", "csv", "", "x.csv").\n@bind("b", "csv", "", "${second}").`;
    expect(codesOf(open(text('x.csv')))).toContain('RL6117');
    expect(codesOf(open(text('y.csv')))).not.toContain('RL6117');
    expect(codesOf(open(text('x.csv')))).toContain('RL6117');
});

test('scripts are read in trusted workspaces alone', () => {
    const files = { 'fetch.py': 'def main():\n    return [{"Y": 1}]\n' };
    const python = { enabled: true, network: false, door: 'editor' } as const;
    const text = '@output("a"). a(X) <- python:run("fetch"). @output("b"). b(X) <- python:run("other").';
    expect(codesOf(workspace({ python }, files).open(text))).toEqual(expect.arrayContaining(['RL8106', 'RL8104']));
    const untrusted = codesOf(workspace({ python, isTrusted: () => false }, files).open(text));
    expect(untrusted.filter(code => /^RL810[45678]$/u.test(code))).toEqual([]);
});

describe('queries over files', () => {
    const program = (query: string): string => `@bind("p", "csv query='${query}'", "", "p.csv"). h(X, Y) <- p(X, Y). @output("h").`;
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    /** Files that answer with the columns that the test says, and the queries that they were asked. */
    function files(host: Partial<SourceColumnsHost> = {}) {
        const asked: (string | undefined)[] = [];
        const state: { answer: Answer } = { answer: { schema: { columns: [{ name: 'n' }, { name: 'total' }] } } };
        const own = workspace(
            {
                look: () => expect.fail('it was asked here'),
                askFiles: async ({ bind }) => {
                    asked.push(bind.options.get('query'));
                    return state.answer;
                },
                ...host,
            },
            { 'p.csv': 'a\n' },
        );
        return { ...own, asked, state };
    }

    test('are asked in another process once nobody types, and again where the file or the query is another', async () => {
        const { uri, folder, columns, open, asked, answered, state } = files();
        open(program('SELECT'));
        await vi.advanceTimersByTimeAsync(100);
        expect(namesIn(open(program('SELECT 1, 2 FROM p')))).toEqual(['p_0', 'p_1']);
        await vi.advanceTimersByTimeAsync(1000);
        expect([asked, answered.length]).toEqual([['SELECT 1, 2 FROM p'], 1]);
        expect(namesIn(open(program('SELECT 1, 2 FROM p')))).toEqual(['n', 'total']);
        await vi.advanceTimersByTimeAsync(20_000);
        columns.forgetAll();
        columns.refresh(uri);
        await vi.advanceTimersByTimeAsync(1000);
        expect(asked.length).toBe(1);
        writeFileSync(join(folder, 'p.csv'), 'a,b\n');
        state.answer = { refused: { reason: 'it says so' } };
        await vi.advanceTimersByTimeAsync(20_000);
        columns.refresh(uri);
        await vi.advanceTimersByTimeAsync(1000);
        expect([asked.length, answered.length]).toEqual([2, 2]);
        expect(namesIn(open(program('SELECT 1, 2 FROM p')))).toEqual(['p_0', 'p_1']);
        state.answer = { schema: { columns: [{ name: 'm' }, { name: 'total' }] } };
        writeFileSync(join(folder, 'p.csv'), 'a,b,c\n');
        await vi.advanceTimersByTimeAsync(20_000);
        columns.refresh(uri);
        await vi.advanceTimersByTimeAsync(1000);
        const mended = open(program('SELECT 1, 2 FROM p'));
        expect([namesIn(mended), codesOf(mended).includes('RL6117')]).toEqual([['m', 'total'], false]);
    });

    test('are not asked in a workspace that is not trusted, nor without a process to ask in', async () => {
        const { open, asked } = files({ isTrusted: () => false });
        open(program('SELECT 1, 2 FROM p'));
        const { open: openAlone } = workspace({ look: () => expect.fail('it was asked here') }, { 'p.csv': 'a\n' });
        expect(namesIn(openAlone(program('SELECT 1, 2 FROM p')))).toEqual(['p_0', 'p_1']);
        await vi.advanceTimersByTimeAsync(20_000);
        expect(asked).toEqual([]);
    });
});

describe('databases', () => {
    const bind = (table: string, host = 'db'): string => `@bind("p", "postgresql host='${host}', username='u'", "shop", "${table}").`;
    const program = (table: string): string => `${bind(table)} @output("h"). h(X, Y) <- p(X, Y).`;
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    /** A database with one table, whose columns may change. */
    function database(host: Partial<SourceColumnsHost> = {}) {
        const asked: string[] = [];
        const state = { names: ['id', 'name'] };
        const own = workspace({
            look: async ({ inner }) => {
                asked.push(inner);
                return inner === 'orders' ? { schema: { columns: state.names.map(name => ({ name })) } } : {};
            },
            list: async ({ inner }) => {
                asked.push(`all ${inner}`);
                return [{ name: 'orders', kind: 'table', columns: state.names.map(name => ({ name })) }];
            },
            ...host,
        });
        return { ...own, asked, state };
    }

    test('are asked once a bind is written, not for each of its letters', async () => {
        const { open, asked, answered } = database();
        for (const table of ['o', 'or', 'ord', 'orders']) {
            open(program(table));
            await vi.advanceTimersByTimeAsync(100);
        }
        expect([asked, answered]).toEqual([[], []]);
        await vi.advanceTimersByTimeAsync(1000);
        expect([asked, answered.length]).toEqual([['orders', 'all '], 1]);
        expect(namesIn(open(program('orders')))).toEqual(['id', 'name']);
    });

    test('are asked again when somebody looks later, and what has changed is told', async () => {
        const { uri, open, columns, asked, answered, state } = database();
        open(program('orders'));
        await vi.advanceTimersByTimeAsync(1000);
        columns.refresh(uri);
        await vi.advanceTimersByTimeAsync(100);
        expect(asked).toEqual(['orders', 'all ']);
        state.names = ['id', 'title'];
        await vi.advanceTimersByTimeAsync(20_000);
        expect(asked.length).toBe(2);
        columns.refresh(uri);
        await vi.advanceTimersByTimeAsync(100);
        expect([asked.length > 2, answered.length]).toEqual([true, 2]);
        expect(namesIn(open(program('orders')))).toEqual(['id', 'title']);
    });

    test('keep what is known while files change or their server is silent', async () => {
        let isSilent = false;
        const { uri, open, columns, state } = database({
            look: async () => (isSilent ? {} : { schema: { columns: state.names.map(name => ({ name })) } }),
        });
        open(program('orders'));
        await vi.advanceTimersByTimeAsync(1000);
        isSilent = true;
        columns.forgetAll();
        columns.refresh(uri);
        await vi.advanceTimersByTimeAsync(1000);
        expect(namesIn(open(program('orders')))).toEqual(['id', 'name']);
    });

    test('list their tables: an answer never waits, and the next one knows them', async () => {
        const { open, columns } = database();
        const document = open('');
        const [asking] = openDocument(bind(''), document.file).analysed.binds;
        if (asking === undefined) throw new TypeError('no bind');
        expect(columns.tables(document, asking)).toBeUndefined();
        await vi.advanceTimersByTimeAsync(10);
        expect(columns.tables(document, asking)?.map(({ name }) => name)).toEqual(['orders']);
    });

    test('are not asked without trust, and without a grant', async () => {
        const untrusted = database({ isTrusted: () => false });
        untrusted.open(program('orders'));
        const [asking] = openDocument(bind(''), untrusted.uri).analysed.binds;
        if (asking === undefined) throw new TypeError('no bind');
        untrusted.columns.tables(untrusted.open(''), asking);
        untrusted.columns.refresh(untrusted.uri);
        const foreign = database();
        foreign.open(`${bind('orders', 'elsewhere')} @output("h"). h(X, Y) <- p(X, Y).`);
        await vi.advanceTimersByTimeAsync(60_000);
        expect([untrusted.asked, foreign.asked]).toEqual([[], []]);
    });
});

describe('queries', () => {
    const text = 'e(1, 2). @output("t"). t(X, Y) <- SELECT e_0, sum(e_1) FROM e.';
    afterEach(() => void vi.useRealTimers());
    /** Whatever is put off is done in it. */
    const later = async (): Promise<void> => {
        await vi.advanceTimersByTimeAsync(60_000);
    };

    test('are tried once the text stays as it is, and told where a run has no answer', async () => {
        const tried: number[] = [];
        const { uri, columns, answered, open } = workspace({
            tryQueries: async ({ queries }) => {
                tried.push(queries.length);
                return new Map(queries.map(query => [query.text, { reason: 'it says so' }]));
            },
        });
        open(text);
        await until('the parser of queries', () => columns.known(uri).sql !== undefined);
        expect(codesOf(open(text))).not.toContain('RL7017');
        await until(
            'the second answer',
            () => answered.length,
            count => count >= 2,
        );
        expect([tried, codesOf(open(text)).includes('RL7017')]).toEqual([[1], true]);
        vi.useFakeTimers();
        open(text);
        await later();
        expect(tried).toEqual([1]);
    });

    test('are not tried without trust', async () => {
        const { uri, columns, open } = workspace({ isTrusted: () => false, tryQueries: async () => expect.fail('tried') });
        open(text);
        await until('the parser of queries', () => columns.known(uri).sql !== undefined);
        vi.useFakeTimers();
        open(text);
        await later();
    });
});

test('a file that is gone, or has come back with other columns, is looked at again when the user looks at the document', () => {
    const { uri, folder, columns, answered, open } = workspace({}, { 'p.csv': 'name,size\n' });
    const file = join(folder, 'p.csv');
    const looked = (): unknown[] => {
        columns.refresh(uri);
        const document = open(TEXT);
        return [answered.length, codesOf(document).includes('RL6111'), namesIn(document)];
    };
    expect(namesIn(open(TEXT))).toEqual(['name', 'size']);
    expect(looked()).toEqual([0, false, ['name', 'size']]);
    rmSync(file);
    expect(looked()).toEqual([1, true, ['p_0', 'p_1']]);
    expect(looked()).toEqual([1, true, ['p_0', 'p_1']]);
    writeFileSync(file, 'place,height\n');
    expect(looked()).toEqual([2, false, ['place', 'height']]);
});
