import { describe, expect, test } from 'vitest';
import { CITIES, type Concept, conceptProject, refusal } from './concept-project.ts';
import type { Answered } from './services.ts';

const { post, get, data } = conceptProject();

describe('texts that are refused', () => {
    const attempt = (body: object): Promise<Answered> => post('/concepts/p/save', body);

    test('a program with its place', async () => {
        const { status, body } = await attempt({ definition: 'a(1).\nb(X :- a(X).' });
        expect([status, body.code, body.message]).toEqual([
            422,
            'program_invalid',
            "Program is not valid: line 2, column 5: Expected ')' but found ':-'",
        ]);
        expect(body.details?.diagnostics).toMatchObject([
            { severity: 'error', line: 2, column: 5, end_line: 2, end_column: 7, code: 'RL0005' },
        ]);
    });

    test.each([
        'drop table x',
        'select 1; select 2',
        'select',
        'insert into x select 1',
        '-- nothing',
        'explain select 1',
        'select * from',
    ])('the query %s', async definition => {
        const { status, body } = await attempt({ definition, concept_type: 'sql', concept_name: 'q' });
        expect([status, body.code]).toEqual([422, 'sql_invalid']);
        expect(body.message).toMatch(/^SQL is not valid: line 1, column \d+: /u);
    });

    test.each([
        { annotation: 'nonsense' },
        { annotation: '@output("a").' },
        { annotation: '@bind("a","csv","d","f"). @bind("a","csv","d","g").' },
        { annotation: 'a(1).' },
    ])('the bind %j', async ({ annotation }) => {
        for (const side of ['input', 'output'])
            expect(
                (await refusal(attempt({ definition: CITIES, binds: { [side]: [{ predicate: 'a', annotation }] } }))).slice(0, 2),
            ).toEqual([422, 'bind_invalid']);
    });

    test.each([
        'w(A) :- python:run("f"), b(A).',
        'w(A) :- python:run("f"). v(A) :- w(A).',
        'w(A) :- python:run("f"). w(1).',
        'w(A) :- b(A), C = python:run("f").',
        'w(A) :- python:run(A).',
    ])('Python in %s', async definition => {
        const answer = await refusal(attempt({ definition, concept_name: 'w', python_scripts: { f: 'x' } }));
        expect(answer).toEqual([422, 'python_not_standalone', 'python:run must be the whole body of the only rule']);
    });

    test('a script that is not there', async () => {
        const answer = await refusal(attempt({ definition: 'w(A) :- python:run("f").', python_scripts: { g: 'x' } }));
        expect(answer).toEqual([422, 'script_not_found', "Script 'f' is not in python_scripts"]);
    });
});

describe('fields', () => {
    const refused: readonly (readonly [object, string, string])[] = [
        [{}, 'definition', 'missing'],
        [{ definition: null }, 'definition', 'missing'],
        [{ definition: ' \n' }, 'definition', 'missing'],
        [{ definition: 5 }, 'definition', 'wrong_type'],
        [{ concept_type: 'sql' }, 'concept_name', 'missing'],
        [{ concept_type: 'sql', output_predicate: 'q' }, 'concept_name', 'missing'],
        [{ concept_type: 'sql', concept_name: 'q', output_predicate: 'r' }, 'output_predicate', 'not_allowed'],
        [{ concept_name: 'q', output_predicate: 'r' }, 'output_predicate', 'not_allowed'],
        [{ concept_name: 'a b' }, 'concept_name', 'bad_format'],
        [{ concept_name: 'x'.repeat(129) }, 'concept_name', 'bad_format'],
        [{ output_predicate: '1a' }, 'output_predicate', 'bad_format'],
        [{ existing_name: 'é' }, 'existing_name', 'bad_format'],
        [{ python_scripts: [] }, 'python_scripts', 'wrong_type'],
        [{ python_scripts: { f: 5 } }, 'python_scripts.f', 'wrong_type'],
        [{ python_scripts: { 'a-b': '' } }, 'python_scripts.a-b', 'bad_format'],
        [{ python_scripts: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`s${i}`, ''])) }, 'python_scripts', 'out_of_range'],
        [{ description: 'x'.repeat(4097) }, 'description', 'too_long'],
        [{ binds: [] }, 'binds', 'wrong_type'],
        [{ binds: { input: {} } }, 'binds.input', 'wrong_type'],
        [{ binds: { output: ['x'] } }, 'binds.output[0]', 'wrong_type'],
        [{ binds: { output: [{ predicate: 'a' }] } }, 'binds.output[0].annotation', 'missing'],
        [{ binds: { output: [{ annotation: 'a' }] } }, 'binds.output[0].predicate', 'missing'],
        [{ position: [] }, 'position', 'wrong_type'],
        [{ group: 5 }, 'group', 'wrong_type'],
    ];
    test.each(refused)('%j is refused', async (fields, path, issue) => {
        const { status, body } = await post(
            '/concepts/p/save',
            'definition' in fields || path === 'definition' ? fields : { definition: CITIES, ...fields },
        );
        const told = body.details?.fields?.map(field => [field.path, field.issue]);
        expect([status, body.code, told]).toEqual([400, 'validation_error', [[path, issue]]]);
    });

    test('a type of its own', async () => {
        expect(await refusal(post('/concepts/p/save', { definition: CITIES, concept_type: 'x' }))).toEqual([
            400,
            'invalid_concept_type',
            "Unknown concept type 'x'; use 'logic' or 'sql'",
        ]);
    });

    test('what is too large', async () => {
        const mebibyte = 1024 * 1024;
        const fact = 'a("é").\n';
        const filled = `${fact}${'%'.padEnd(mebibyte - Buffer.byteLength(fact), 'x')}`;
        expect((await post('/concepts/p/save', { definition: filled, concept_name: 'a' })).status).toBe(200);
        const large = [
            await post('/concepts/p/save', { definition: `${filled}x` }),
            await post('/concepts/p/save', { definition: CITIES, python_scripts: { f: 'x'.repeat(256 * 1024 + 1) } }),
        ];
        for (const { status, body } of large) expect([status, body.code]).toEqual([413, 'payload_too_large']);
        expect(large.map(({ body }) => body.message)).toEqual([
            'definition exceeds 1048576 bytes',
            'python_scripts.f exceeds 262144 bytes',
        ]);
    });

    test('fields come before the project, the project before the text', async () => {
        expect((await post('/concepts/nope/save', { definition: 5 })).body.code).toBe('validation_error');
        expect((await post('/concepts/nope/save', { definition: 'a(' })).body.code).toBe('project_not_found');
        expect((await post('/concepts/p/save', { definition: 'a(1).', scope: 'organization' })).body.code).toBe('project_not_found');
        expect((await post('/concepts/p/save', { definition: 'a(1).', scope: 'x' })).body.code).toBe('invalid_scope');
        for (const answer of [
            await get('/concepts/nope/list'),
            await post('/concepts/nope/cleanup', {}),
            await get('/concepts/p/list?scope=organization'),
        ])
            expect([answer.status, answer.body.code]).toEqual([404, 'project_not_found']);
    });

    test('scopes are worlds of their own', async () => {
        await data(post('/concepts/o/save', { definition: 'a(1).', concept_name: 'a', scope: 'organization' }));
        expect(await data<Concept[]>(get('/concepts/o/list?scope=organization'))).toMatchObject([{ scope: 'organization' }]);
        expect(await data(post('/concepts/o/cleanup', { scope: 'organization' }))).toEqual({ deleted: ['a'], not_found: [] });
    });
});
