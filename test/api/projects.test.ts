import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callsTo } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;
const { post, get, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
    for (const scope of ['user', 'organization']) await data(post('/projects/cleanup', { project: { scope } }));
});

interface Project {
    readonly id: string;
    readonly project_id: string;
    readonly name: string;
    readonly scope: string;
    readonly created_at: string;
    readonly updated_at: string;
    readonly concept_count: number;
    readonly created?: boolean;
}
interface Exported {
    readonly format: string;
    readonly version: number;
    readonly project: Record<string, unknown>;
    readonly concepts: readonly Record<string, unknown>[];
    readonly dashboards: readonly Record<string, unknown>[];
    readonly summary: object;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;

const save = (project: object): Promise<Project> => data(post('/projects/save', { project }));
const list = (scopes?: string): Promise<Project[]> => data(get(`/projects/list${scopes === undefined ? '' : `?scopes=${scopes}`}`));
const told = async (answer: Promise<Answered>): Promise<unknown[]> => {
    const { status, body } = await answer;
    return [status, body.status, body.code, body.message];
};

describe('saving', () => {
    test('a new project has an id of its own', async () => {
        const { status, body } = await post('/projects/save', { project: { name: 'Supply risk' }, extra: 1 });
        const made = body.data as Project;
        expect([status, body.status, body.message]).toEqual([200, 'success', 'Project saved']);
        expect(made).toEqual({
            project_id: made.id,
            id: expect.stringMatching(UUID),
            name: 'Supply risk',
            scope: 'user',
            description: '',
            metadata: {},
            author: JSON.parse(Buffer.from(services.token.split('.')[1] ?? '', 'base64url').toString()).username,
            created_at: expect.stringMatching(MOMENT),
            updated_at: made.created_at,
            concept_count: 0,
            created: true,
        });
    });

    test('an id that is unknown is made, one that is known is changed in what is given', async () => {
        const made = await save({ id: 'p.1-A_x', name: 'One', description: 'about it', metadata: { b: [1], a: null } });
        expect(made).toMatchObject({ id: 'p.1-A_x', created: true });
        const changed = await save({ id: 'p.1-A_x', description: null, metadata: { c: 1 } });
        expect(changed).toMatchObject({
            name: 'One',
            description: 'about it',
            metadata: { c: 1 },
            created: false,
            created_at: made.created_at,
        });
        expect(changed.updated_at > made.updated_at).toBe(true);
        expect(await save({ id: 'p.1-A_x', name: 'Two', description: '' })).toMatchObject({ name: 'Two', description: '' });
        expect(await list()).toHaveLength(1);
    });

    test('an id belongs to one scope', async () => {
        await save({ id: 'p', name: 'One' });
        expect(await told(post('/projects/save', { project: { id: 'p', name: 'Two', scope: 'organization' } }))).toEqual([
            409,
            'conflict',
            'id_conflict',
            "Project id 'p' is taken in scope 'user'",
        ]);
        expect(await told(get('/projects/load?project_id=p&scope=organization'))).toEqual([
            404,
            'error',
            'project_not_found',
            "Project 'p' does not exist in scope 'organization'",
        ]);
    });

    test('names are not unique, and have 1 to 200 characters', async () => {
        const name = '😀'.repeat(200);
        const [one, two] = [await save({ name }), await save({ name })];
        expect(one.id).not.toBe(two.id);
        expect(await told(post('/projects/save', { project: { name: `${name}x` } }))).toEqual([
            400,
            'error',
            'validation_error',
            'Invalid request: project.name must have at most 200 characters',
        ]);
    });

    const refused: readonly (readonly [object, string, string])[] = [
        [{}, 'project', 'missing'],
        [{ project: null }, 'project', 'missing'],
        [{ project: [] }, 'project', 'wrong_type'],
        [{ project: {} }, 'project.name', 'missing'],
        [{ project: { name: null } }, 'project.name', 'missing'],
        [{ project: { id: 'unknown' } }, 'project.name', 'missing'],
        [{ project: { name: '  ' } }, 'project.name', 'missing'],
        [{ project: { name: 5 } }, 'project.name', 'wrong_type'],
        [{ project: { name: 'a', metadata: [] } }, 'project.metadata', 'wrong_type'],
        [{ project: { name: 'a', description: 'x'.repeat(4097) } }, 'project.description', 'too_long'],
        ...['run', 'save', 'list', 'fetch', 'cleanup', 'rename', 'load', 'copy', '-a', 'a b', 'a/b', 'x'.repeat(129)].map(
            id => [{ project: { id, name: 'a' } }, 'project.id', 'bad_format'] as const,
        ),
    ];
    test.each(refused)('%j is refused', async (body, path, issue) => {
        const { status, body: answer } = await post('/projects/save', body);
        expect([status, answer.code, answer.details?.fields?.map(field => [field.path, field.issue])]).toEqual([
            400,
            'validation_error',
            [[path, issue]],
        ]);
    });

    test('words within an id are no words of routes', async () => {
        for (const id of ['run1', 'Run', 'listing', '0']) expect((await save({ id, name: 'a' })).id).toBe(id);
    });
});

describe('listing', () => {
    test('by scope, oldest first', async () => {
        const b = await save({ id: 'b', name: 'B' });
        const a = await save({ id: 'a', name: 'A' });
        const o = await save({ id: 'o', name: 'O', scope: 'organization' });
        await data(post('/concepts/b/save', { definition: 'x(1). @output("x").' }));
        const ids = async (scopes?: string): Promise<unknown> => (await list(scopes)).map(({ id, concept_count: count }) => [id, count]);
        expect(await ids()).toEqual([
            ['b', 1],
            ['a', 0],
        ]);
        expect(await ids('organization')).toEqual([['o', 0]]);
        expect(await ids('user,organization')).toEqual([
            ['b', 1],
            ['a', 0],
            ['o', 0],
        ]);
        expect([b, a, o].map(({ created }) => created)).toEqual([true, true, true]);
        const { created, ...record } = a;
        expect(await data(get('/projects/load?project_id=a'))).toEqual(record);
        expect((await get('/projects/list')).body.message).toBe('Projects listed');
    });

    test.each(['x', 'user,x', 'user,', ',', ''])("the scopes '%s' are refused", async scopes => {
        expect((await get(`/projects/list?scopes=${scopes}`)).body.code).toBe('invalid_scope');
    });
});

describe('deleting', () => {
    test('one project, with all that is in it', async () => {
        for (const id of ['a', 'b']) {
            await save({ id, name: id });
            await data(post(`/concepts/${id}/save`, { definition: 'x(1). @output("x").' }));
            await data(post(`/dashboards/${id}/save`, { dashboard: { name: 'd' } }));
        }
        expect(await data(post('/projects/cleanup', { project: { id: 'a' } }))).toEqual({ deleted: ['a'], not_found: [] });
        expect(await data(post('/projects/cleanup', { project: { id: 'a' } }))).toEqual({ deleted: [], not_found: ['a'] });
        expect((await get('/concepts/a/list')).body.code).toBe('project_not_found');
        expect(await data<object[]>(get('/dashboards/list'))).toHaveLength(1);
        await save({ id: 'a', name: 'again' });
        expect(await data(get('/concepts/a/list'))).toEqual([]);
        expect(await data<object[]>(get('/concepts/b/list'))).toHaveLength(1);
    });

    test('all projects of a scope', async () => {
        for (const id of ['b', 'a']) await save({ id, name: id });
        await save({ id: 'o', name: 'o', scope: 'organization' });
        expect(await data(post('/projects/cleanup', { project: { id: 'o' } }))).toEqual({ deleted: [], not_found: ['o'] });
        expect(await data(post('/projects/cleanup', {}))).toEqual({ deleted: ['a', 'b'], not_found: [] });
        expect((await list('user,organization')).map(({ id }) => id)).toEqual(['o']);
    });
});

const DEFINITION = 'city("Rome",2800000).\nbig_city(C) :- city(C,P), P > ?least.\n@param("least", 1000000).\n@output("big_city").';
const FULL = {
    definition: DEFINITION,
    description: 'large ones',
    position: { x: 1.5, y: -2 },
    group: 'cities',
    binds: { input: [], output: [{ predicate: 'big_city', annotation: '@bind("big_city","csv","/d","o.csv").', kind: 'bind' }] },
    compute: {
        backend: 'postgresql',
        connection: { host: 'db', password: 'canary-password' },
        options: { region: 'eu', sessionToken: 'canary' },
    },
};

async function fullProject(): Promise<void> {
    await save({ id: 'p', name: 'One', description: 'about', metadata: { k: 'v' } });
    await data(post('/concepts/p/save', FULL));
    await data(post('/concepts/p/save', { definition: 'select * from big_city', concept_type: 'sql', concept_name: 'q' }));
    await data(post('/concepts/p/save', { definition: 'w(A) :- python:run("f").', python_scripts: { f: 'def main(): return []' } }));
    await data(post('/dashboards/p/save', { dashboard: { name: 'D', definition: { tiles: [{ z: 1, a: null }] } } }));
}

/** Concepts without what is new in a copy. */
async function conceptsOf(project: string, scope = 'user'): Promise<unknown> {
    const all = await data<Record<string, unknown>[]>(get(`/concepts/${project}/list?scope=${scope}`));
    const same = all.map(({ id, project_id: _, scope: __, created_at: ___, updated_at: ____, compute: _____, ...concept }) => {
        expect(id).toMatch(UUID);
        return concept;
    });
    return same.sort((a, b) => (String(a.concept_name) < String(b.concept_name) ? -1 : 1));
}

describe('copying', () => {
    test('concepts and dashboards come along', async () => {
        await fullProject();
        const copy = await data<Project & { new_project_id: string }>(
            post('/projects/copy', { project_id: 'p', target_scope: 'organization' }),
        );
        expect(copy).toEqual({
            new_project_id: copy.project_id,
            project_id: expect.stringMatching(UUID),
            name: 'One (copy)',
            scope: 'organization',
        });
        expect(await conceptsOf(copy.project_id, 'organization')).toEqual(await conceptsOf('p'));
        expect(await data(get(`/projects/load?project_id=${copy.project_id}&scope=organization`))).toMatchObject({
            description: 'about',
            metadata: { k: 'v' },
            concept_count: 3,
        });
        const [dashboard] = await data<Project[]>(get(`/dashboards/${copy.project_id}/list?scope=organization`));
        expect(await data(get(`/dashboards/${copy.project_id}/${dashboard?.id}?scope=organization`))).toMatchObject({
            definition: { tiles: [{ z: 1, a: null }] },
        });
        const again = await data<Project>(post('/projects/copy', { project_id: copy.project_id, new_project_name: 'Other' }));
        expect([again.name, again.scope]).toEqual(['Other', 'user']);
    });

    test('the name of a copy is not too long, and there must be something to copy', async () => {
        await save({ id: 'p', name: 'x'.repeat(200) });
        const { name } = await data<Project>(post('/projects/copy', { project_id: 'p' }));
        expect(name).toBe(`${'x'.repeat(193)} (copy)`);
        expect((await post('/projects/copy', { project_id: 'nope' })).body.code).toBe('project_not_found');
        expect((await post('/projects/copy', {})).body.code).toBe('validation_error');
    });
});

describe('exports', () => {
    test('a project goes out and comes in again', async () => {
        await fullProject();
        const { text, body } = await post('/projects/export-project', { project_id: 'p' });
        const exported = body.data as Exported;
        expect(exported).toMatchObject({
            format: 'rulelang-project',
            version: 1,
            project: { id: 'p', name: 'One', description: 'about', metadata: { k: 'v' } },
            summary: { total_tables: 2, total_rows: 4 },
        });
        expect(exported.concepts.map(concept => concept.concept_name)).toEqual(['big_city', 'q', 'w']);
        expect(text).not.toContain('canary');
        const imported = await data<Project & { new_project_id: string }>(
            post('/projects/import-project', { export_data: exported, scope: 'organization' }),
        );
        expect(imported).toEqual({
            new_project_id: imported.project_id,
            project_id: expect.stringMatching(UUID),
            summary: { total_tables: 2, total_rows: 4 },
        });
        expect(await conceptsOf(imported.project_id, 'organization')).toEqual(await conceptsOf('p'));
        const other = await data<Exported>(post('/projects/export-project', { project_id: imported.project_id, scope: 'organization' }));
        const told = ({ concepts, dashboards }: Exported): unknown => [concepts, dashboards.map(({ id, ...rest }) => rest)];
        expect(told(other)).toEqual(told(exported));
    });

    test('passwords in texts are named and not told', async () => {
        await save({ id: 'p', name: 'One' });
        const bind = (password: string): string => `@bind("t", "postgresql host='h', password=${password}", "db", "t").`;
        const entry = (password: string, shown: string): object => ({
            predicate: 't',
            annotation: bind(password),
            options: { host: 'h', password: shown },
        });
        const definition = (password: string): string => `${bind(password)} a(X) :- t(X), X != "password='canary'".`;
        const name = `\${PASSWORD}`;
        const named = `'${name}'`;
        const body = { definition: definition("'canary'"), binds: { input: [entry('canary', 'canary')] } };
        const { warnings } = await data<{ warnings: string[] }>(post('/concepts/p/save', body));
        expect(warnings).toEqual([expect.stringContaining('password')]);
        expect(await data(post('/concepts/p/save', { definition: definition(named), binds: {} }))).not.toHaveProperty('warnings');
        await post('/concepts/p/save', body);
        const exported = await data<Exported>(post('/projects/export-project', { project_id: 'p' }));
        expect(exported.concepts).toMatchObject([{ definition: definition(named), binds: { input: [entry(named, name)] } }]);
    });

    test('a workspace', async () => {
        await fullProject();
        await save({ id: 'empty', name: 'Empty' });
        const exported = await data<object>(post('/projects/export-workspace', {}));
        expect(exported).toMatchObject({ format: 'rulelang-workspace', version: 1, summary: { total_tables: 4, total_rows: 4 } });
        const { imported } = await data<{ imported: { old_project_id: string; new_project_id: string }[] }>(
            post('/projects/import-workspace', { export_data: exported, scope: 'organization' }),
        );
        expect(imported.map(({ old_project_id: id }) => id)).toEqual(['p', 'empty']);
        expect((await list('organization')).map(({ id }) => id).sort()).toEqual(imported.map(({ new_project_id: id }) => id).sort());
        expect(await data(post('/projects/export-workspace', { scope: 'user' }))).toEqual(exported);
    });

    test('what is no export makes nothing', async () => {
        await fullProject();
        const good = await data<Exported>(post('/projects/export-project', { project_id: 'p' }));
        const [concept] = good.concepts;
        const bad: readonly object[] = [
            {},
            { ...good, format: 'rulelang-workspace' },
            { ...good, format: 5 },
            { ...good, version: 2 },
            { ...good, version: '1' },
            { ...good, project: {} },
            { ...good, concepts: undefined },
            { ...good, concepts: [5] },
            { ...good, concepts: [concept, concept] },
            { ...good, concepts: [{ ...concept, definition: 'a(' }] },
            { ...good, concepts: [{ ...concept, concept_name: 'other' }] },
            { ...good, concepts: [{ ...concept, concept_type: 'x' }] },
            { ...good, concepts: [{ concept_name: 'w', definition: 'w(A) :- python:run("f").' }] },
            { ...good, dashboards: [{ name: 'x' }] },
        ];
        const workspace = { format: 'rulelang-workspace', version: 1 };
        for (const export_data of bad) {
            for (const [route, body] of [
                ['project', { export_data }],
                ['workspace', { export_data: { ...workspace, projects: [good, export_data] } }],
            ] as const) {
                expect([export_data, ...(await told(post(`/projects/import-${route}`, body)))]).toEqual([
                    export_data,
                    422,
                    'error',
                    'export_invalid',
                    'Not a rulelang export of version 1',
                ]);
            }
        }
        expect((await list('user,organization')).map(({ id }) => id)).toEqual(['p']);
        expect((await post('/projects/import-project', {})).body.code).toBe('validation_error');
        expect((await post('/projects/export-project', { project_id: 'p', scope: 'organization' })).body.code).toBe('project_not_found');
    });
});
