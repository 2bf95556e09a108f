import { describe, expect, test } from 'vitest';
import { Superseded } from '#extension/surfaces/grid/row-source.ts';
import { type StoredRows, storedRows } from '#extension/surfaces/platform/stored-rows.ts';
import { CELL_LIMIT } from '#server/protocol/runs.ts';

const PLACE = { scope: 'organization', project: 'cities', concept: 'town' } as const;
type Client = Parameters<typeof storedRows>[0];

interface Service {
    readonly asked: object[];
    readonly explained: object[];
    /** The run whose rows it has. */
    execution: string;
    /** Answers nothing until it is let go. */
    held: Promise<void> | undefined;
    replaced: number;
    readonly rows: StoredRows;
}

/** A service that has these rows for every page, and what it was asked for. */
async function service(
    rows: readonly (readonly unknown[])[],
    types: readonly string[] = ['STRING'],
    changed: string[] = [],
): Promise<Service> {
    const made: { -readonly [K in keyof Service]: Service[K] } = {
        asked: [],
        explained: [],
        execution: 'one',
        held: undefined,
        replaced: 0,
        rows: undefined as never,
    };
    const client: Client = {
        viewRows: async ({ path, query }, signal) => {
            made.asked.push({ ...path, ...query });
            await made.held;
            signal?.throwIfAborted();
            return {
                execution_id: made.execution,
                columns: types.map((_, i) => `c${i}`),
                types: [...types],
                count: 450,
                matching: 450,
                numbers: rows.map((_, i) => i + 7),
                rows: rows.map(row => [...row]),
            };
        },
        explainRow: async ({ path, query }) => {
            made.explained.push({ ...path, ...query });
            const fact = { node: 1, kind: 'fact', text: 't', verbalization: 't', deferred: false, expandable: true } as const;
            return { explanation_id: 'e', changed_files: changed, fact, derivations: [], words: 'since t.' };
        },
        tellRow: async ({ path, body }) => {
            made.explained.push({ ...path, ...body });
            return { model: 'm', changed_files: changed, sentences: [], removed: 0, steps: [] };
        },
        expandExplanation: async ({ query }) => {
            made.explained.push(query);
            return [];
        },
        explainMissing: async ({ path, query }) => {
            made.explained.push({ ...path, ...query });
            return { explanation_id: 'e', changed_files: changed, facts: [], count: 2 };
        },
        explainAbsence: async ({ query }) => {
            made.explained.push(query);
            return { fact: 't(1)', kind: 'missing', reasons: [], limits: [] };
        },
    };
    made.rows = await storedRows(client, PLACE, () => made.replaced++);
    made.asked.length = 0;
    return made;
}

const where = { project_id: 'cities', scope: 'organization', concept_name: 'town' };
const VIEW = { output: 'town' };

describe('stored rows', () => {
    test('are asked for as they are sorted, filtered and searched', async () => {
        const { asked, rows } = await service([['a']]);
        expect(await rows.page(VIEW, 0, 200)).toEqual({ rows: 450, matching: 450, offset: 0, cells: [['a']] });
        const sort = [
            { column: 1, descending: true },
            { column: 0, descending: false },
        ];
        const filters = [{ column: 0, operator: 'less', value: '5' }] as const;
        await rows.page({ ...VIEW, sort, filters, search: 'x' }, 400, 200);
        expect(asked).toEqual([
            { ...where, offset: 0, limit: 200 },
            { ...where, offset: 400, limit: 200, order_by: '1:desc,0:asc', filters: JSON.stringify(filters), search: 'x' },
        ]);
    });

    test('columns have the shapes of their types', async () => {
        const types = ['INT', 'DOUBLE', 'BOOLEAN', 'DATE', 'DATETIME', 'LIST', 'SET', 'STRUCT', 'STRING', 'NULL', 'UNKNOWN'];
        const { columns, rows } = (await service([], types)).rows.output;
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
        const { rows } = await service([[1.5, true, 'null', '', null, '_:n2', ['a', 1], { x: '"' }]]);
        const first = await rows.page(VIEW, 0, 200);
        expect(first.cells).toEqual([['1.5', 'true', 'null', '', { null: '—', missing: true }, { null: 'z2' }, '["a",1]', '{"x":"\\""}']]);
    });

    test('long text is cut between characters, and whole when it is asked for', async () => {
        const long = `${'x'.repeat(CELL_LIMIT - 1)}😀 and more`;
        const { asked, rows } = await service([['a', long]]);
        const { cells } = await rows.page(VIEW, 0, 200);
        expect(cells[0]?.[1]).toEqual({ text: 'x'.repeat(CELL_LIMIT - 1), length: long.length });
        expect(await rows.cell({ ...VIEW, sort: [{ column: 0, descending: false }] }, 41, 1)).toBe(long);
        expect(asked.at(-1)).toEqual({ ...where, offset: 41, limit: 1, order_by: '0:asc' });
    });

    test('of another run are not mixed with these', async () => {
        const made = await service([['a']]);
        made.execution = 'two';
        await expect(made.rows.page(VIEW, 200, 200)).rejects.toThrow(Superseded);
        expect(made.replaced).toBe(1);
    });

    test('of a new view end what others wait for, and those of an older view do not', async () => {
        const made = await service([['a']]);
        let go = (): void => undefined;
        made.held = new Promise(resolve => {
            go = resolve;
        });
        const searched = { ...VIEW, search: 'x' };
        const outcomes = [made.rows.page(VIEW, 0, 200), made.rows.page(searched, 0, 200), made.rows.page(VIEW, 200, 200)].map(page =>
            page.then(
                () => 'there',
                error => error.constructor,
            ),
        );
        go();
        expect(await Promise.all(outcomes)).toEqual([Superseded, 'there', 'there']);
    });

    test('are explained by their numbers in the stored order', async () => {
        const { asked, explained, rows } = await service([['a']], ['STRING'], ['b.csv']);
        const { id, words } = await rows.explain({ ...VIEW, search: 'x' }, 3, true);
        expect(asked).toEqual([{ ...where, offset: 3, limit: 1, search: 'x' }]);
        expect(explained).toEqual([{ ...where, row: 7, execution_id: 'one', all: true }]);
        expect(words).toBe('The files are read as they are now. Changed since the rows were stored: b.csv.\nsince t.');
        await rows.expand(id, 4, false, new AbortController().signal);
        expect(explained.at(-1)).toEqual({ explanation_id: 'e', node: 4, all: false });
        const note = 'The files are read as they are now. Changed since the rows were stored: b.csv.';
        expect(await rows.whyMissing('town("x")')).toEqual({ kind: 'present', id: 'e', facts: [], count: 2, note });
        expect(explained.at(-1)).toEqual({ ...where, question: 'town("x")', execution_id: 'one' });
        await rows.tell({ ...VIEW, search: 'x' }, 3, new AbortController().signal);
        await rows.absence(id, 5, new AbortController().signal);
        expect(explained.at(-1)).toEqual({ explanation_id: 'e', node: 5 });
    });
});
