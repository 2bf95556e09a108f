import { afterAll, beforeAll, expect, test } from 'vitest';
import { elementTexts, memberTexts } from '#server/protocol/json-text.ts';
import { callsTo, V1 } from './calls.ts';
import { type Services, startServices } from './services.ts';

let services: Services;
const { call, get, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
});
afterAll(() => services.stop());

const JSON_BODY = { 'content-type': 'application/json' };
/** What JavaScript would put into another order, and what it cannot hold. */
const WRITTEN = '{"b":1.0,"10":12345678901234567890,"2":[1e2,{"z":-0,"1":2e400}],"__proto__":{"\\u00e9":"\\ud83d\\ude00 \\" "}}';
const SPACED = WRITTEN.replaceAll('":', '" :\n\t').replaceAll(',"', ' , "');

const send = async (path: string, text: string) => {
    const answer = await call('POST', `${V1}${path}`, { text, headers: JSON_BODY });
    expect(answer.status, answer.text).toBe(200);
    return { id: (answer.body.data as { id: string }).id, text: member(answer.text, 'data') };
};
const member = (text: string, ...path: readonly string[]): string => path.reduce((json, name) => memberTexts(json).get(name) ?? '', text);
const first = (text: string): string => elementTexts(text)[0] ?? '';

test('what clients keep comes back as they wrote it, exports and copies included', async () => {
    const { id: p, text } = await send('/projects/save', `{"project":{"name":"One","metadata":${SPACED}}}`);
    expect(member(text, 'metadata')).toBe(WRITTEN);
    const { id: d } = await send(`/dashboards/${p}/save`, `{"dashboard":{"name":"D","definition":{},"definition":${SPACED}}}`);
    const saved = await send(`/concepts/${p}/save`, `{"definition":"a(1). @output(\\"a\\").","position":${SPACED}}`);
    expect(member(saved.text, 'position')).toBe(WRITTEN);
    expect(member((await get(`/dashboards/${p}/${d}`)).text, 'data', 'definition')).toBe(WRITTEN);

    const { text: exported } = await send('/projects/export-project', `{"project_id":"${p}"}`);
    const { text: imported } = await send('/projects/import-project', `{"export_data":${exported}}`);
    const { text: workspace } = await send('/projects/export-workspace', '{}');
    const { text: all } = await send('/projects/import-workspace', `{"export_data":${workspace}}`);
    const { text: copied } = await send('/projects/copy', `{"project_id":"${p}"}`);
    const ids = [member(imported, 'project_id'), member(first(member(all, 'imported')), 'new_project_id'), member(copied, 'project_id')];
    for (const id of ids.map(json => JSON.parse(json))) {
        expect(member((await get(`/projects/load?project_id=${id}`)).text, 'data', 'metadata')).toBe(WRITTEN);
        expect(member(first(member((await get(`/concepts/${id}/list`)).text, 'data')), 'position')).toBe(WRITTEN);
        const [dashboard] = await data<{ id: string }[]>(get(`/dashboards/${id}/list`));
        expect(member((await get(`/dashboards/${id}/${dashboard?.id}`)).text, 'data', 'definition')).toBe(WRITTEN);
    }
});

test('what nests as deep as it may goes out and comes in again', async () => {
    const { id: p } = await send('/projects/save', '{"project":{"name":"Deep","scope":"organization"}}');
    const levels = (count: number): string => `${'{"a":'.repeat(count - 1)}{}${'}'.repeat(count - 1)}`;
    const concept = (depth: number): string =>
        `{"scope":"organization","definition":"a(1). @output(\\"a\\").","position":${levels(depth - 1)},"group":"g"}`;
    await send(`/concepts/${p}/save`, concept(64));
    const { status, body } = await call('POST', `${V1}/concepts/${p}/save`, { text: concept(65), headers: JSON_BODY });
    expect([status, body.message]).toEqual([400, 'Invalid request: body must not nest deeper than 64']);
    const { text: workspace } = await send('/projects/export-workspace', '{"scope":"organization"}');
    const { text: all } = await send('/projects/import-workspace', `{"export_data":${workspace}}`);
    const id = JSON.parse(member(first(member(all, 'imported')), 'new_project_id'));
    expect(member(first(member((await get(`/concepts/${id}/list`)).text, 'data')), 'position')).toBe(levels(63));
});

test('so do values of the configuration, and a concept that is saved again is the same', async () => {
    await send('/users/save-config', `{"config_data":{"mine":${SPACED},"count":12345678901234567890,"LLM_MAX_TOKENS":5}}`);
    const loaded = (await get('/users/load-config')).text;
    expect(['mine', 'count', 'LLM_MAX_TOKENS'].map(key => member(loaded, 'data', key))).toEqual([WRITTEN, '12345678901234567890', '5']);
    const { id: p } = await send('/projects/save', '{"project":{"name":"Two"}}');
    const twice = [SPACED, WRITTEN].map(
        async position => (await send(`/concepts/${p}/save`, `{"definition":"a(1). @output(\\"a\\").","position":${position}}`)).text,
    );
    const [before = '', after = ''] = await Promise.all(twice);
    expect(member(after, 'updated_at')).toBe(member(before, 'updated_at'));
});

test('limits and types stay', async () => {
    const { id: p } = await send('/projects/save', '{"project":{"name":"Three"}}');
    const refused = async (path: string, text: string): Promise<unknown[]> => {
        const { status, body } = await call('POST', `${V1}${path}`, { text, headers: JSON_BODY });
        return [status, body.code, body.details?.fields?.map(({ path, issue }) => [path, issue])];
    };
    const wrong = (path: string): unknown[] => [400, 'validation_error', [[path, 'wrong_type']]];
    for (const other of ['[]', '"{}"', '1']) {
        expect(await refused(`/dashboards/${p}/save`, `{"dashboard":{"name":"D","definition":${other}}}`)).toEqual(
            wrong('dashboard.definition'),
        );
        expect(await refused('/projects/save', `{"project":{"name":"D","metadata":${other}}}`)).toEqual(wrong('project.metadata'));
        expect(await refused('/rulelang/evaluate', `{"program":"a(1).","params":${other}}`)).toEqual(wrong('params'));
        expect(await refused('/users/save-config', `{"config_data":${other}}`)).toEqual(wrong('config_data'));
    }
    const large = `{"dashboard":{"name":"D","definition":{"a":"${'x'.repeat(1024 * 1024)}"}}}`;
    expect((await refused(`/dashboards/${p}/save`, large)).slice(0, 2)).toEqual([413, 'payload_too_large']);
});
