import { afterEach, expect, test, vi } from 'vitest';
import { type PlannedRun, planRun } from '#server/projects/plan-run.ts';
import { programsText, readPrograms } from '#server/projects/result-programs.ts';

afterEach(() => vi.useRealTimers());

async function plannedAt(instant: string, definition: string, type: 'logic' | 'sql' = 'logic'): Promise<Extract<PlannedRun, { ok: true }>> {
    vi.useFakeTimers({ now: Date.parse(instant), toFake: ['Date'] });
    const planned = await planRun({
        concepts: [{ name: 'due', type, definition, binds: [], scripts: {} }],
        target: 'due',
        parameters: new Map(),
        backend: 'local',
        currentFolder: '.',
        folders: { read: [], write: [], denied: [] },
        keysOfAll: false,
    });
    if (!planned.ok) throw new Error(planned.fault);
    return planned;
}

const keyAt = async (instant: string, ...concept: [string, ('logic' | 'sql')?]) =>
    (await plannedAt(instant, ...concept)).cacheKeys.get('due');

const MORNING = '2031-03-01T08:00:00Z';
const NOON = '2031-03-01T12:00:00Z';
const NEXT_DAY = '2031-03-02T08:00:00Z';
const FACTS = 'bill("a", 2031-01-05). @output("due"). ';

test.each([
    ['no present', `${FACTS}due(B) <- bill(B, _).`, [true, true]],
    ['the day', `${FACTS}due(B) <- bill(B, D), D < date:current_date().`, [true, false]],
    ['the instant', `${FACTS}due(B) <- bill(B, D), D < date:current_timestamp().`, [false, false]],
] as const)('rows that were made with %s are those of another run as long as it lasts', async (_, definition, alike) => {
    const key = await keyAt(MORNING, definition);
    expect([(await keyAt(NOON, definition)) === key, (await keyAt(NEXT_DAY, definition)) === key]).toEqual(alike);
});

test('queries have a present, too', async () => {
    const query = "SELECT 1 AS x WHERE CURRENT_DATE > DATE '2031-01-01'";
    expect(await keyAt(NEXT_DAY, query, 'sql')).not.toBe(await keyAt(MORNING, query, 'sql'));
});

test('the present is kept with what rows were made of', async () => {
    const planned = await plannedAt(MORNING, `${FACTS}due(B) <- bill(B, _).`);
    expect(readPrograms(programsText(planned, 0)).now).toBe(Date.parse(MORNING));
});
