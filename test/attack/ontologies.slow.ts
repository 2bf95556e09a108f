import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToolQuestion } from '#server/api/tool-worker.ts';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { fillTo, HOSTILE_RDF, LARGE_RDF, type Translation } from '../support/hostile-rdf.ts';
import { askSmall, endSmall } from './small-worker.ts';

let services: Services;
const { post } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    await post('/projects/save', { project: { id: 'p', name: 'One' } });
});
afterAll(async () => {
    endSmall();
    expect(await services.stop()).toBe(0);
});

/** As long as a text may be, which the first one is; the others are longer than what is read of them. */
const longest = fillTo(5 * 2 ** 20);
const half = fillTo(2.5 * 2 ** 20);

const translated = (document: string, to: Translation) =>
    to === 'rdf'
        ? post('/rulelingo/p/translate/rdf-to-rulelang', { rdf_data: document })
        : post('/rulelingo/p/translate/owl-to-rulelang', {
              owl_content: document,
              base_namespace: 'http://e.org/',
              options: { include_schema: true, include_not_rules: true },
          });

// What reads a document is the same for both, so that each refuses every other one.
const refused = Object.entries(HOSTILE_RDF).map(
    ([kind, hostile], i) => [kind, (['rdf', 'owl'] as const)[i % 2] ?? 'rdf', hostile, i === 0 ? longest : half] as const,
);

test.each(refused)('%s: refused as %s while it is read, and the services go on', async (_, to, { text, refusal }, fill) => {
    const { status, body } = await translated(text(fill), to);
    expect([status, body.code, body.details?.diagnostics]).toEqual([
        422,
        `${to}_invalid`,
        [expect.objectContaining({ message: expect.stringMatching(refusal), code: 'rdf' })],
    ]);
});

// Asked without the services, which give up what takes long on a machine that does much else.
test.each(Object.entries(LARGE_RDF))('%s: translated', async (_, { text, to }) => {
    const document = text();
    const includes = { includeSchema: true, includeNotRules: true };
    const questions: Record<Translation, ToolQuestion> = {
        rdf: { kind: 'translate-rdf', text: document },
        owl: { kind: 'translate-owl', text: document, base: 'http://e.org/', includes },
    };
    for (const one of to) expect(['program', 'owl']).toContain((await askSmall(questions[one])).kind);
});
