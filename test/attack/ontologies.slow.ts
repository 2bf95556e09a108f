import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { fillTo, HOSTILE_RDF, LARGE_RDF } from '../support/hostile-rdf.ts';
import { askSmall } from './small-worker.ts';

let services: Services;
const { post } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    await post('/projects/save', { project: { id: 'p', name: 'One' } });
});
afterAll(async () => expect(await services.stop()).toBe(0));

/** As long as a text may be. */
const fill = fillTo(5 * 2 ** 20);

test.each(Object.entries(HOSTILE_RDF))('%s: refused, and the services go on', async (_, { text }) => {
    const document = text(fill);
    const rdf = await post('/rulelingo/p/translate/rdf-to-rulelang', { rdf_data: document });
    expect([rdf.status, rdf.body.code]).toEqual([422, 'rdf_invalid']);
    const owl = await post('/rulelingo/p/translate/owl-to-rulelang', { owl_content: document, base_namespace: 'http://e.org/' });
    expect([owl.status, owl.body.code]).toEqual([422, 'owl_invalid']);
});

test.each(Object.entries(HOSTILE_RDF))('%s: refused while it is read', async (_, { text, refusal }) => {
    expect(await askSmall({ kind: 'translate-rdf', text: text(fillTo(2_000_000)) })).toMatchObject({
        kind: 'refused',
        diagnostics: [{ message: expect.stringMatching(refusal), code: 'rdf' }],
    });
});

test.each(Object.entries(LARGE_RDF))('%s: translated', async (_, text) => {
    const document = text();
    expect((await post('/rulelingo/p/translate/rdf-to-rulelang', { rdf_data: document })).status).toBe(200);
    const options = { include_schema: true, include_not_rules: true };
    const owl = await post('/rulelingo/p/translate/owl-to-rulelang', { owl_content: document, base_namespace: 'http://e.org/', options });
    expect(owl.status).toBe(200);
});
