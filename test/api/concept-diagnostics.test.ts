import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callsTo } from './calls.ts';
import { type Services, startServices } from './services.ts';

/** What saving a concept tells of its definition, which it does not run. */
interface Told {
    readonly code: string;
    readonly severity: string;
    readonly message: string;
    readonly line: number;
    readonly column: number;
    readonly end_column: number;
}

let services: Services;
const { post, data } = callsTo(() => services);
beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'p', name: 'One' } }));
});
afterAll(() => services.stop());
beforeEach(() => data(post('/concepts/p/cleanup', {})));

const saved = async (body: object): Promise<readonly Told[]> =>
    (await data<{ readonly diagnostics?: readonly Told[] }>(post('/concepts/p/save', body))).diagnostics ?? [];
const sql = (name: string, definition: string): Promise<readonly Told[]> => saved({ concept_type: 'sql', concept_name: name, definition });
const codes = (told: readonly Told[]): string[] => told.map(({ code }) => code);

test('a query that reads concepts of the project has nothing wrong with it', async () => {
    expect(await saved({ definition: 'src("Rome", 28). city(X, Y) :- src(X, Y).' })).toEqual([]);
    expect(await sql('big', 'SELECT city_0 AS name FROM City WHERE city_1 > 10')).toEqual([]);
    expect(await sql('bigger', 'SELECT name FROM big')).toEqual([]);
});

test('tables and columns that nobody has are told where they stand, with what was probably meant', async () => {
    await saved({ definition: 'src("Rome", 28). @output("city"). city(Name, Size) :- src(Name, Size).' });
    const [table] = await sql('a', 'SELECT name\nFROM citty');
    expect(table).toMatchObject({ code: 'RL7003', severity: 'warning', line: 2, column: 6, end_column: 11 });
    expect(table?.message).toContain("did you mean 'city'");
    const [column] = await sql('b', 'SELECT Nam FROM city');
    expect(column).toMatchObject({ code: 'RL7006', severity: 'error', line: 1, column: 8 });
    expect(column?.message).toContain("did you mean 'Name'");
    const inRule = await saved({ definition: 'c(X) <- SELECT siez FROM city. @output("c").' });
    expect(inRule).toMatchObject([{ code: 'RL7006', line: 1, column: 16 }]);
    await sql('d', 'SELECT name AS label FROM city');
    expect(codes(await sql('e', 'SELECT title FROM d'))).toEqual(['RL7006']);
});

test('columns of files that a concept binds are known, and files that are not there', async () => {
    writeFileSync(join(services.folder, 'people.csv'), 'name,age\nAda,36\n');
    const program = (file: string, column: string): string =>
        `@bind("people", "csv useHeaders=true", "", "${file}"). q() <- SELECT ${column} FROM people. @output("q").`;
    expect(await saved({ definition: program('people.csv', 'age') })).toEqual([]);
    expect(codes(await saved({ definition: program('people.csv', 'aeg') }))).toEqual(['RL7006']);
    expect(codes(await saved({ definition: program('peple.csv', 'age') }))).toContain('RL6111');
});

test('texts of sources that are taken for numbers are told', async () => {
    writeFileSync(join(services.folder, 'pay.csv'), 'name,pay\nAda,9\nBob,100\n');
    writeFileSync(join(services.folder, 'pay.json'), '[{"pay": 9}, {"pay": "9"}]');
    const most = '@bind("pay", "csv useHeaders=true", "", "pay.csv"). most(M) <- pay(_, P), M = max(P). @output("most").';
    expect(codes(await saved({ definition: most }))).toEqual(['RL4023']);
    const often = '@bind("pay", "json", "", "pay.json"). often(P, N) <- pay(P), N = count(). @output("often").';
    expect(codes(await saved({ definition: often }))).toEqual(['RL4026']);
});

test('queries without answer, scripts that do not fit, and two binds of one target', async () => {
    await saved({ definition: 'e(1, 2). @output("e").', concept_name: 'e' });
    expect(codes(await saved({ definition: 's(1, 2). t(X, Y) <- SELECT s_0, sum(s_1) FROM s. @output("t").' }))).toEqual(['RL7017']);
    const script = {
        definition: 'w(City, Temp) :- python:run("fetch"). @output("w").',
        python_scripts: { fetch: 'def main():\n    return [{"City": "Rome"}]\n' },
    };
    expect(codes(await saved(script))).toContain('RL8106');
    const twice =
        'e(1). a(X) :- e(X). b(X) :- e(X). @output("a"). @output("b"). @bind("a", "csv", "", "x.csv"). @bind("b", "csv", "", "x.csv").';
    expect(codes(await saved({ definition: twice, concept_name: 'a' }))).toContain('RL6117');
});

test('what a run is given values for is not complained of', async () => {
    const definition = `@bind("p", "csv", "", "\${file}"). q(X) :- p(X). @output("q").`;
    expect(codes(await saved({ definition }))).not.toContain('RL6117');
});
