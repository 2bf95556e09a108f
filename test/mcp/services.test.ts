import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { type Agent, remoteAgent } from './clients.ts';

let services: Services;
let agent: Agent;

beforeAll(async () => {
    services = await startServices({}, ['--path-prefix', '/svc']);
    agent = await remoteAgent(services.base, services.token);
});
afterAll(async () => {
    await agent.close();
    expect(await services.stop()).toBe(0);
});

const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const post = (headers: Record<string, string>, text = JSON.stringify(body), method = 'POST'): Promise<Response> =>
    fetch(`${services.base}/mcp`, {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        ...(method === 'POST' && { body: text }),
    });

describe('an agent of the services', () => {
    test('checks and runs programs, which see no files', async () => {
        expect((await agent.call('check', { program: 'a(X) <- b(X). @output("a").' })).text).toContain('RL1101');
        const { text } = await agent.call('run', { program: 'p(1). q(X) <- p(X). @output("q").' });
        expect(JSON.parse(text).resultSet).toEqual({ q: [[1]] });
        for (const place of ['"/etc", "passwd"', '"..", "endpoints.json"', '"../auth", "token"']) {
            const refused = await agent.call('run', { program: `@bind("p", "csv", ${place}). q(X) <- p(X). @output("q").` });
            expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('save a concept that reads them')]);
        }
        expect((await agent.call('run', { file: 'x.rulelang' })).text).toContain("There is no argument 'file'");
        const { tools } = await agent.client.listTools();
        expect(tools.find(({ name }) => name === 'run')?.inputSchema.properties).not.toHaveProperty('file');
    });

    test('saves, runs and reads concepts', async () => {
        const headers = { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' };
        await fetch(`${services.base}/api/v1/projects/save`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ project: { name: 'towns' } }),
        });
        const [project] = JSON.parse((await agent.call('list_projects', {})).text).projects;
        const saved = await agent.call('save_concept', {
            project: project.id,
            name: 'big',
            definition: 'big(X) <- t(X), X > ?least. t(1). t(2). @param("least", 1). @output("big").',
        });
        expect(JSON.parse(saved.text)).toMatchObject({ concept_name: 'big', created: true });
        expect(JSON.parse((await agent.call('run_concept', { project: project.id, name: 'big' })).text)).toMatchObject({
            rows_processed: 1,
            rows: [[2]],
        });
        const why = await agent.call('explain', { project: project.id, name: 'big', row: 0 });
        expect([why.isError, JSON.parse(why.text).explanation]).toEqual([false, expect.stringContaining('big(2)')]);
        const edit = { project: project.id, name: 'big', old_text: 't(2).', new_text: 't(3).' };
        expect(JSON.parse((await agent.call('edit_concept', edit)).text)).toMatchObject({ concept_name: 'big', created: false });
        expect(JSON.parse((await agent.call('read_concept', { project: project.id, name: 'big' })).text).definition).toContain('t(3).');
        const other = await agent.call('run_concept', { project: project.id, name: 'big', parameters: ['least=0'] });
        expect(JSON.parse(other.text).rows_processed).toBe(2);
        const unknown = await agent.call('run_concept', { project: project.id, name: 'bigg' });
        expect([unknown.isError, unknown.text]).toEqual([true, expect.stringContaining('"did_you_mean":["big"]')]);
        const uri = `rulelang://concept/${project.id}/big`;
        expect((await agent.client.listResources()).resources.map(resource => resource.uri)).toContain(uri);
        expect((await agent.client.readResource({ uri })).contents[0]).toMatchObject({ text: expect.stringContaining('big(X)') });
    });

    test('infers a program from a file, and searches the documentation', async () => {
        const inferred = await agent.call('infer_schema', { type: 'csv', database: `${process.cwd()}/samples/control/data/companies.csv` });
        expect([inferred.isError, inferred.text]).toEqual([false, expect.stringContaining('@bind("companies_source", "csv')]);
        expect((await agent.call('search_docs', { question: 'RL2401' })).text).toContain('/docs/problems/logic#rl2401');
    });
});

describe('who may', () => {
    test('a viewer has the tools that change nothing', async () => {
        const { stdout } = await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer']);
        const viewer = await remoteAgent(services.base, stdout.trim());
        const { tools } = await viewer.client.listTools();
        expect(tools.map(({ name }) => name)).toEqual([
            'check',
            'format',
            'analyze_program',
            'list_projects',
            'list_concepts',
            'read_concept',
            'fetch_results',
            'facts_near',
            'list_sources',
            'search_docs',
        ]);
        await expect(viewer.call('run', { program: 'p(1).' })).rejects.toThrow(/no tool 'run'/u);
        await viewer.close();
    });

    test.each([
        ['without a token', {}, 401],
        ['with another', { authorization: 'Bearer x' }, 401],
        ['a page of another origin', { origin: 'http://evil.example' }, 403],
        ['a page that another port serves', { origin: 'http://127.0.0.1:1' }, 403],
    ])('%s', async (_, headers, status) => {
        expect((await post(headers)).status).toBe(status);
    });

    test('other methods, and what is no message', async () => {
        const authorization = `Bearer ${services.token}`;
        expect((await post({ authorization }, '', 'GET')).status).toBe(405);
        expect((await post({ authorization }, '', 'DELETE')).status).toBe(405);
        // No page learns that it may post with a token.
        const preflight = await post({ origin: services.base.replace('/svc', '') }, '', 'OPTIONS');
        expect([preflight.status, preflight.headers.has('access-control-allow-headers')]).toEqual([405, false]);
        expect((await post({ authorization }, '{"x":')).status).toBe(400);
        expect((await post({ authorization }, JSON.stringify({ ...body, x: 'x'.repeat(1 << 20) }))).status).toBe(413);
        const below = await fetch(`${services.base}/api/v1/mcp`, { method: 'POST', headers: { authorization } });
        expect(below.status).toBe(404);
    });
});
