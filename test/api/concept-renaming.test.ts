import { describe, expect, test } from 'vitest';
import { CITIES, conceptProject, refusal } from './concept-project.ts';
import type { Answered } from './services.ts';

const { post, get, data, save, list, sql, definitions } = conceptProject();

const rename = (name: string, new_name: string): Promise<Answered> => post('/concepts/p/rename', { name, new_name });

describe('renaming', () => {
    test('goes through everything that means the concept, and nothing else', async () => {
        await save({
            definition: `% big is here
@output("big"). @model("big", "['c:string']"). @bind("big", "csv", "/d", "big.csv").
big(X) :- city(X, "big"), bigger(X), not small(X). % big
big(X) :- big(Y), next(Y, X).`,
            binds: { output: [{ predicate: 'big', annotation: '@bind("big", "csv", "/d", "o.csv").' }] },
        });
        await save({ definition: 'dep(X) :- big(X), X != "big".\ndep(X) :- bigger(X).' });
        await save({ definition: "embedded(X) :- SELECT big.c FROM big, other WHERE c <> 'big'.", concept_name: 'embedded' });
        await sql('q', "SELECT b.c, BIG.c, big_0, 'big' AS big FROM big AS b, big -- big");
        await save({ definition: 'big(1). private(X) :- big(X).', concept_name: 'private' });
        await save({ definition: 'far(X) :- dep(X).' });
        const before = await list();
        const { status, body } = await rename('big', 'large');
        expect([status, body.message, body.data]).toEqual([
            200,
            'Concept renamed',
            { name: 'large', previous_name: 'big', updated_concepts: ['dep', 'embedded', 'q'] },
        ]);
        const after = await list();
        expect(await definitions()).toEqual({
            large: `% big is here
@output("large"). @model("large", "['c:string']"). @bind("large", "csv", "/d", "big.csv").
large(X) :- city(X, "big"), bigger(X), not small(X). % big
large(X) :- large(Y), next(Y, X).`,
            dep: 'dep(X) :- large(X), X != "big".\ndep(X) :- bigger(X).',
            embedded: "embedded(X) :- SELECT large.c FROM large, other WHERE c <> 'big'.",
            q: "SELECT b.c, large.c, large_0, 'big' AS big FROM large AS b, large -- big",
            private: 'big(1). private(X) :- big(X).',
            far: 'far(X) :- dep(X).',
        });
        expect(after[0]?.binds).toEqual({
            input: [],
            output: [{ predicate: 'large', annotation: '@bind("large", "csv", "/d", "o.csv").' }],
        });
        expect(after.map(({ id, group }) => [id, group])).toEqual(before.map(({ id, group }) => [id, group]));
        expect(after.find(({ concept_name }) => concept_name === 'q')?.dependencies).toEqual(['large']);
        expect(await refusal(rename('big', 'x'))).toEqual([404, 'concept_not_found', "Concept 'big' does not exist in project 'p'"]);
    });

    test('the same name changes nothing; one that is taken, or no name, is refused', async () => {
        const made = await save({ definition: 'a(1).', concept_name: 'a' });
        await sql('B', 'select * from a');
        await save({ definition: 'c(X) :- a(X), aux(X). aux(1).', concept_name: 'c' });
        expect((await rename('a', 'a')).body.data).toEqual({ name: 'a', previous_name: 'a', updated_concepts: [] });
        expect((await list())[0]).toMatchObject({ updated_at: made.updated_at });
        expect(await refusal(rename('a', 'B'))).toEqual([409, 'name_conflict', "A concept named 'B' already exists"]);
        for (const name of ['', ' ', '1', 'a b', 'A', 'aux', 'é', 'x'.repeat(129)])
            expect((await rename('a', name)).body.code).toBe('validation_error');
        for (const body of [{}, { name: 'a' }, { new_name: 'b' }])
            expect((await post('/concepts/p/rename', body)).body.code).toBe('validation_error');
        expect((await rename('B', 'Other')).status).toBe(200);
        expect(await definitions()).toEqual({ a: 'a(1).', Other: 'select * from a', c: 'c(X) :- a(X), aux(X). aux(1).' });
    });
});

describe('stored rows', () => {
    const run = (name: string): Promise<unknown> => data(post(`/concepts/p/run/${name}`, {}));
    const told = async (): Promise<unknown> =>
        (await list()).map(({ concept_name, row_count, is_populated, is_stale, columns }) => [
            concept_name,
            row_count,
            is_populated,
            is_stale,
            columns,
        ]);
    const C = [{ name: 'C', type: 'STRING' }];
    const QUERY = ['q', 0, false, false, [{ name: 'town', type: 'UNKNOWN' }]];

    test('are told, become stale with another definition, and move along with a name', async () => {
        await save({ definition: CITIES });
        await sql('q', 'SELECT C AS town FROM big_city');
        await run('big_city');
        expect(await told()).toEqual([['big_city', 1, true, false, C], QUERY]);
        await save({ definition: `${CITIES} % more`, existing_name: 'big_city' });
        expect(await told()).toEqual([['big_city', 1, true, true, C], QUERY]);
        await save({ definition: CITIES });
        expect(await told()).toEqual([['big_city', 1, true, false, C], QUERY]);
        await rename('big_city', 'huge');
        expect(await told()).toEqual([['huge', 1, true, false, C], QUERY]);
        await save({ definition: CITIES.replaceAll('big_city', 'large'), existing_name: 'huge' });
        expect(await told()).toEqual([['large', 1, true, false, C], QUERY]);
        expect((await data<{ rows: unknown }>(get('/concepts/p/fetch?output_predicate=large'))).rows).toEqual([['Rome']]);
        await post('/concepts/p/cleanup', { concept_names: ['large'] });
        await save({ definition: CITIES.replaceAll('big_city', 'large') });
        expect(await told()).toEqual([QUERY, ['large', 0, false, false, C]]);
    });
});
