import { beforeEach, describe, expect, test } from 'vitest';
import { rulelang } from '../cli/command-line.ts';
import { codeOf, type Run, runProject } from './run-project.ts';

const project = runProject();
const { post, get, data, save, asked, run, olderAsked, fetched, page, record } = project;

describe('stored rows', () => {
    test('are what a record tells', async () => {
        await save('a(1, "x"). a(2, "y").');
        expect(await record('a')).toMatchObject({ row_count: 0, is_populated: false, is_stale: false });
        await run('a', { persist_outputs: false });
        expect(await record('a')).toMatchObject({ row_count: 0, is_populated: false });
        expect(await codeOf(fetched('a'))).toEqual([404, 'results_not_found']);
        await run('a');
        expect(await record('a')).toMatchObject({
            row_count: 2,
            is_populated: true,
            is_stale: false,
            columns: [
                { name: 'a_0', type: 'INT' },
                { name: 'a_1', type: 'STRING' },
            ],
        });
        await save('a(3).');
        expect(await record('a')).toMatchObject({
            row_count: 2,
            is_populated: true,
            is_stale: true,
            columns: [{ name: 'a_0', type: 'INT' }],
        });
        expect((await page('a')).count).toBe(2);
        await run('a');
        expect(await record('a')).toMatchObject({ row_count: 1, is_stale: false });
    });

    test('stay where a run fails or does not persist', async () => {
        await save('@param("n", 1). a(X) :- X = ?n.');
        await run('a');
        expect(await run('a', { params: { n: 2 }, persist_outputs: false })).toMatchObject({ results: [[2]], persisted: false });
        expect((await page('a')).rows).toEqual([[1]]);
        await save('a(X) :- b(X, X, X).');
        await save('b(1).');
        expect((await asked('a')).status).toBe(422);
        expect((await page('a')).rows).toEqual([[1]]);
    });

    test('belong to the target only, but for those that are wished for', async () => {
        await save('a(1).');
        await save('b(X) :- a(X).');
        await save('c(X) :- b(X).');
        await run('c');
        expect(await codeOf(fetched('b'))).toEqual([404, 'results_not_found']);
        const materialized = await data<Run>(olderAsked({ concept_name: 'c', materialize_intermediate_concepts: true }));
        expect(materialized).toMatchObject({ persisted: false, results: [[1]] });
        for (const name of ['a', 'b']) expect(await record(name)).toMatchObject({ row_count: 1, is_stale: false });
        expect((await page('b')).rows).toEqual([[1]]);
    });

    test('move along with a new name, and go with their concept', async () => {
        await save('a(1).');
        await save('b(X) :- a(X).');
        await run('a');
        await data(post(`/concepts/${project.id}/rename`, { name: 'a', new_name: 'aa' }));
        expect(await page('aa')).toMatchObject({ output_predicate: 'aa', rows: [[1]] });
        expect(await record('aa')).toMatchObject({ row_count: 1, is_stale: false });
        expect(await codeOf(fetched('a'))).toEqual([404, 'concept_not_found']);
        expect(await run('b')).toMatchObject({ concepts_executed: ['aa', 'b'] });
        await data(post(`/concepts/${project.id}/cleanup`, { concept_names: ['aa'] }));
        expect(await codeOf(fetched('aa'))).toEqual([404, 'concept_not_found']);
        await save('aa(1).');
        expect(await codeOf(fetched('aa'))).toEqual([404, 'results_not_found']);
    });

    test('of a project that is deleted are gone when it comes again', async () => {
        await save('a(1).');
        await run('a');
        await data(post('/projects/cleanup', { project: { id: project.id } }));
        expect(await codeOf(fetched('a'))).toEqual([404, 'project_not_found']);
        await data(post('/projects/save', { project: { id: project.id, name: 'again' } }));
        await save('a(1).');
        expect(await codeOf(fetched('a'))).toEqual([404, 'results_not_found']);
    });
});

