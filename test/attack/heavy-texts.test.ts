import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { atWork, toolsOf } from '../api/children.ts';
import { type Answered, type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';

/** Queries within queries, for each of which the parser of SQL is asked. */
const queries = (rules: number): string => Array.from({ length: rules }, (_, i) => `p${i}(X) <- select (select (select ${i})).`).join('\n');
const LONG = { conceptType: 'logic', program: queries(1_000) };
/** Read for long enough that others come meanwhile. */
const LESS = { conceptType: 'logic', program: queries(400) };
const LIGHT = { conceptType: 'logic', program: 'a(X) <- b(X).' };
/** What one caller may have under way: one text that is read, and those that wait. */
const MOST_OF_ONE = 65;

let services: Services;
let viewer: string;
const { post } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices({});
    viewer = (await rulelang(services.folder, ['token', '--data-dir', services.data, '--role', 'viewer'])).stdout.trim();
    await post('/projects/save', { project: { id: 'p', name: 'One' } });
});
afterAll(() => services.stop());

test('long texts of a viewer keep no save, and others no longer than one of them', async () => {
    const order: string[] = [];
    const told = async (name: string, answer: Promise<Answered>): Promise<Answered> => {
        const answered = await answer;
        order.push(name);
        return answered;
    };
    const reading = atWork(() => toolsOf(services.process), 0.1);
    const long = [1, 2, 3].map(n => told(`long ${n}`, post('/rulelang/analyze', LESS, { token: viewer })));
    await reading;
    const save = told('save', post('/concepts/p/save', { concept_name: 'a', concept_type: 'logic', definition: 'a(1).\n@output("a").' }));
    const analysis = told('analysis', post('/rulelang/analyze', LIGHT));
    expect([(await save).status, (await analysis).status]).toEqual([200, 200]);
    // A slow machine takes longer than a viewer has.
    for (const answer of long) expect([200, 422]).toContain((await answer).status);
    for (const name of ['save', 'analysis']) {
        const before = order.slice(0, order.indexOf(name)).filter(other => other.startsWith('long'));
        expect(before.length).toBeLessThanOrEqual(1);
    }
});

test('a caller who asks too much at once is told so, and nobody else; what waits is forgotten with its client', async () => {
    const leaving = new AbortController();
    const answers = Array.from({ length: MOST_OF_ONE + 3 }, () =>
        post('/rulelang/analyze', LONG, { token: viewer, signal: leaving.signal }).then(
            ({ status, body, headers }) => [status, body.code, headers.get('retry-after')],
            () => 'left',
        ),
    );
    const first = await Promise.any([...answers].map(async answer => ((await answer) === 'left' ? Promise.reject() : answer)));
    expect(first).toEqual([503, 'engine_busy', '1']);
    const other = post('/rulelang/analyze', LIGHT);
    leaving.abort();
    expect((await other).status).toBe(200);
    const all = await Promise.all(answers);
    expect(all.filter(answer => answer === 'left').length).toBeGreaterThanOrEqual(MOST_OF_ONE - 1);
    // The one that was read when its client left is given up within its time; none of the others is begun.
    expect((await post('/rulelang/analyze', LIGHT, { token: viewer })).status).toBe(200);
});
