import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeOf, type Run, runProject } from './run-project.ts';

const project = runProject();
const { call, data, save, asked, run, rowsOf, olderAsked } = project;

describe('parameters', () => {
    test('given ones come first, then the nearest default', async () => {
        await save('@param("p", "inner"). inner(?p).');
        await save('@param("p", "outer"). outer(X, ?p) :- inner(X).');
        expect(await rowsOf('outer')).toEqual([['outer', 'outer']]);
        expect(await rowsOf('inner')).toEqual([['inner']]);
        expect(await rowsOf('outer', { params: { p: 'given' } })).toEqual([['given', 'given']]);
        expect(await rowsOf('outer', { params: { p: null, surplus: 1 } })).toEqual([['outer', 'outer']]);
    });

    test('reach dependencies that do not declare them', async () => {
        await save('low(X) :- X = ?limit.');
        await save('@param("limit", 10). high(X) :- low(X).');
        expect(await rowsOf('high')).toEqual([[10]]);
        expect(await rowsOf('low', { params: { limit: 3 } })).toEqual([[3]]);
        const { status, body } = await asked('low');
        expect([status, body.code, body.message, body.details]).toEqual([
            422,
            'missing_parameter',
            "No value for parameter 'limit'",
            { concept_name: 'low', parameters: ['limit'] },
        ]);
    });

    test('are values, not text of the program', async () => {
        const given = ['5', '#T', 'a"). b("', '2024-05-01', true, 5, 1.5, [1, 'x', [2]]];
        await save(`v(${given.map((_, i) => `?x${i}`).join()}).`);
        const params = Object.fromEntries(given.map((value, i) => [`x${i}`, value]));
        expect(await rowsOf('v', { params })).toEqual([given]);
    });

    test('whole numbers keep all of their digits', async () => {
        await save('b(X, Y) :- X = ?p, Y = ?q.');
        const exact = '{"params":{"p":9007199254740993,"q":[-9007199254740993, "9007199254740993"]}}';
        const answer = await call('POST', `/api/v1/concepts/${project.id}/run/b`, {
            text: exact,
            headers: { 'content-type': 'application/json' },
        });
        expect(answer.body.data).toMatchObject({ results: [['9007199254740993', ['-9007199254740993', '9007199254740993']]] });
    });

    test('of a wrong type are shown as they were given', async () => {
        await save('@param("p", 1). b(X) :- X = ?p.');
        expect((await asked('b', { params: { p: ['a', ['b']] } })).body.message).toContain(`'["a",["b"]]' is not`);
    });

    test('an object, or a null in a list, is none', async () => {
        await save('v(?x).');
        for (const x of [{}, { a: 1 }, [{ a: 1 }], [1, [null]]]) {
            const { status, body } = await asked('v', { params: { x } });
            expect([status, body.code, body.message]).toEqual([400, 'invalid_param_value', "Parameter 'x' has an unsupported value"]);
        }
        expect(await codeOf(asked('v', { params: [1] }))).toEqual([400, 'validation_error']);
        expect(await codeOf(asked('v', { params: 'x' }))).toEqual([400, 'validation_error']);
    });
});

describe('runs that need not be repeated', () => {
    test('give the rows that an equal run stored', async () => {
        await save('@param("n", 1). a(X) :- X = ?n.');
        await save('b(X) :- a(X).');
        const first = await run('b', { force_rerun: false });
        expect(first).toMatchObject({ cached: false, concepts_executed: ['a', 'b'] });
        expect(await run('b', { force_rerun: false })).toMatchObject({
            cached: true,
            concepts_executed: [],
            execution_id: first.execution_id,
            results: [[1]],
            columns: ['X'],
            types: ['INT'],
            rows_processed: 1,
            persisted: true,
        });
        expect(await run('b', { force_rerun: false, params: { surplus: 1 } })).toMatchObject({ cached: true });
        expect(await run('b')).toMatchObject({ cached: false });
        expect(await run('b', { force_rerun: false, params: { n: 1 } })).toMatchObject({ cached: true });
        expect(await run('b', { force_rerun: false, params: { n: 2 }, persist_outputs: false })).toMatchObject({ cached: false });
        expect(await run('b', { force_rerun: false })).toMatchObject({ cached: true });
    });

    test('are repeated after a change', async () => {
        await save('a(1).');
        await save('b(X) :- a(X).');
        const binds = { input: [{ predicate: 'q', annotation: '@bind("q", "csv", "", "city.csv").' }] };
        const scripts = { s: 'x' };
        // Each differs from what was saved before in one thing.
        const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
            ['none, but there are no rows', async () => undefined],
            ['of its definition', () => save('b(X) :- a(X). % changed')],
            ['of a bind', () => save('a(1).', { binds })],
            ['of a script', () => save('a(1).', { binds, python_scripts: scripts })],
            ['of a dependency', () => save('a(1). % changed', { binds, python_scripts: scripts })],
        ];
        for (const [what, change] of changes) {
            await change();
            const again = [await run('b', { force_rerun: false }), await run('b', { force_rerun: false })];
            expect([what, ...again.map(({ cached }) => cached)]).toEqual([what, false, true]);
        }
    });

    test('rows of dependencies that were stored on the way count, with the same parameters', async () => {
        await save('a(1). a(7).');
        await save('@param("p", 1). b(X) :- a(X), X > ?p.');
        await save('@param("p", 2). @param("q", 3). c(X) :- b(X), X > ?q.');
        const onTheWay = async (params: object): Promise<unknown> =>
            (await data<Run>(olderAsked({ concept_name: 'c', materialize_intermediate_concepts: true, params }))).execution_id;
        const first = await onTheWay({});
        expect(await run('a', { force_rerun: false })).toMatchObject({ cached: true, execution_id: first, results: [[1], [7]] });
        expect(await run('b', { force_rerun: false })).toMatchObject({ cached: false });
        const second = await onTheWay({ p: 5 });
        expect(await run('b', { force_rerun: false, params: { p: 5, q: 9 } })).toMatchObject({ cached: true, execution_id: second });
        expect(await run('b', { force_rerun: false })).toMatchObject({ cached: false, results: [[7]] });
    });

    test('rows of a dependency that writes a file do not count as its own run', async () => {
        await save('@bind("w", "csv", "", "written.csv"). w(1). @output("w").');
        await save('c(X) :- w(X).');
        await data(olderAsked({ concept_name: 'c', materialize_intermediate_concepts: true }));
        const file = join(project.services.folder, 'written.csv');
        expect(fs.existsSync(file)).toBe(false);
        expect(await run('w', { force_rerun: false })).toMatchObject({ cached: false });
        expect(fs.existsSync(file)).toBe(true);
    });

    test('a file that changed makes another run', async () => {
        const file = join(project.services.folder, 'changing.csv');
        fs.writeFileSync(file, 'a\n');
        await save('@bind("f", "csv", "", "changing.csv"). g(X) :- f(X).');
        await save('h(X) :- g(X).');
        expect(await rowsOf('h')).toEqual([['a']]);
        expect(await run('h', { force_rerun: false })).toMatchObject({ cached: true });
        fs.writeFileSync(file, 'a\nb\n');
        expect(await run('h', { force_rerun: false })).toMatchObject({ cached: false, results: [['a'], ['b']] });
        expect(await run('h', { force_rerun: false })).toMatchObject({ cached: true });
    });
});
