import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CITIES, codeOf, type Page, type Run, runProject } from './run-project.ts';

const project = runProject();
const { call, post, get, data, save, asked, run, rowsOf, olderAsked, fetched, page, record } = project;

describe('the answer to a run', () => {
    test('has the rows and what became of them', async () => {
        await save(CITIES);
        await save('big_city(C) :- city_source(C, P), P > 1000000.');
        const answer = await asked('big_city');
        expect(answer.body.message).toBe('Concept executed');
        expect(answer.body.status).toBe('success');
        const { execution_id: id, execution_time: time, ...others } = answer.body.data as Run;
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
        expect(time).toBeGreaterThanOrEqual(0);
        expect(others).toEqual({
            results: [['Milan'], ['Rome']],
            rows_processed: 2,
            output_predicate: 'big_city',
            columns: ['C'],
            types: ['STRING'],
            truncated: false,
            cached: false,
            persisted: true,
            concepts_executed: ['city_source', 'big_city'],
            warnings: [],
            backend: 'local',
        });
        expect((await run('big_city')).execution_id).not.toBe(id);
    });

    test('of one without rows', async () => {
        await save('none(X, Y) :- nowhere(X, Y).');
        expect(await run('none')).toMatchObject({
            results: [],
            rows_processed: 0,
            columns: ['X', 'Y'],
            types: ['UNKNOWN', 'UNKNOWN'],
            persisted: true,
            warnings: ["Predicate 'nowhere' is not defined; treated as empty"],
        });
        expect(await page('none')).toMatchObject({ rows: [], count: 0, page: 1, page_size: 30, total_pages: 0 });
    });

    test('shows ten thousand rows of more', async () => {
        await save('many(X) :- n(X), X > 0. n(0). n(Y) :- n(X), X < 12000, Y = X + 1. @output("many").');
        const found = await run('many');
        expect([found.results.length, found.rows_processed, found.truncated]).toEqual([10_000, 12_000, true]);
        expect(found.results.at(-1)).toEqual([10_000]);
        const cached = await run('many', { force_rerun: false });
        expect([cached.results.length, cached.rows_processed, cached.truncated, cached.cached]).toEqual([10_000, 12_000, true, true]);
        expect(cached.results).toEqual(found.results);
    });

    test('follows the order that the program asks for', async () => {
        await save('n(1). n(3). n(2). ordered(X) :- n(X). @output("ordered"). @post("ordered", "orderby(-1)").');
        expect(await rowsOf('ordered')).toEqual([[3], [2], [1]]);
        expect((await page('ordered')).rows).toEqual([[3], [2], [1]]);
        expect((await page('ordered&order_by=0')).rows).toEqual([[1], [2], [3]]);
    });

    test('ignores what it does not know, and null is absent', async () => {
        await save('a(1).');
        const body = { concept_name: 'other', params: null, force_rerun: null, persist_outputs: null, scope: null, compute: null, more: 1 };
        expect(await run('a', body)).toMatchObject({ results: [[1]], persisted: true });
        expect((await call('POST', `/api/v1/concepts/${project.id}/run/a`)).status).toBe(200);
    });
});

