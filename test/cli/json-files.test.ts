import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, listing } from './command-line.ts';
import { rulelang } from './in-process.ts';

const COPY = `
@bind("raw", "json", "data", "in.json").
@output("copy").
@bind("copy", "json", "out", "copy.json").
copy(Name, Size) <- raw(Name, Size).
`;

const TWO = '[{"size": 2, "name": "b"}, {"name": "a", "size": null}]';

function contents(folder: string, path: string): string {
    return fs.readFileSync(join(folder, path), 'utf8');
}

/** A program that writes one row to `out.json`, and the file as it was. */
function writing(options: string, before?: string): string {
    return folderWith({
        'p.rulelang': `p(1, "x"). @output("h"). @bind("h", "json ${options}", "", "out.json"). h(A, B) <- p(A, B).`,
        ...(before === undefined ? {} : { 'out.json': before }),
    });
}

describe('JSON files', () => {
    test('columns by name, rows as objects named by head variables, unknown values as null', async () => {
        const folder = folderWith({ 'p.rulelang': COPY, 'data/in.json': TWO });
        const { code, stdout } = await rulelang(folder, ['run', 'p.rulelang', '--format', 'json']);
        expect(code).toBe(0);
        expect(JSON.parse(stdout).types).toEqual({ copy: ['STRING', 'INT'] });
        expect(contents(folder, 'out/copy.json')).toBe('[\n{"Name":"a","Size":null},\n{"Name":"b","Size":2}\n]\n');
    });

    test('a model names the members', async () => {
        const model = '@model("copy", "[\'the name:string\', \'size:double\']").';
        const folder = folderWith({ 'p.rulelang': `${COPY}${model}`, 'data/in.json': TWO });
        await rulelang(folder, ['run', 'p.rulelang']);
        expect(contents(folder, 'out/copy.json')).toBe('[\n{"the name":"a","size":null},\n{"the name":"b","size":2.0}\n]\n');
    });

    test('one object per line', async () => {
        const folder = folderWith({
            'p.rulelang': COPY.replaceAll('"json"', '"json multiline=false"'),
            'data/in.json': '{"size": 2, "name": "b"}\n\n{"name": "a"}\n',
        });
        const { stderr } = await rulelang(folder, ['run', 'p.rulelang']);
        expect(stderr).toContain("Wrote 'copy' to out/copy.json");
        expect(contents(folder, 'out/copy.json')).toBe('{"Name":"a","Size":null}\n{"Name":"b","Size":2}\n');
    });

    test('what a run writes, a run reads back', async () => {
        const values = [
            { l: [1, 'a', null, [true]], n: 9007199254740993n, s: { x: 1, y: { z: 'é😀"\\\n' } }, t: '' },
            { l: [], n: -1n, s: { x: 2.5 }, t: '\u0000' },
        ];
        const text = JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? `BIG${value}` : value)).replaceAll(
            /"BIG(-?\d+)"/g,
            '$1',
        );
        const program = COPY.replace('copy(Name, Size) <- raw(Name, Size).', 'copy(l, n, s, t) <- raw(l, n, s, t).').replaceAll(
            'copy(l, n, s, t) <- raw(l, n, s, t)',
            'copy(L, N, S, T) <- raw(L, N, S, T)',
        );
        const folder = folderWith({ 'p.rulelang': program, 'data/in.json': text });
        expect((await rulelang(folder, ['run', 'p.rulelang'])).code).toBe(0);
        const first = contents(folder, 'out/copy.json');
        expect(first).toContain('"N":9007199254740993');
        expect(JSON.parse(first)).toEqual(
            JSON.parse(text.replaceAll(/"([lnst])":/g, (_, name: string) => `"${name.toUpperCase()}":`)).reverse(),
        );
        fs.copyFileSync(join(folder, 'out/copy.json'), join(folder, 'data/in.json'));
        await rulelang(folder, ['run', 'p.rulelang']);
        expect(contents(folder, 'out/copy.json')).toBe(first);
    });

    test.each([
        ['[{"name": "a",}]', "there is '}' where a name in quotes is expected (line 1,\n  column 15)"],
        ['[{"name": "a", "name": "b"}]', "'name' stands in one object twice (line 1,"],
        ['{"name": "a"}\n{"name": "b"}\n', 'multiline=false reads one object per line'],
    ])('%s: where it is, and nothing is written', async (text, message) => {
        const folder = folderWith({ 'p.rulelang': COPY, 'data/in.json': text, 'out/copy.json': 'old' });
        const { code, stdout, stderr } = await rulelang(folder, ['run', 'p.rulelang']);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message.replaceAll(/\s+/g, ' '));
        expect(stderr).toMatch(/┌─ data\/in\.json:\d/);
        expect(stderr).toContain('Nothing was written; every output file is as it was.');
        expect(contents(folder, 'out/copy.json')).toBe('old');
        expect(listing(folder)).toEqual(['data', 'data/in.json', 'out', 'out/copy.json', 'p.rulelang']);
    });

    test('a file larger than a window, with a name that comes last', async () => {
        const rows = Array.from({ length: 40_000 }, (_, i) => `{"id": ${i}, "text": "${'x'.repeat(i % 50)}é"}`);
        const folder = folderWith({
            'p.rulelang':
                '@bind("raw", "json", "", "in.json"). @output("n"). n(C, S, L) <- raw(A, I, T), C = mcount(I), S = msum(I), L = mmax(A).',
            'in.json': `[${rows.join(',\n')}, {"a": 7, "id": -1, "text": ""}]`,
        });
        const { stdout, stderr } = await rulelang(folder, ['run', 'p.rulelang', '--format', 'json']);
        expect(stderr).toBe('');
        expect(JSON.parse(stdout).resultSet.n).toEqual([[40_001, 799_979_999, 7]]);
    });
});

