import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Ended, folderWith, listing } from './command-line.ts';
import { rulelang } from './in-process.ts';

const PROGRAM = `@output("far").
@bind("far", "csv", "", "far.csv").
@include("sold.rulelang").
far(X) <- town(X, N), N > 3.
town("Oslo", 1). town("Riga", 5). town("Kiel", 4).
same(X) <- query(X).
query(1).
`;
const FILES = { 'p.rulelang': PROGRAM, 'sold.rulelang': 'sold("Kiel"). query_("no").' };

const run = (folder: string, ...args: string[]): Promise<Ended> => rulelang(folder, ['run', ...args]);
const asked = (...queries: string[]): Promise<Ended> =>
    run(folderWith(FILES), 'p.rulelang', ...queries.flatMap(query => ['--query', query]), '--format', 'json');
const rows = ({ stdout }: Ended): unknown => JSON.parse(stdout).resultSet;

test('a query prints what matches, by its variables, and writes nothing', async () => {
    const folder = folderWith(FILES);
    const csv = await run(folder, 'p.rulelang', '--query', 'town(Name, N), N > 3, not sold(Name)', '--format', 'csv');
    expect(csv).toEqual({ code: 0, signal: null, stdout: 'Name,N\nRiga,5\n', stderr: '' });
    expect(listing(folder)).toEqual(['p.rulelang', 'sold.rulelang']);
    expect((await run(folder, 'p.rulelang', '--no-write', '--output', 'far', '--query', 'sold(X)', '--format', 'json')).stdout).toMatch(
        /"far"[\s\S]*"query__"/u,
    );
    expect(listing(folder)).toEqual(['p.rulelang', 'sold.rulelang']);
});

test('several queries, written as questions, too', async () => {
    expect(rows(await asked('town(X, 1)?', '?- town(X, 5).', 'town("Riga", 1)', 'town("Oslo", 1)'))).toEqual({
        query1: [['Oslo']],
        query2: [['Riga']],
        query3: [],
        query4: [[true]],
    });
});

test('without variables a table says true or false', async () => {
    const folder = folderWith(FILES);
    expect((await run(folder, 'p.rulelang', '--query', 'sold("Kiel")')).stdout).toBe('true\n');
    expect((await run(folder, 'p.rulelang', '--query', 'sold("Oslo")')).stdout).toBe('false\n');
});

test.each([
    ['town(X', 1, /query:1:\d+/u],
    ['nowhere(X)', 1, /RL1101[\s\S]*query:1:\d+[\s\S]*nowhere\(X\)/u],
    ['town(X, _), Y > 3', 1, /RL2002/u],
    ['sold(X). sold("Kiel")', 2, /'sold\(X\)\. sold\("Kiel"\)' is no query/u],
    ['', 1, /RL0003/u],
])('%s is no query', async (query, code, words) => {
    const end = await run(folderWith(FILES), 'p.rulelang', '--query', query);
    expect([end.code, end.stdout]).toEqual([code, '']);
    expect(end.stderr).toMatch(words);
});

test('a format of one output takes one query', async () => {
    const end = await run(folderWith(FILES), 'p.rulelang', '--query', 'sold(X)', '--query', 'town(X, _)', '--format', 'csv');
    expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('--format csv holds one output, and 2 are asked for')]);
});

test('a program in the command line reads beside the current folder', async () => {
    const folder = folderWith({ 'data/a.csv': '1\n5\n', 'sold.rulelang': 'sold("5").' });
    const bind = '@bind("a", "csv", "data", "a.csv"). @include("sold.rulelang").';
    const end = await rulelang(folder, ['-e', bind, '-e', 'b(X) <- a(X), not sold(X).', '--query', 'b(X)', '--format', 'csv']);
    expect(end).toEqual({ code: 0, signal: null, stdout: 'X\n1\n', stderr: '' });
    const other = await rulelang(join(folder, 'data'), ['run', '--eval', '@output("o"). o(1).', '--format', 'csv']);
    expect([other.code, other.stdout]).toEqual([0, 'o_0\n1\n']);
});

test('what is wrong with it has its place', async () => {
    const folder = folderWith({ 'a.rulelang': 'p(1).' });
    const end = await rulelang(folder, ['-e', 'p(1).\np(2)', '--query', 'p(X)']);
    expect([end.code, end.stderr]).toEqual([1, expect.stringMatching(/RL0001[\s\S]*-e:2:4/u)]);
    const both = await run(folder, 'a.rulelang', '-e', 'p(2).');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('@include("a.rulelang")')]);
    expect((await rulelang(folder, ['-x', 'p(2).'])).code).toBe(2);
});
