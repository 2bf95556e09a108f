import { afterAll, expect, test } from 'vitest';
import type { ToolAnswer } from '#server/api/tool-worker.ts';
import { fillTo, HOSTILE_RDF, KINDS_OF_HOSTILE_RDF } from '../support/hostile-rdf.ts';
import { askSmall, endSmall } from './small-worker.ts';

afterAll(endSmall);

const translated = (text: string, dataFolder?: string): Promise<ToolAnswer> => {
    const includes = { includeSchema: false, includeNotRules: false, ...(dataFolder !== undefined && { dataFolder }) };
    return askSmall({ kind: 'translate-owl', text, base: 'http://e.org/', includes });
};
const fill = fillTo(2_000_000);

// `ontologies.slow.ts` has the others.
test.each(KINDS_OF_HOSTILE_RDF)('%s: refused while it is read', async kind => {
    const { text, refusal } = HOSTILE_RDF[kind] ?? expect.unreachable();
    expect(await askSmall({ kind: 'translate-rdf', text: text(fill) })).toMatchObject({
        kind: 'refused',
        diagnostics: [{ message: expect.stringMatching(refusal), code: 'rdf' }],
    });
});

test('rules that write long names often are too much', async () => {
    const name = 'x'.repeat(1000);
    const text = fillTo(200_000)(`<${name}> <http://www.w3.org/2002/07/owl#inverseOf> `, i => `<${i}>,`, '<a> .');
    const message = 'with its IRIs written out it has more than 33,554,432 characters: split it, or shorten its IRIs';
    expect(await translated(text)).toMatchObject({ kind: 'refused', diagnostics: [{ message, line: 1, column: 1 }] });
});

test('individuals become no thousands of files', async () => {
    const facts = (count: number): string => `<x> ${Array.from({ length: count }, (_, i) => `<p${i}> 1`).join(';')} .`;
    const message = 'its individuals have more than 1,000 classes and properties, of which each becomes a file: leave out data_base_path';
    expect(await translated(facts(1001), 'data')).toMatchObject({ kind: 'refused', diagnostics: [{ message }] });
    const most = await translated(facts(1000), 'data');
    expect(most.kind === 'owl' && most.value.files.length).toBe(1000);
});
