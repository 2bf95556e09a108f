import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { atWork, toolsOf } from '../api/children.ts';
import { type Answered, type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';

/** Queries within queries, for each of which the parser of SQL is asked. Reading as many as a text may have takes longer than a viewer has. */
const queries = (rules: number): string => Array.from({ length: rules }, (_, i) => `p${i}(X) <- select (select (select ${i})).`).join('\n');
const HEAVY = { conceptType: 'logic', program: queries(23_000) };
const LIGHT = { conceptType: 'logic', program: 'a(X) <- b(X).' };

let services: Services;
let viewer: string;
const { post } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices({});
    viewer = (await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer'])).stdout.trim();
    await post('/projects/save', { project: { id: 'p', name: 'One' } });
});
afterAll(() => services.stop());

test('heavy texts of a viewer keep no save, and others no longer than one of them', async () => {
    const order: string[] = [];
    const told = async (name: string, answer: Promise<Answered>): Promise<Answered> => {
        const answered = await answer;
        order.push(name);
        return answered;
    };
    const reading = atWork(() => toolsOf(services.process), 0.5);
    const heavy = [1, 2].map(n => told(`heavy ${n}`, post('/rulelang/analyze', HEAVY, { token: viewer })));
    await reading;
    const save = told('save', post('/concepts/p/save', { concept_name: 'a', concept_type: 'logic', definition: 'a(1).\n@output("a").' }));
    const analysis = told('analysis', post('/rulelang/analyze', LIGHT));
    expect([(await save).status, (await analysis).status]).toEqual([200, 200]);
    for (const answer of heavy) {
        const { status, body } = await answer;
        expect([status, body.code, body.message]).toEqual([422, 'analysis_timeout', 'Reading the program took longer than 5 s']);
    }
    for (const name of ['save', 'analysis']) {
        const before = order.slice(0, order.indexOf(name)).filter(other => other.startsWith('heavy'));
        expect(before.length).toBeLessThanOrEqual(1);
    }
});