describe('save modes of JSON files', () => {
    test.each([
        ['saveMode=append', '[\n{"A":0}\n]\n', '[\n{"A":0},\n{"A":1,"B":"x"}\n]\n'],
        ['saveMode=append', '[{"A":[1]}, 7]', '[{"A":[1]}, 7,\n{"A":1,"B":"x"}\n]\n'],
        ['saveMode=append', '\ufeff [ ] ', '\ufeff [\n{"A":1,"B":"x"}\n]\n'],
        ['saveMode=append', '', '[\n{"A":1,"B":"x"}\n]\n'],
        ['saveMode=append', undefined, '[\n{"A":1,"B":"x"}\n]\n'],
        ['saveMode=append, multiline=false', '{"A":0}', '{"A":0}\n{"A":1,"B":"x"}\n'],
        ['saveMode=append', '[\r\n{"A":0}\r\n]\r\n', '[\r\n{"A":0},\r\n{"A":1,"B":"x"}\r\n]\r\n'],
        ['saveMode=append, multiline=false', '{"A":"\\""}\r\n{"A":0}', '{"A":"\\""}\r\n{"A":0}\r\n{"A":1,"B":"x"}\r\n'],
        ['saveMode=append, multiline=false', '{"A":0}\n', '{"A":0}\n{"A":1,"B":"x"}\n'],
        ['saveMode=ignore', 'old', 'old'],
        ['saveMode=ignore', undefined, '[\n{"A":1,"B":"x"}\n]\n'],
        ['saveMode=overwrite', 'old', '[\n{"A":1,"B":"x"}\n]\n'],
        ['saveMode=errorIfExists', undefined, '[\n{"A":1,"B":"x"}\n]\n'],
    ])('%s over %j', async (options, before, after) => {
        const folder = writing(options, before);
        expect((await rulelang(folder, ['run', 'p.rulelang'])).code).toBe(0);
        expect(contents(folder, 'out.json')).toBe(after);
    });

    test.each([
        ['saveMode=append', '{"A":0}', "there is '{' where an array, to which rows can be added, is expected"],
        ['saveMode=append', '[{"A":0}', "the text ends where ',' or ']' is expected"],
        ['saveMode=append', '[] []', "there is '[' where the end is expected"],
        ['saveMode=errorIfExists', 'old', 'exists already, and saveMode=errorIfExists keeps it'],
        ['saveMode=error', 'old', 'exists already'],
        ['encoding=UTF-16', 'old', "JSON files are written in UTF-8, not in 'UTF-16'"],
    ])('%s over %j is refused', async (options, before, message) => {
        const folder = writing(options, before);
        const { code, stderr } = await rulelang(folder, ['run', 'p.rulelang']);
        expect(code).toBe(1);
        expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
        expect(contents(folder, 'out.json')).toBe(before);
        expect(listing(folder)).toEqual(['out.json', 'p.rulelang']);
    });

    test('several targets of one output', async () => {
        const folder = folderWith({
            'p.rulelang':
                'p(1). @output("h"). @bind("h", "json", "", "a.json"). @bind("h", "csv useHeaders=true", "", "b.csv"). h(X) <- p(X).',
        });
        const { stderr } = await rulelang(folder, ['run', 'p.rulelang']);
        expect(stderr).toContain("Wrote 'h' to a.json, 'h' to b.csv");
        expect([contents(folder, 'a.json'), contents(folder, 'b.csv')]).toEqual(['[\n{"X":1}\n]\n', 'X\n1\n']);
    });

    test('when one target fails, none is written', async () => {
        const folder = folderWith({
            'p.rulelang':
                'p("a,b"). @output("g"). @output("h"). @bind("g", "json", "", "a.json"). @bind("h", "csv quoteMode=none", "", "b.csv"). g(X) <- p(X). h(X) <- p(X).',
            'a.json': '[{"X":0}]',
        });
        const { code, stderr } = await rulelang(folder, ['run', 'p.rulelang']);
        expect(code).toBe(1);
        expect(stderr).toContain('cannot be written with quoteMode=none');
        expect(contents(folder, 'a.json')).toBe('[{"X":0}]');
        expect(listing(folder)).toEqual(['a.json', 'p.rulelang']);
    });
});