describe('values', () => {
    const VALUES = `v(1, 9007199254740991). v(2, 9007199254740992). v(3, -9223372036854775808). v(4, 1.5). v(5, 2.0). v(6, "text\\n\u{1f600}").
        v(7, #T). v(8, 2024-05-01). v(9, 2024-05-01 10:00:00). v(10, [1, [2, "x"]]). v(11, {3, 1, 2}). v(12, struct("a", 1, "b", "x")). v(13, "_:n1").`;
    const SHOWN = [
        [1, 9007199254740991],
        [2, '9007199254740992'],
        [3, '-9223372036854775808'],
        [4, 1.5],
        [5, 2],
        [6, 'text\n\u{1f600}'],
        [7, true],
        [8, '2024-05-01'],
        [9, '2024-05-01T10:00:00'],
        [10, [1, [2, 'x']]],
        [11, [1, 2, 3]],
        [12, { a: 1, b: 'x' }],
        [13, '_:n1'],
    ];

    test('of every kind are the same in runs, pages and dependents', async () => {
        await save(`${VALUES} values(X, Y) :- v(X, Y).`);
        await save('again(X, Y) :- values(X, Y).');
        const found = await run('values');
        expect(found.results).toEqual(SHOWN);
        expect(found.types).toEqual(['INT', 'UNKNOWN']);
        expect((await page('values')).rows).toEqual(SHOWN);
        expect(await rowsOf('again')).toEqual(SHOWN);
        expect((await run('values', { force_rerun: false })).results).toEqual(SHOWN);
    });

    test('are ordered by their kinds', async () => {
        await save(`${VALUES} w(X, Y) :- v(X, Y). w(14, Z) :- v(1, _).`);
        await run('w');
        const order = (await page('w&order_by=1')).rows.map(([number]) => number);
        expect(order).toEqual([7, 3, 4, 5, 1, 2, 8, 9, 13, 6, 10, 11, 12, 14]);
        expect((await page('w&order_by=1:desc')).rows.map(([number]) => number)).toEqual([...order].reverse());
    });

    test('that rules invent keep their identity, those that a source lacks are null', async () => {
        await save('base(1). base(2). owner(X, Z) :- base(X). @output("owner").');
        await save('left(Z, X) :- owner(X, Z).');
        await save('right(Z) :- owner(X, Z), X = 2.');
        await save('both(X, Z, Z) :- left(Z, X), right(Z).');
        expect(await rowsOf('owner')).toEqual([
            [1, '_:n1'],
            [2, '_:n2'],
        ]);
        expect((await page('owner&order_by=0:desc')).rows).toEqual([
            [2, '_:n1'],
            [1, '_:n2'],
        ]);
        expect((await page('owner&page=2&page_size=1')).rows).toEqual([[2, '_:n1']]);
        expect(await run('both')).toMatchObject({ results: [[2, '_:n1', '_:n1']], types: ['INT', 'NULL', 'NULL'] });
        await save(`@bind("gap", "csv", "", "gaps.csv"). @model("gap", "['name:string', 'n:int']"). gaps(X, N) :- gap(X, N).`);
        expect(await rowsOf('gaps')).toEqual([
            ['', 3],
            ['a', 1],
            ['b', null],
        ]);
        expect((await page('gaps&order_by=N:desc')).rows).toEqual([
            ['b', null],
            ['', 3],
            ['a', 1],
        ]);
    });

    test('types of columns', async () => {
        await save(
            `t(1, 1.5, "a", #T, 2024-05-01, 2024-05-01 10:00:00, [1], {1}, struct("a", 1), 1). t(2, 2.5, "b", #F, 2024-05-02, 2024-05-01 11:00:00, [2], {2}, struct("a", 2), "x").`,
        );
        const { types } = await run('t');
        expect(types).toEqual(['INT', 'DOUBLE', 'STRING', 'BOOLEAN', 'DATE', 'DATETIME', 'LIST', 'SET', 'STRUCT', 'UNKNOWN']);
        expect((await record('t')).columns.map(({ type }) => type)).toEqual(types);
    });
});

