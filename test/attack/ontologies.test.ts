import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolAnswer, ToolQuestion } from '#server/api/tool-worker.ts';
import type { FromWorker } from '#server/api/worker-process.ts';
import { CLI } from '../cli/command-line.ts';
import { fillTo, HOSTILE_RDF } from '../support/hostile-rdf.ts';

/** What a process answers that may use half as much memory as those of the services. */
async function ask(question: ToolQuestion): Promise<ToolAnswer> {
    const worker = fork(join(dirname(CLI), 'tool-worker.mjs'), { execArgv: ['--max-old-space-size=256'], serialization: 'advanced' });
    try {
        worker.send(question);
        const [told]: FromWorker<ToolAnswer>[] = await once(worker, 'message');
        if (told?.kind !== 'answered') throw new Error('it did not answer', { cause: told?.error });
        return told.answer;
    } finally {
        worker.kill('SIGKILL');
    }
}

const translated = (text: string, dataFolder?: string): Promise<ToolAnswer> => {
    const includes = { includeSchema: false, includeNotRules: false, ...(dataFolder !== undefined && { dataFolder }) };
    return ask({ kind: 'translate-owl', text, base: 'http://e.org/', includes });
};
const fill = fillTo(2_000_000);

test.each(Object.entries(HOSTILE_RDF))('%s: refused while it is read', async (_, { text, refusal }) => {
    expect(await ask({ kind: 'translate-rdf', text: text(fill) })).toMatchObject({
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
