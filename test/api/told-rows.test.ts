import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rulelang } from '../cli/command-line.ts';
import { type ModelServer, startModelServer } from '../model/model-server.ts';
import { callsTo } from './calls.ts';
import { type Services, startServices } from './services.ts';

let services: Services;
let server: ModelServer;
const { post, data } = callsTo(() => services);

beforeAll(async () => {
    server = await startModelServer();
    services = await startServices();
    fs.writeFileSync(join(services.folder, 'own.csv'), 'ada,bolt,0.6\nbolt,dun,0.7\neve,gamma,0.9\n');
    await data(post('/projects/save', { project: { id: 'p', name: 'p' } }));
    const saves = [
        `@bind("row", "csv", "${services.folder}", "own.csv"). @model("row", "['a:string', 'b:string', 's:double']").
own(X, Y, S) <- row(X, Y, S). @output("own").`,
        'control(X, Y) <- own(X, Y, S), S > 0.5. control(X, Z) <- control(X, Y), own(Y, Z, S), S > 0.5. @output("control").',
    ];
    for (const definition of saves) await data(post('/concepts/p/save', { definition }));
    await data(post('/concepts/p/run/control', {}));
});
afterAll(async () => {
    expect(await services.stop()).toBe(0);
    await server.stop();
});

test('a stored row is told by a model, through all concepts, as far as it stands in the proof', async () => {
    const without = await post('/concepts/p/tell', { concept_name: 'control', row: 1 });
    expect([without.status, without.body.code]).toEqual([503, 'llm_not_configured']);
    await data(post('/users/save-config', { config_data: { LLM_BASE_URL: server.baseUrl } }));
    const sentences = [
        { text: 'ada controls dun because ada controls bolt and bolt owns 0.7 of dun.', steps: [1] },
        { text: 'bolt owns 0.7 of dun.', steps: [3] },
        { text: 'ada controls dun, and so does gamma.', steps: [1] },
        { text: 'Everything is proved.', steps: [] },
    ];
    server.script({ text: [JSON.stringify({ sentences })] });
    const told = await data<{ steps: { fact: string; rules: string[] }[] }>(post('/concepts/p/tell', { concept_name: 'control', row: 1 }));
    expect(told).toMatchObject({ model: 'default', changed_files: [], sentences: sentences.slice(0, 2), removed: 2 });
    expect(told.steps.map(({ fact }) => fact)).toEqual([
        'control("ada","dun")',
        'control("ada","bolt")',
        'own("bolt","dun",0.7)',
        'own("ada","bolt",0.6)',
        'row("bolt","dun",0.7)',
        'row("ada","bolt",0.6)',
    ]);
    expect(told.steps[0]?.rules).toEqual(['control(X,Z) <- control(X,Y), own(Y,Z,S), S>0.5']);
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('gamma');
});

test('for those who only look at rows, too; rows that are not there, and a model that fails', async () => {
    const viewer = (await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer'])).stdout.trim();
    server.script({ text: ['{"sentences": []}'] });
    const seen = await data<object>(post('/concepts/p/tell', { concept_name: 'control', row: 1 }, { token: viewer }));
    expect(seen).toMatchObject({ sentences: [], removed: 0 });
    const found = await post('/concepts/p/tell', { concept_name: 'control', row: 99 });
    expect(found.body).toMatchObject({ code: 'validation_error', details: { fields: [{ path: 'row', issue: 'out_of_range' }] } });
    server.script({ status: 400 });
    expect((await post('/concepts/p/tell', { concept_name: 'control', row: 0 })).body.code).toBe('llm_failed');
});
