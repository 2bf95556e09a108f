import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { processWriter } from '#extension/projects/process-writer.ts';
import { exportStored, RowsReplaced } from '#extension/surfaces/platform/export-stored.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import type { ExportFormat } from '#server/protocol/result-formats.ts';
import type { FromProcess } from '#server/protocol/run-process.ts';
import { type ServedResults, serveGathered } from '#server/runs/serve-results.ts';

type Client = Pick<PlatformClient, 'viewRows'>;
type Question = Parameters<ServedResults['answer']>[1];

const home = fs.mkdtempSync(join(tmpdir(), 'rulelang-export-'));
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));
/** A new folder. */
const folderOf = (): string => fs.mkdtempSync(join(home, 'x-'));

const PLACE = { scope: 'user', project: 'p', concept: 'town' } as const;
const COUNT = 2500;

/** A service with rows of four columns, and how often it was asked. */
function service(
    executionOf: (page: number) => string = () => 'one',
    first: number | bigint = 9_007_199_254_740_993n,
): { readonly client: Client; readonly asked: object[] } {
    const asked: object[] = [];
    return {
        asked,
        client: {
            viewRows: async ({ query }, signal) => {
                signal?.throwIfAborted();
                const { offset = 0, limit = 0 } = query as { offset?: number; limit?: number };
                const execution_id = executionOf(asked.length);
                asked.push(query);
                const numbers = Array.from({ length: Math.min(limit, COUNT - offset) }, (_, i) => offset + i);
                const rows = numbers.map(n => [n === 0 ? first : n, n % 2 === 0 ? '_:n7' : null, '2031-01-02', `town ${n}`]);
                return {
                    execution_id,
                    columns: ['N', 'Mayor', 'Day', 'Name'],
                    types: ['INT', 'STRING', 'DATE', 'STRING'],
                    count: 9999,
                    matching: COUNT,
                    numbers,
                    rows,
                };
            },
        },
    };
}

/** The language server with the processes that write files, in this process; what it was asked, and which temporary files are there. */
function languageServer() {
    const asked: string[] = [];
    const temporary = new Set<string>();
    let served: ServedResults | undefined;
    const ask: Parameters<typeof processWriter>[0] = async (method, params) => {
        asked.push(method);
        const { uri, ...given } = params as { readonly uri?: string };
        if (method === 'rulelang/close') return null as never;
        if (method === 'rulelang/gather') {
            const tell = (message: FromProcess): void => {
                if (message.kind === 'temporary') message.exists ? temporary.add(message.path) : temporary.delete(message.path);
            };
            served = serveGathered({ gathered: given as never, limits: { maxMemory: 1 } }, tell);
            return { run: 1 } as never;
        }
        const question = { method, params: { ...given, ...(uri !== undefined && { path: fileURLToPath(uri) }) } } as unknown as Question;
        const answer = await served?.answer(1, question);
        if (answer?.kind !== 'answer') throw new Error(JSON.stringify(answer));
        return answer.result as never;
    };
    return { ask, asked, temporary };
}

async function exported(format: ExportFormat, signal = new AbortController().signal, { client } = service()): Promise<Buffer> {
    const file = join(folderOf(), `town.${format}`);
    const writer = processWriter(languageServer().ask, pathToFileURL(file).href);
    const stored = { place: PLACE, view: { search: 'town' }, format };
    expect(await exportStored(client, writer, stored, () => undefined, signal)).toBe(COUNT);
    return fs.readFileSync(file);
}

test('all rows of a view are written in every format, with values that are exact', async () => {
    const csv = (await exported('csv')).toString().split('\n');
    expect(csv.slice(0, 3)).toEqual(['N,Mayor,Day,Name', '9007199254740993,z7,2031-01-02,town 0', '1,,2031-01-02,town 1']);
    expect(csv.length).toBe(COUNT + 2);
    const json = JSON.parse((await exported('json')).toString());
    expect(json.resultSet.town.slice(0, 2)).toEqual([
        ['9007199254740993', { $null: 'z7' }, '2031-01-02', 'town 0'],
        [1, null, '2031-01-02', 'town 1'],
    ]);
    expect((await exported('facts')).toString()).toMatch(
        /^town\(9007199254740993, Z7, 2031-01-02, "town 0"\) <- Z7 = #z\(7\)\.\ntown\(1, null, 2031-01-02, "town 1"\)\.\n/u,
    );
    for (const format of ['ndjson', 'md', 'sql'] as const)
        expect((await exported(format)).toString().trimEnd().split('\n').length).toBeGreaterThanOrEqual(COUNT);
    expect((await exported('parquet')).subarray(0, 4).toString()).toBe('PAR1');
    // A workbook holds doubles.
    const { signal } = new AbortController();
    expect((await exported('excel', signal, service(undefined, 0))).subarray(0, 2).toString()).toBe('PK');
});

test('rows are asked for page by page, as they are narrowed', async () => {
    const rows = service();
    const { ask, asked } = languageServer();
    const read: number[] = [];
    const writer = processWriter(ask, pathToFileURL(join(folderOf(), 'town.csv')).href);
    const view = { search: 'to', sort: [{ column: 1, descending: true }] };
    const stored = { place: PLACE, view, format: 'csv' } as const;
    await exportStored(rows.client, writer, stored, done => read.push(done), new AbortController().signal);
    const query = { concept_name: 'town', scope: 'user', limit: 1000, search: 'to', order_by: '1:desc' };
    expect(rows.asked).toEqual([0, 1000, 2000].map(offset => ({ ...query, offset })));
    expect(read).toEqual([1000, 2000, 2500]);
    expect(asked).toEqual([
        'rulelang/gather',
        ...['rulelang/give', 'rulelang/give', 'rulelang/give'],
        ...['rulelang/export', 'rulelang/close'],
    ]);
});

test('nothing is left of an export that is stopped, or whose rows are replaced meanwhile', async () => {
    const folder = folderOf();
    const stored = { place: PLACE, view: {}, format: 'csv' } as const;
    const uri = pathToFileURL(join(folder, 'town.csv')).href;
    const stop = new AbortController();
    const stopped = languageServer();
    await expect(
        exportStored(service().client, processWriter(stopped.ask, uri), stored, () => stop.abort(), stop.signal),
    ).rejects.toThrow();
    const replaced = languageServer();
    const { signal } = new AbortController();
    const { client } = service(page => (page === 0 ? 'one' : 'two'));
    await expect(exportStored(client, processWriter(replaced.ask, uri), stored, () => undefined, signal)).rejects.toThrow(RowsReplaced);
    for (const { asked, temporary } of [stopped, replaced]) {
        expect(asked).toEqual(['rulelang/gather', 'rulelang/give', 'rulelang/close']);
        expect(temporary.size).toBe(0);
    }
    expect(fs.readdirSync(folder)).toEqual([]);
});