describe('dependencies', () => {
    test('show their output predicates only', async () => {
        await save('helper(1). a(X) :- helper(X). @output("a").');
        await save('helper(2). b(X) :- a(X). b(X) :- helper(X). @output("b").');
        await save('c(X) :- b(X), not hidden(X). @output("c").');
        expect(await run('c')).toMatchObject({
            results: [[1], [2]],
            concepts_executed: ['a', 'b', 'c'],
            warnings: ["Predicate 'hidden' is not defined; treated as empty"],
        });
    });

    test('recursion inside one concept is fine, between concepts it is a cycle', async () => {
        await save('edge(1, 2). edge(2, 3). path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z). @output("path").');
        expect(await rowsOf('path')).toHaveLength(3);
        await save('x(X) :- y(X).');
        await save('y(X) :- z(X).');
        await save('z(X) :- x(X).');
        const { status, body } = await asked('x');
        expect([status, body.code, body.message, body.details]).toEqual([
            422,
            'dependency_cycle',
            'Concepts depend on each other: x -> y -> z -> x',
            { cycle: ['x', 'y', 'z', 'x'] },
        ]);
    });

    test('modules of other concepts are added', async () => {
        await save('@module("shapes"). corner(X) :- shape(X, N), N > 2. lib(1). @output("lib").');
        await save('shape("square", 4). shape("line", 1). @output("shape").');
        await save('@include("shapes"). cornered(X) :- corner(X). @output("cornered").');
        expect(await run('cornered')).toMatchObject({ results: [['square']], concepts_executed: ['shape', 'cornered'] });
        await save(`${'%'.repeat(10_000)}\n%${' % /**/'.repeat(1000)}\n late(1). @output("late").`);
        await save('@include("nowhere"). lonely(1). @output("lonely").');
        expect(await codeOf(asked('lonely'))).toEqual([422, 'program_invalid']);
    });

    test('records name what modules of other concepts read', async () => {
        await save('a(1). @output("a").');
        await save('b(2). @output("b").');
        await save('@include("m"). c(X) :- h(X), b(X).', { output_predicate: 'c' });
        expect((await record('c')).dependencies).toEqual(['b']);
        await save('@module("m"). @include("n"). h(X) :- k(X). m(X) :- h(X).', { output_predicate: 'm' });
        await save('@module("n"). k(X) :- a(X). n(X) :- k(X).', { output_predicate: 'n' });
        expect((await record('c')).dependencies).toEqual(['a', 'b']);
        expect((await record('m')).dependencies).toEqual(['a']);
        expect((await run('c')).concepts_executed).toEqual(['a', 'b', 'c']);
    });

    test('binds that are kept beside a definition count', async () => {
        const annotation = '@bind("city", "csv useHeaders=true", "", "city.csv").';
        await save('named(N) :- city(N, S).', { binds: { input: [{ predicate: 'city', annotation }] } });
        expect(await rowsOf('named')).toEqual([['Milan'], ['Pisa'], ['Rome']]);
    });

    test('a concept reads others of its scope only', async () => {
        const scope = 'organization';
        await data(post('/projects/save', { project: { id: `${project.id}o`, name: 'o', scope } }));
        const other = `/concepts/${project.id}o`;
        await data(post(`${other}/save`, { scope, definition: 'a(1). @output("a").' }));
        expect(await data<Run>(post(`${other}/run/a`, { scope }))).toMatchObject({ results: [[1]] });
        expect(await codeOf(post(`${other}/run/a`, {}))).toEqual([404, 'project_not_found']);
        expect(await codeOf(get(`${other}/fetch?output_predicate=a`))).toEqual([404, 'project_not_found']);
        expect((await data<Page>(get(`${other}/fetch?output_predicate=a&project_scope=organization&scope=user`))).count).toBe(1);
        expect((await data<Page>(get(`${other}/fetch?output_predicate=a&scope=organization`))).count).toBe(1);
    });

    test('types pass on to dependents, and their models cast', async () => {
        await save('d(1.0, "5"). @output("d").');
        await save('e(X, Y) :- d(X, Y).');
        expect((await run('e')).types).toEqual(['DOUBLE', 'STRING']);
        await save(`@model("d", "['x:int', 'y:int']"). f(X, Y) :- d(X, Y).`);
        expect(await run('f')).toMatchObject({ types: ['INT', 'INT'], results: [[1, 5]] });
    });

    test('more columns than it has is a fault of the dependent', async () => {
        await save('one(1).');
        await save('two(X, Y) :- one(X, Y).');
        const { status, body } = await asked('two');
        expect([status, body.code, body.details?.concept_name]).toEqual([422, 'program_invalid', 'two']);
    });
});

