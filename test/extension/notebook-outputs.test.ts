import { describe, expect, test } from 'vitest';
import { chosenChart } from '#extension/notebooks/outputs/chosen-chart.ts';
import { isProblemsOutput, isRowsOutput, NOTEBOOK_OUTPUTS } from '#extension/notebooks/outputs/messages.ts';
import { createOutputLink, type OutputLink } from '#extension/notebooks/outputs/output-link.ts';
import { outputRows } from '#extension/notebooks/outputs/output-rows.ts';
import { askedChart } from '#server/protocol/notebooks/asked-chart.ts';
import type { OutputColumn } from '#server/protocol/runs.ts';

const view = { output: 'p/2' };
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } };
const FROM_OUTPUT = [
    { kind: 'ready' },
    { kind: 'ask', request: 1, method: 'rulelang/page', params: { run: 2, view, offset: 0, limit: 200 } },
    { kind: 'ask', request: 2, method: 'rulelang/cell', params: { run: 2, view, row: 3, column: 1 } },
    { kind: 'copy', text: 'a' },
    { kind: 'open', output: 'p/2' },
    { kind: 'explain', run: 2, view, row: 3 },
    { kind: 'place', cell: 'vscode-notebook-cell:/a#1', range },
];
const FROM_HOST = [
    { kind: 'words', words: {} },
    { kind: 'answer', request: 1, result: null },
    { kind: 'refusal', request: 1, message: 'no', gone: true },
];
const COLUMNS: readonly OutputColumn[] = [
    { name: 'City', type: 'string', shape: 'text' },
    { name: 'People', type: 'int', shape: 'number' },
    { name: 'Area', type: 'int', shape: 'number' },
];
const output = { key: 'p/2', name: 'p', columns: [...COLUMNS], rows: 3 };

describe('the outputs of notebooks and the extension', () => {
    test.each(FROM_OUTPUT)('the extension takes $kind', message => expect(NOTEBOOK_OUTPUTS.fromView(message)).toBe(true));
    test.each(FROM_HOST)('outputs take $kind', message => expect(NOTEBOOK_OUTPUTS.fromHost(message)).toBe(true));

    test('neither takes a message with anything else in it', () => {
        for (const message of FROM_OUTPUT) expect(NOTEBOOK_OUTPUTS.fromView({ ...message, more: 1 })).toBe(false);
        for (const message of FROM_HOST) expect(NOTEBOOK_OUTPUTS.fromHost({ ...message, more: 1 })).toBe(false);
    });

    test('what is drawn is checked', () => {
        const rows = { run: 1, output, cells: [['a', '1', { null: 'z1' }]], chart: { kind: 'bar', columns: ['City'] } };
        expect(isRowsOutput(rows)).toBe(true);
        expect(isRowsOutput({ ...rows, html: '<p>' })).toBe(false);
        expect(isProblemsOutput({ problems: [{ code: 'RL1101', message: 'no', where: 'cell 1', place: { cell: 'a', range } }] })).toBe(
            true,
        );
        expect(isProblemsOutput({ problems: [{ code: 'RL1101' }] })).toBe(false);
    });
});

describe('the chart that a cell asks for', () => {
    test.each([
        ['% chart: bar City, People\nbig(X) <- city(X).', { kind: 'bar', columns: ['City', 'People'] }],
        ['-- big(City, N) <-\n-- chart: line\nSELECT 1', { kind: 'line', columns: [] }],
        ['# weather(City) <-\n# chart: graph From, To , Label', { kind: 'graph', columns: ['From', 'To', 'Label'] }],
        ['big(X) <- city(X). % a chart: bar', undefined],
        ['% chart bar', undefined],
    ])('%j', (text, asked) => expect(askedChart(text)).toEqual(asked));

    test.each([
        ['bar', [], { kind: 'bar', x: 0, y: 1 }],
        ['bar', ['City'], { kind: 'bar', x: 0, y: undefined }],
        ['scatter', ['People', 'Area'], { kind: 'scatter', x: 1, y: 2 }],
        ['histogram', ['Area'], { kind: 'histogram', x: 2 }],
        ['graph', ['City', 'Area', 'People'], { kind: 'graph', x: 0, y: 2, by: 1 }],
        ['pie', [], { fault: expect.stringContaining("'pie'") }],
        ['bar', ['Town'], { fault: expect.stringContaining('Town') }],
    ])('%s of %j', (kind, columns, choice) => expect(chosenChart({ kind, columns }, COLUMNS)).toEqual(choice));
});

describe('rows of an output', () => {
    const cells = [
        ['a', '1', '2'],
        ['b', '2', '3'],
    ];
    /** A link to an extension that answers with this. */
    const linkTo = (answer: object): OutputLink => {
        let hear: (message: unknown) => void = () => undefined;
        return createOutputLink({
            postMessage: message => hear({ request: (message as { request?: number }).request, ...answer }),
            onDidReceiveMessage: listener => {
                hear = listener;
            },
        });
    };

    test('are asked for while the run has them', async () => {
        const page = { rows: 3, matching: 1, offset: 0, cells: [['c', '3', '4']] };
        const rows = outputRows({ run: 1, output, cells }, linkTo({ kind: 'answer', result: page }), () => expect.fail('gone'));
        expect(await rows.page({ output: 'p/2', search: 'c' }, 0, 200)).toEqual(page);
    });

    test('are the first ones, as they came, where the run is gone', async () => {
        let isGone = false;
        const rows = outputRows({ run: 1, output, cells }, linkTo({ kind: 'refusal', message: 'gone', gone: true }), () => {
            isGone = true;
        });
        expect(await rows.page(view, 0, 200)).toEqual({ rows: 3, matching: 2, offset: 0, cells });
        expect(isGone).toBe(true);
        await expect(rows.page({ ...view, search: 'b' }, 0, 200)).rejects.toThrow('Run the cell again');
    });

    test('an answer of another shape is none', async () => {
        const rows = outputRows({ run: 1, output, cells }, linkTo({ kind: 'answer', result: { rows: 3 } }), () => undefined);
        await expect(rows.page(view, 0, 200)).rejects.toThrow('could not be read');
    });
});
