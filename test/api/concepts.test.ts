import { describe, expect, test } from 'vitest';
import { CITIES, type Concept, conceptProject, refusal } from './concept-project.ts';
import type { Answered } from './services.ts';

const { post, get, data, save, list, sql, definitions, token } = conceptProject();

describe('saving', () => {
    test('gives the whole record', async () => {
        const { status, body } = await post('/concepts/p/save', { definition: CITIES });
        const made = body.data as Concept;
        expect([status, body.status, body.message]).toEqual([200, 'success', 'Concept saved']);
        expect(made).toEqual({
            id: expect.stringMatching(/^[0-9a-f-]{36}$/u),
            predicate_name: 'big_city',
            concept_name: 'big_city',
            output_predicate: 'big_city',
            concept_type: 'logic',
            row_count: 0,
            definition: CITIES,
            description: '',
            python_scripts: {},
            binds: {},
            position: null,
            group: 'group_id',
            compute: null,
            params: [],
            columns: [{ name: 'C', type: 'STRING' }],
            dependencies: [],
            is_populated: false,
            is_stale: false,
            scope: 'user',
            project_id: 'p',
            author: JSON.parse(Buffer.from(token().split('.')[1] ?? '', 'base64url').toString()).username,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u),
            updated_at: made.created_at,
            created: true,
        });
        const { created, ...record } = made;
        const listed = await get('/concepts/p/list');
        expect([listed.body.message, listed.body.data]).toEqual(['Concepts listed', [record]]);
    });

    test('the same twice changes nothing', async () => {
        const body = { definition: CITIES, description: 'd', position: { x: 1 }, existing_name: null, python_scripts: null, params: 'x' };
        const made = await save(body);
        expect(await save(body)).toEqual({ ...made, created: false });
    });

    test('an update keeps what is absent, and clears what is empty', async () => {
        const made = await save({
            definition: 'w(A) :- python:run("f").',
            python_scripts: { f: 'def main(): return []', g: '' },
            description: 'd',
            binds: { output: [{ predicate: 'w', annotation: '@bind("w","csv","/d","w.csv").', kind: 'bind', options: { a: 'b' } }] },
            position: { x: 1, nested: { y: [null] } },
            group: 'g',
            compute: { backend: 'local', timeout_seconds: 5 },
        });
        const binds = {
            input: [],
            output: [{ predicate: 'w', annotation: '@bind("w","csv","/d","w.csv").', kind: 'bind', options: { a: 'b' } }],
        };
        expect(made).toMatchObject({
            binds,
            group: 'g',
            compute: { backend: 'local', timeout_seconds: 5 },
            position: { x: 1, nested: { y: [null] } },
        });
        const changed = await save({ definition: 'w(A) :- python:run("g").' });
        expect(changed).toMatchObject({
            description: 'd',
            binds,
            position: made.position,
            group: 'g',
            compute: made.compute,
            created: false,
        });
        expect(changed.python_scripts).toEqual(made.python_scripts);
        expect([changed.id, changed.created_at]).toEqual([made.id, made.created_at]);
        expect(changed.updated_at > made.updated_at).toBe(true);
        const cleared = await save({
            definition: 'w(1).',
            output_predicate: 'w',
            python_scripts: {},
            description: '',
            binds: {},
            position: {},
            group: 'group_id',
        });
        expect(cleared).toMatchObject({
            python_scripts: {},
            description: '',
            binds: {},
            position: null,
            group: 'group_id',
            concept_type: 'logic',
        });
    });

    test('parameters, columns and dependencies are read from the definition', async () => {
        const text = `@param("city", "Rome"). @param("n", -3). @param("big", 9007199254740993). @param("l", [1, "a"]). @param("d", 2024-05-01).
            @param("t", 2024-05-01 10:00:00). @param("b", #T). @param("x", 1.5).
            @model("r", "['name:string', 'size:int']"). @output("r").
            r(A, B) :- later(A), b_too(B, A), here(A), not absent(A), bound(B). here(1).
            @bind("bound", "csv", "/d", "b.csv").`;
        const before = await save({ definition: text });
        expect(before.params).toEqual([
            { name: 'city', default: 'Rome' },
            { name: 'n', default: -3 },
            { name: 'big', default: '9007199254740993' },
            { name: 'l', default: [1, 'a'] },
            { name: 'd', default: '2024-05-01' },
            { name: 't', default: '2024-05-01T10:00:00' },
            { name: 'b', default: true },
            { name: 'x', default: 1.5 },
        ]);
        expect(before.columns).toEqual([
            { name: 'name', type: 'STRING' },
            { name: 'size', type: 'INT' },
        ]);
        expect(before.dependencies).toEqual([]);
        for (const name of ['later', 'b_too', 'here', 'absent', 'bound', 'r2'])
            await save({ definition: `${name}(1).`, output_predicate: name });
        await sql('Mixed', 'WITH r2 AS (SELECT 1) SELECT * FROM R JOIN later ON true, r2 WHERE x IN (SELECT a FROM b_too)');
        const read = Object.fromEntries((await list()).map(({ concept_name, dependencies }) => [concept_name, dependencies]));
        expect(read.r).toEqual(['absent', 'b_too', 'later']);
        expect(read.Mixed).toEqual(['b_too', 'later', 'r']);
    });

    test('types come from the concepts that it reads, as these are now, whichever was saved first', async () => {
        await save({ definition: 'third(X, Z) :- second(X, Y), Z = Y + 1.' });
        await save({ definition: 'second(X, Y) :- first(X, N), Y = N * 2, not ring(X).' });
        await save({ definition: 'ring(X) :- second(X, _).' });
        const typesOf = async (): Promise<Record<string, string[]>> =>
            Object.fromEntries(
                (await list()).map(({ concept_name: name, columns }) => [name, (columns as { type: string }[]).map(({ type }) => type)]),
            );
        expect(await typesOf()).toEqual({ third: ['UNKNOWN', 'UNKNOWN'], second: ['UNKNOWN', 'UNKNOWN'], ring: ['UNKNOWN'] });
        await save({ definition: 'first("a", 1.5). first("b", 2.5).', concept_name: 'first' });
        expect(await typesOf()).toMatchObject({ third: ['STRING', 'DOUBLE'], second: ['STRING', 'DOUBLE'], ring: ['STRING'] });
        const saved = await save({ definition: 'fourth(Z) :- third(_, Z).' });
        expect(saved.columns).toEqual([{ name: 'Z', type: 'DOUBLE' }]);
        await save({ definition: 'first(2024-05-01, 1).', concept_name: 'first' });
        expect(await typesOf()).toMatchObject({ third: ['DATE', 'INT'], fourth: ['INT'] });
    });

    test('bound predicates are no dependencies, wherever the bind stands', async () => {
        await save({ definition: 'source(1).', concept_name: 'source' });
        const entry = { predicate: 'source', annotation: '@bind("source","csv","/d","s.csv")' };
        expect((await save({ definition: 'r(X) :- source(X).' })).dependencies).toEqual(['source']);
        expect((await save({ definition: 'r(X) :- source(X).', binds: { input: [entry] } })).dependencies).toEqual([]);
    });

    test('secrets of a connection are not shown', async () => {
        const compute = {
            backend: 'postgresql',
            connection: { host: 'db', port: 5432, username: 'u', password: 'canary-1', token: 'canary-2' },
            options: { region: 'eu', accessToken: 'canary-3' },
            timeout_seconds: 60,
        };
        const { text, body } = await post('/concepts/p/save', { definition: CITIES, compute });
        expect((body.data as Concept).compute).toEqual({ backend: 'postgresql', options: { region: 'eu' }, timeout_seconds: 60 });
        expect(text + (await get('/concepts/p/list')).text).not.toContain('canary');
        expect((await refusal(post('/concepts/p/save', { definition: CITIES, compute: { backend: 'none' } }))).slice(0, 2)).toEqual([
            400,
            'invalid_compute',
        ]);
    });

    test('an older path does the same', async () => {
        const made = await data<Concept>(post('/concepts/any.where/p/save', { concept_logic: CITIES, scope: 'user', group: 'g' }));
        expect(made).toMatchObject({ concept_name: 'big_city', group: 'g', created: true });
        expect(await data<Concept[]>(get('/concepts/x/p/list?scope=user'))).toHaveLength(1);
        expect((await data<{ name: string }>(post('/concepts/x/p/rename', { name: 'big_city', new_name: 'huge' }))).name).toBe('huge');
        expect(await data(post('/concepts/x/p/cleanup', { concept_names: ['huge'] }))).toEqual({ deleted: ['huge'], not_found: [] });
        const { body } = await post('/concepts/x/p/save', { definition: CITIES });
        expect(body.details?.fields?.map(({ path, issue }) => [path, issue])).toEqual([['concept_logic', 'missing']]);
        for (const workspace of ['-x', 'a%20b', '.x'])
            expect((await post(`/concepts/${workspace}/p/save`, { concept_logic: CITIES })).body.code).toBe('validation_error');
    });
});