describe('the older form', () => {
    test('stores nothing unless it is told to', async () => {
        await save('a(1).');
        const found = await data<Run>(olderAsked({ concept_name: 'a' }));
        expect(found).toMatchObject({ persisted: false, results: [[1]] });
        expect(found).not.toHaveProperty('steps');
        expect(await codeOf(fetched('a'))).toEqual([404, 'results_not_found']);
        expect(await data<Run>(olderAsked({ concept_name: 'a', persist_outputs: true }))).toMatchObject({ persisted: true });
        expect((await data<Page>(get(`/concepts/any/${project.id}/fetch?output_predicate=a`))).rows).toEqual([[1]]);
    });

    test('tells the steps', async () => {
        await save('a(1). a(2).');
        await save('b(X) :- a(X), X > 1.');
        const { steps, ...others } = await data<Run>(olderAsked({ concept_name: 'b', step_by_step: true }));
        expect(steps).toEqual([
            { concept_name: 'a', row_count: 2, execution_time: expect.any(Number) },
            { concept_name: 'b', row_count: 1, execution_time: expect.any(Number) },
        ]);
        expect(others.results).toEqual([[2]]);
    });

    test('needs the name of a concept, and of a workspace', async () => {
        await save('a(1).');
        expect((await olderAsked({})).body).toMatchObject({
            code: 'validation_error',
            details: { fields: [{ path: 'concept_name', issue: 'missing' }] },
        });
        expect(await codeOf(post(`/concepts/-bad/${project.id}/run`, { concept_name: 'a' }))).toEqual([400, 'validation_error']);
        expect(await codeOf(olderAsked({ concept_name: 'nope' }))).toEqual([404, 'concept_not_found']);
        expect(await codeOf(olderAsked({ concept_name: 'a', project_scope: 'all' }))).toEqual([400, 'invalid_scope']);
        expect(await codeOf(olderAsked({ concept_name: 'a', project_scope: 'organization' }))).toEqual([404, 'project_not_found']);
        expect(await codeOf(olderAsked({ concept_name: 'a', step_by_step: 'yes' }))).toEqual([400, 'validation_error']);
    });

    test('a workspace that is called like a route is the newer form', async () => {
        expect(await codeOf(post('/concepts/nope/run/a', {}))).toEqual([404, 'project_not_found']);
    });
});

describe('what cannot be run', () => {
    test('fields come first, then project and concept', async () => {
        expect(await codeOf(post('/concepts/nowhere/run/a', { force_rerun: 1 }))).toEqual([400, 'validation_error']);
        expect(await codeOf(post('/concepts/nowhere/run/a', {}))).toEqual([404, 'project_not_found']);
        expect(await codeOf(asked('nope'))).toEqual([404, 'concept_not_found']);
        expect(await codeOf(asked('nope', { scope: 'all' }))).toEqual([400, 'invalid_scope']);
        expect(await codeOf(call('GET', `/api/v1/concepts/${project.id}/run/a`))).toEqual([405, 'method_not_allowed']);
    });

    test('a failing step is named', async () => {
        await save('@bind("f", "csv", "", "absent.csv"). broken(X) :- f(X).');
        await save('top(X) :- broken(X).');
        const absent = await asked('top');
        expect([absent.status, absent.body.code, absent.body.details?.concept_name]).toEqual([422, 'source_unavailable', 'broken']);
        expect(absent.body.message).toMatch(/^Cannot read csv source 'absent.csv': /u);
        await save('p(1). p(2). strict(X) :- p(X). #F :- p(X), X > 1.');
        await save('over(X) :- strict(X).');
        const violated = await asked('over');
        expect([violated.status, violated.body.code, violated.body.details?.concept_name]).toEqual([422, 'evaluation_failed', 'strict']);
        expect(violated.body.message).toMatch(/^Evaluation failed in 'strict': /u);
    });

    test('where Python is switched off, a script says so', async () => {
        await save('w(City) :- python:run("s").', { python_scripts: { s: 'def main():\n    return []' } });
        await save('v(X) :- w(X).');
        for (const name of ['w', 'v']) {
            const { status, body } = await asked(name);
            expect([status, body.code, body.details]).toEqual([
                503,
                'python_unavailable',
                { concept_name: 'w', reason: 'Python is switched off' },
            ]);
            expect(body.message).toBe('Python is not available: Python is switched off. Start the services with --allow-python.');
        }
    });

    test('queries read the rows of other concepts, by the names of their columns, and are read by them', async () => {
        await save(CITIES);
        await save('SELECT max(S) AS "Most", count(*) FROM City_Source WHERE S > ?least;', {
            concept_type: 'sql',
            concept_name: 'largest',
        });
        await save('@param("least", 0). large(M) :- largest(M, _). @output("large").');
        expect(await run('largest', { params: { least: 1 } })).toMatchObject({ columns: ['Most', 'largest_1'], types: ['INT', 'INT'] });
        await save('SELECT * FROM city_source ORDER BY S DESC LIMIT 1', { concept_type: 'sql', concept_name: 'top' });
        expect(await run('top')).toMatchObject({ columns: ['N', 'S'], concepts_executed: ['city_source', 'top'], rows_processed: 1 });
        await save('SELECT city, S\nFROM city_source', { concept_type: 'sql', concept_name: 'wrong' });
        const { status, body } = await asked('wrong');
        expect([status, body.details?.diagnostics]).toEqual([
            422,
            [expect.objectContaining({ code: 'RL7006', line: 1, column: 8, end_column: 12 })],
        ]);
        expect(await run('large')).toMatchObject({ rows_processed: 1, concepts_executed: ['city_source', 'largest', 'large'] });
    });

    test('queries read what binds beside them read, and have values of parameters in their strings', async () => {
        fs.writeFileSync(join(project.services.folder, 'people.csv'), 'id,name\n1,Ada\n2,Bo\n');
        const annotation = `@bind("people", "csv useHeaders=true", "${project.services.folder}", "people.csv")`;
        const parts = { concept_type: 'sql', binds: { input: [{ predicate: 'people', annotation }] } };
        await save(`SELECT id FROM People WHERE name = '\${who}'`, { ...parts, concept_name: 'found' });
        expect(await run('found', { params: { who: 'Bo' } })).toMatchObject({ columns: ['id'], results: [['2']], warnings: [] });
        const { status, body } = await asked('found');
        expect([status, body.code, body.details?.parameters]).toEqual([422, 'missing_parameter', ['who']]);
        await save('SELECT name FROM nowhere', { concept_type: 'sql', concept_name: 'lost' });
        expect((await asked('lost')).body.message).toContain("there is no table 'nowhere'");
    });

    test('programs read nothing of what belongs to the services', async () => {
        for (const file of ['auth/token', 'store/rulelang.duckdb']) {
            await save(`@bind("f", "csv", "${project.services.data}", "${file}"). stolen(X) :- f(X).`);
            const { status, body, text } = await asked('stolen');
            expect([status, body.code]).toEqual([422, 'source_unavailable']);
            expect(text).not.toContain(project.services.token);
        }
    });

    test('passwords of binds are in no answer', async () => {
        await save(`@bind("f", "postgresql host='db', username='u', password='canary-17'", "shop", "t"). rows(X) :- f(X).`);
        const { status, text } = await asked('rows');
        expect(status).toBe(422);
        expect(text).not.toContain('canary-17');
        expect(project.services.log()).not.toContain('canary-17');
    });
});