describe('sources that need a connector', () => {
    test.each([
        ['a query', '@qbind("p", "oracle", "db", "select a from t"). h(X) <- p(X).', "Queries of data sources of type 'oracle'"],
        ['a query of a file', '@qbind("p", "csv", "data", "select a from t"). h(X) <- p(X).', "Queries of data sources of type 'csv'"],
        ['a target with keys', 'p(1). h(X) <- p(X). @bind("h", "oracle", "db", "h"). @delete("h", "0").', "Data sources of type 'oracle'"],
        ['csv over http', '@bind("p", "http_csv", "https://h", "p.csv"). h(X) <- p(X).', "Data sources of type 'http_csv'"],
        ['iceberg', '@bind("p", "iceberg", "data", "p"). h(X) <- p(X).', "Data sources of type 'iceberg'"],
    ])('%s', async (_, program, message) => {
        const folder = folderWith({ 'p.rulelang': `@executionMode("local"). @relaxedSafety. @output("h"). ${program}` });
        const { code, stderr } = await rulelang(folder, ['run', 'p.rulelang']);
        expect(code).toBe(1);
        expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`error RT061: ${message} need a connector, and none is installed`);
    });
});

test('rows of a table that is not there cannot be changed by keys, and no file is made', async () => {
    const folder = folderWith({ 'p.rulelang': '@output("h"). p(1). h(X) <- p(X). @bind("h", "sqlite", "f.db", "h"). @update("h", "0").' });
    const { code, stderr } = await rulelang(folder, ['run', 'p.rulelang']);
    expect([code, listing(folder)]).toEqual([1, ['p.rulelang']]);
    expect(stderr).toContain("error RT064: 'f.db' has no table 'h', so that none of its rows can be changed");
});

describe('parameters and credentials', () => {
    test('a parameter names the file, with the text of its typed value', async () => {
        const folder = folderWith({
            'p.rulelang': `@param("year", 2030). @bind("p", "json", "data/\${year}", "p.json"). @output("h"). @bind("h", "json", "out", "h-\${year}.json"). h(X) <- p(X).`,
            'data/2031/p.json': '{"x": 1}',
        });
        expect((await rulelang(folder, ['run', 'p.rulelang', '--param', 'year=02031'])).code).toBe(0);
        expect(contents(folder, 'out/h-2031.json')).toBe('[\n{"X":1}\n]\n');
        const wrong = await rulelang(folder, ['run', 'p.rulelang', '--param', 'year=soon']);
        expect(wrong.code).toBe(1);
        expect(wrong.stderr).toContain("error RT080: Parameter 'year' must be int, but 'soon' is not");
    });

    test('a variable of the environment is no parameter', async () => {
        const folder = folderWith({ 'p.rulelang': `p("x"). @output("h"). @bind("h", "json", "", "\${HOME}.json"). h(X) <- p(X).` });
        const { code, stderr } = await rulelang(folder, ['run', 'p.rulelang']);
        expect(code).toBe(1);
        expect(stderr).toContain("error RL8001: Parameter 'HOME' is not declared");
        expect(stderr).not.toContain(process.env.HOME ?? '?');
        expect(listing(folder)).toEqual(['p.rulelang']);
    });

    test('passwords are never quoted', async () => {
        const bind = (options: string): string => `@bind("p", "oracle host='h', ${options}", "db", "p").\n@output("h"). h(X) <- p(X).\n`;
        const folder = folderWith({
            'written.rulelang': bind("password='hunter2', username='u'"),
            'token.rulelang': bind('s3aSecretKey=hunter2'),
            'wrong.rulelang': bind("apiKey=hunter2, password='hunter2', port=x"),
        });
        for (const name of ['written', 'token', 'wrong']) {
            const run = await rulelang(folder, ['run', `${name}.rulelang`]);
            const checked = await rulelang(folder, ['check', `${name}.rulelang`, '--hints']);
            expect(run.code).toBe(1);
            expect(checked.stderr).toContain('warning RL6110: Secret in source text');
            expect(`${run.stderr}${run.stdout}${checked.stderr}${checked.stdout}`).not.toContain('hunter2');
        }
        const named = folderWith({ 'p.rulelang': bind(`password='\${PG_PASSWORD}'`) });
        const { stderr } = await rulelang(named, ['run', 'p.rulelang']);
        expect(stderr).toContain(`password='\${PG_PASSWORD}'`);
        expect(stderr).toContain('error RT061');
    });
});

test('a header with another number of columns than the model', async () => {
    const folder = folderWith({
        'p.rulelang':
            '@bind("p", "csv useHeaders=true", "data", "p.csv").\n@model("p", "[\'a:string\', \'b:int\']").\n@output("h"). h(X) <- p(X, _).\n',
        'data/p.csv': 'a,b,c\nx,1,2\n',
    });
    const { code, stderr } = await rulelang(folder, ['check', 'p.rulelang']);
    expect(code).toBe(0);
    expect(stderr).toContain("warning RL6112: Header of 'p.csv' has 3 columns but 'p' uses 2\n  ┌─ p.rulelang:1:43");
    fs.writeFileSync(join(folder, 'data/p.csv'), 'a,b\nx,1\n');
    expect((await rulelang(folder, ['check', 'p.rulelang'])).stderr).toContain('No problems');
});