describe('names', () => {
    test.each([
        ['the output predicate that is asked for', 'a(1). b(1). @output("b").', { output_predicate: 'a' }, 'a'],
        ['the name that is asked for', 'a(1). b(1). @output("b").', { concept_name: 'a', output_predicate: '' }, 'a'],
        ['both', 'a(1).', { concept_name: 'a', output_predicate: 'a' }, 'a'],
        ['the only output', 'a(X) :- b(X). c(X) :- b(X). @output("c"). @output("c").', {}, 'c'],
        ['the only predicate with rules', 'f(1). f(2). a(X) :- f(X). a(X) :- g(X).', {}, 'a'],
        ['empty is as good as absent', 'f(1). a(X) :- f(X).', { concept_name: '', output_predicate: '', existing_name: '' }, 'a'],
    ])('%s', async (_, definition, more, name) => expect((await save({ definition, ...more })).concept_name).toBe(name));

    test.each([
        [
            'several outputs',
            'a(1). b(1). @output("a"). @output("b").',
            {},
            'ambiguous_output_predicate',
            'Several outputs (a, b); name one with output_predicate',
        ],
        [
            'an output that nothing derives',
            'a(X) :- b(X). @output("z").',
            {},
            'no_output_predicate',
            "No output predicate: 'z' heads no rule or fact of the definition",
        ],
        [
            'a name that nothing derives',
            'a(X) :- b(X).',
            { output_predicate: 'b' },
            'no_output_predicate',
            "No output predicate: 'b' heads no rule or fact of the definition",
        ],
        [
            'a name that only differs in case',
            'aB(1).',
            { concept_name: 'ab' },
            'no_output_predicate',
            "No output predicate: 'ab' heads no rule or fact of the definition",
        ],
        [
            'rules for several',
            'a(X) :- c(X). b(X) :- c(X).',
            {},
            'no_output_predicate',
            'No output predicate: the definition has no @output, and rules for several predicates (a, b)',
        ],
        [
            'a name that is too long',
            `${'a'.repeat(129)}(X) :- b(X).`,
            {},
            'no_output_predicate',
            `No output predicate: '${'a'.repeat(129)}' is no name for a concept: it may have 128 letters, digits and '_'`,
        ],
        ['no rule', '% nothing', {}, 'no_output_predicate', 'No output predicate: the definition has no @output and no rule'],
    ])('%s is refused', async (_, definition, more, code, message) => {
        expect(await refusal(post('/concepts/p/save', { definition, ...more }))).toEqual([422, code, message]);
        expect(await list()).toEqual([]);
    });

    test('names are told apart by case', async () => {
        await sql('Ab', 'select 1');
        await sql('aB', 'select 2');
        expect((await list()).map(({ concept_name }) => concept_name)).toEqual(['Ab', 'aB']);
    });

    test('one is listed alone, as it stands among the others', async () => {
        await save({ definition: CITIES });
        await save({ definition: 'reader(X) :- big_city(X).' });
        const all = await list();
        const named = async (name: string): Promise<unknown> => (await get(`/concepts/p/list?concept_name=${name}`)).body.data;
        expect(await named('reader')).toEqual(all.filter(({ concept_name }) => concept_name === 'reader'));
        expect(await named('reader')).toMatchObject([{ dependencies: ['big_city'] }]);
        expect(await named('READER')).toEqual([]);
        expect(await named('no%20name')).toEqual([]);
        expect(await named('')).toEqual(all);
    });
});