describe('pages', () => {
    beforeEach(async () => {
        await save(
            `row(X, Y) :- n(X), Y = X * X. n(0). n(Y) :- n(X), X < 49, Y = X + 1. @output("row"). @model("row", "['Number:int', 'number:int']").`,
        );
        await run('row');
    });

    test('thirty rows unless somebody says how many', async () => {
        const first = await page('row');
        expect(first).toMatchObject({
            output_predicate: 'row',
            columns: ['Number', 'number'],
            types: ['INT', 'INT'],
            count: 50,
            page: 1,
            page_size: 30,
            total_pages: 2,
        });
        expect(Object.keys(first)).toEqual(['output_predicate', 'columns', 'types', 'rows', 'count', 'page', 'page_size', 'total_pages']);
        expect(first.rows).toHaveLength(30);
        expect((await page('row&page=2')).rows).toHaveLength(20);
        expect(await page('row&page=3')).toMatchObject({ rows: [], count: 50, page: 3 });
        expect((await page('row&page_size=1000')).rows).toHaveLength(50);
        expect(await page('row&page=9007199254740991&page_size=1000')).toMatchObject({ rows: [] });
        expect((await fetched('row')).body.message).toBe('Results fetched');
    });

    test.each([
        ['page=0', 'page', 'out_of_range'],
        ['page=-1', 'page', 'bad_format'],
        ['page=x', 'page', 'bad_format'],
        ['page_size=0', 'page_size', 'out_of_range'],
        ['page_size=1001', 'page_size', 'out_of_range'],
        ['page_size=1.0', 'page_size', 'bad_format'],
    ])('%s is refused', async (query, path, issue) => {
        const { status, body } = await fetched(`row&${query}`);
        expect([status, body.code, body.details?.fields?.[0]]).toMatchObject([400, 'validation_error', { path, issue }]);
    });

    test('other orders', async () => {
        expect((await page('row&order_by=0:desc&page_size=2')).rows).toEqual([
            [49, 2401],
            [48, 2304],
        ]);
        expect((await page('row&order_by=number:desc,0&page_size=1')).rows).toEqual([[49, 2401]]);
        expect((await page('row&order_by=NUMBER&page_size=1')).rows).toEqual([[0, 0]]);
        expect(await page('row&order_by=')).toEqual(await page('row'));
        for (const bad of ['2', 'nope', '0:up', '0,', ','])
            expect(await codeOf(fetched(`row&order_by=${encodeURIComponent(bad)}`)), bad).toEqual([400, 'invalid_order_by']);
    });

    test('what is not there', async () => {
        expect(await codeOf(get(`/concepts/${project.id}/fetch`))).toEqual([400, 'validation_error']);
        expect(await codeOf(fetched('nope'))).toEqual([404, 'concept_not_found']);
        expect(await codeOf(get('/concepts/nowhere/fetch?output_predicate=row'))).toEqual([404, 'project_not_found']);
        expect(await codeOf(fetched('row&project_scope=all'))).toEqual([400, 'invalid_scope']);
        const { body } = await fetched('rov');
        expect(body).toMatchObject({
            message: `Concept 'rov' does not exist in project '${project.id}'`,
            details: { did_you_mean: ['row'] },
        });
        await save('never(1).');
        expect((await fetched('never')).body.message).toBe("Concept 'never' has no stored results; run it with persist_outputs");
    });

    test('viewers fetch but do not run', async () => {
        const made = await rulelang(project.services.folder, [
            'token',
            '--data-dir',
            project.services.data,
            '--role',
            'viewer',
            '--expires-in',
            '60',
        ]);
        const token = made.stdout.trim();
        expect((await get(`/concepts/${project.id}/fetch?output_predicate=row`, { token })).status).toBe(200);
        expect(await codeOf(post(`/concepts/${project.id}/run/row`, {}, { token }))).toEqual([403, 'forbidden']);
        expect(await codeOf(post(`/concepts/w/${project.id}/run`, { concept_name: 'row' }, { token }))).toEqual([403, 'forbidden']);
    });
});
