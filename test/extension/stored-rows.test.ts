import { describe, expect, test } from 'vitest';
import { type Fetching, storedOutput, storedRows } from '#extension/page/stored-rows.ts';
import { takeToken } from '#extension/page/take-token.ts';
import { CELL_LIMIT } from '#server/protocol/runs.ts';

const PLACE = { scope: 'organization', project: 'cities', concept: 'town' } as const;

/** A service that has these rows for every page, and what it was asked for. */
function service(rows: readonly (readonly unknown[])[], types: readonly string[] = ['STRING']) {
    const asked: unknown[] = [];
    const client: Fetching = {
        fetchResults: async ({ path, query }) => {
            asked.push({ ...path, ...query });
            return {
                output_predicate: 'town',
                columns: types.map((_, i) => `c${i}`),
                types: [...types],
                rows: rows.map(row => [...row]),
                count: 450,
                page: 1,
                page_size: 200,
                total_pages: 3,
            };
        },
    };
    return { asked, rows: storedRows(client, PLACE), client };
}

const where = { project_id: 'cities', scope: 'organization', output_predicate: 'town' };

describe('stored rows', () => {
    test('blocks of the grid are pages of the service, in the order that is asked for', async () => {
        const { asked, rows } = service([['a']]);
        expect(await rows.page({ output: 'town' }, 0, 200)).toEqual({ rows: 450, matching: 450, offset: 0, cells: [['a']] });
        await rows.page(
            {
                output: 'town',
                sort: [
                    { column: 1, descending: true },
                    { column: 0, descending: false },
                ],
            },
            400,
            200,
        );
        expect(asked).toEqual([
            { ...where, page: 1, page_size: 200 },
            { ...where, page: 3, page_size: 200, order_by: '1:desc,0:asc' },
        ]);
    });

    test('columns have the shapes of their types', async () => {
        const { client } = service(
            [],
            ['INT', 'DOUBLE', 'BOOLEAN', 'DATE', 'DATETIME', 'LIST', 'SET', 'STRUCT', 'STRING', 'NULL', 'UNKNOWN'],
        );
        const { columns, rows } = await storedOutput(client, PLACE);
        expect(rows).toBe(450);
        expect(columns.map(({ type, shape }) => `${type} ${shape}`)).toEqual([
            'int number',
            'double number',
            'boolean boolean',
            'date time',
            'datetime time',
            'list collection',
            'set collection',
            'struct collection',
            'string text',
            'null text',
            'unknown text',
        ]);
    });

    test('values are text, and nulls are no text', async () => {
        const { rows } = service([[1.5, true, 'null', '', null, '_:n2', ['a', 1], { x: '"' }]]);
        const first = await rows.page({ output: 'town' }, 0, 200);
        expect(first.cells).toEqual([['1.5', 'true', 'null', '', { null: '—' }, { null: '_:n2' }, '["a",1]', '{"x":"\\""}']]);
    });

    test('a null of another page never has the name of one of this page', async () => {
        const { rows } = service([['_:n2']]);
        expect((await rows.page({ output: 'town' }, 200, 200)).cells).toEqual([[{ null: '_:p2n2' }]]);
    });

    test('long text is cut between characters, and whole when it is asked for', async () => {
        const long = `${'x'.repeat(CELL_LIMIT - 1)}😀 and more`;
        const { asked, rows } = service([['a', long]]);
        const { cells } = await rows.page({ output: 'town' }, 0, 200);
        expect(cells[0]?.[1]).toEqual({ text: 'x'.repeat(CELL_LIMIT - 1), length: long.length });
        expect(await rows.cell({ output: 'town', sort: [{ column: 0, descending: false }] }, 41, 1)).toBe(long);
        expect(asked.at(-1)).toEqual({ ...where, page: 42, page_size: 1, order_by: '0:asc' });
    });
});

describe('the token of the address', () => {
    const taken = (hash: string) => {
        const erased: string[] = [];
        return [takeToken({ hash, pathname: '/svc/' }, address => erased.push(address)), erased];
    };

    test('is taken and erased', () => expect(taken('#token=a.b-c_d.e')).toEqual(['a.b-c_d.e', ['/svc/']]));
    test.each(['#token=', '#token=a b', '#x', '#token=a&b=c'])('%s is no token, and is erased too', hash =>
        expect(taken(hash)).toEqual([undefined, ['/svc/']]),
    );
    test('nothing is done where there is none', () => expect(taken('')).toEqual([undefined, []]));
});