describe('compute', () => {
    const configure = (value: unknown) => data(post('/users/save-config', { config_data: { COMPUTE: value } }));

    test.each([
        [{ backend: 'spark' }, 503, 'compute_unavailable'],
        [{ backend: 'nowhere' }, 400, 'invalid_compute'],
        [{}, 400, 'invalid_compute'],
        ['local', 400, 'invalid_compute'],
        [{ backend: 'local', timeout_seconds: 0 }, 400, 'invalid_compute'],
        [{ backend: 'local', timeout_seconds: 601 }, 400, 'invalid_compute'],
    ])('%j answers %d', async (compute, status, code) => {
        await save('a(1).');
        const answer = await asked('a', { compute });
        expect([answer.status, answer.body.code]).toEqual([status, code]);
        if (status === 503) expect(answer.body.details).toEqual({ backend: 'spark' });
    });

    test('a wish counts more than the concept, that more than the configuration', async () => {
        try {
            await save('a(1).', { compute: { backend: 'trino' } });
            expect((await asked('a')).body.details).toEqual({ backend: 'trino' });
            await configure({ backend: 'spark' });
            expect((await asked('a')).body.details).toEqual({ backend: 'trino' });
            expect(await run('a', { compute: { backend: 'local' } })).toMatchObject({ backend: 'local' });
            expect(await run('a', { compute: { backend: 'duckdb' } })).toMatchObject({ backend: 'duckdb' });
            await save('b(1).');
            expect((await asked('b')).body.details).toEqual({ backend: 'spark' });
            expect((await post('/rulelang/evaluate', { program: 'a(1). @output("a").' })).body.details).toEqual({ backend: 'spark' });
            await configure({ backend: 'nowhere' });
            expect(await codeOf(asked('b'))).toEqual([400, 'invalid_compute']);
            await configure({ backend: 'local', timeout_seconds: 1 });
            await save('n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. endless(X) :- n(X). @output("endless").');
            const late = await asked('endless', { compute: { backend: 'local' } });
            expect([late.status, late.body.code, late.body.message]).toEqual([504, 'evaluation_timeout', 'Evaluation exceeded 1 s']);
        } finally {
            await configure(null);
        }
        expect(await run('b')).toMatchObject({ backend: 'local' });
    });
});