describe('an existing name', () => {
    test('is changed in place, and renamed where the new name differs', async () => {
        const made = await save({ definition: CITIES, description: 'd' });
        await save({ definition: 'reader(X) :- big_city(X).' });
        expect(await save({ definition: CITIES, existing_name: 'big_city' })).toEqual({ ...made, created: false });
        const renamed = await save({ definition: 'huge(X) :- city(X).', existing_name: 'big_city' });
        expect(renamed).toMatchObject({ id: made.id, concept_name: 'huge', description: 'd', created: false, created_at: made.created_at });
        expect(await definitions()).toEqual({ huge: 'huge(X) :- city(X).', reader: 'reader(X) :- huge(X).' });
    });

    test('that is not there is told before anything else, then a name that is taken, then what is wrong with the text', async () => {
        await save({ definition: 'location(1).', concept_name: 'location' });
        await save({ definition: 'other(1).', concept_name: 'other' });
        const attempt = (body: object): Promise<Answered> => post('/concepts/p/save', body);
        const missing = await attempt({ definition: 'a(', existing_name: 'locatoin', concept_name: 'other' });
        expect([missing.status, missing.body.code, missing.body.message, missing.body.details]).toEqual([
            404,
            'concept_not_found',
            "Concept 'locatoin' does not exist in project 'p'",
            { concept_name: 'locatoin', did_you_mean: ['location'] },
        ]);
        const taken = [409, 'name_conflict', "A concept named 'other' already exists"];
        expect(await refusal(attempt({ definition: 'a(', existing_name: 'location', concept_name: 'other' }))).toEqual(taken);
        expect(await refusal(attempt({ definition: 'other(X) :- b(X).', existing_name: 'location' }))).toEqual(taken);
        expect((await attempt({ definition: 'other(X) :- b(X).', existing_name: 'location' })).body.status).toBe('conflict');
        expect((await refusal(attempt({ definition: 'a(', existing_name: 'location' }))).slice(0, 2)).toEqual([422, 'program_invalid']);
        expect(await definitions()).toEqual({ location: 'location(1).', other: 'other(1).' });
    });
});

describe('deleting', () => {
    test('some, none, all', async () => {
        for (const name of ['c', 'a', 'b']) await save({ definition: `${name}(1).`, concept_name: name });
        const clean = async (body: object): Promise<unknown> => {
            const answer = await post('/concepts/p/cleanup', body);
            return [answer.body.message, answer.body.data];
        };
        expect(await clean({ concept_names: [] })).toEqual(['Concepts deleted', { deleted: [], not_found: [] }]);
        expect(await clean({ concept_names: ['b', 'zzz', 'b', 'A', ''] })).toEqual([
            'Concepts deleted',
            { deleted: ['b'], not_found: ['', 'A', 'zzz'] },
        ]);
        expect((await list()).map(({ concept_name }) => concept_name)).toEqual(['c', 'a']);
        expect(await clean({ concept_names: null })).toEqual(['Concepts deleted', { deleted: ['a', 'c'], not_found: [] }]);
        expect(await clean({})).toEqual(['Concepts deleted', { deleted: [], not_found: [] }]);
        expect((await post('/concepts/p/cleanup', { concept_names: 'a' })).body.code).toBe('validation_error');
        expect((await post('/concepts/p/cleanup', { concept_names: [5] })).body.code).toBe('validation_error');
    });
});

test('many at once are all kept, one after the other', async () => {
    const saved = await Promise.all(Array.from({ length: 30 }, (_, i) => save({ definition: `c${i}(1).`, concept_name: `c${i}` })));
    expect(new Set(saved.map(({ id }) => id)).size).toBe(30);
    const same = await Promise.all(Array.from({ length: 10 }, (_, i) => save({ definition: `c(${i}).`, concept_name: 'c' })));
    expect(same.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    expect(await list()).toHaveLength(31);
});
