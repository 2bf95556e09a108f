import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from './calls.ts';
import { type Services, startServices } from './services.ts';

/** Needs a Python from 3.9 on. */
let services: Services;
const { post, get, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices({}, ['--allow-python']);
    await data(post('/projects/save', { project: { name: 'weather', id: 'w' } }));
});
afterAll(() => services.stop());

const SCRIPT = 'import other\ndef main(params):\n    return [{"City": params["city"], "Temp": other.temp, "Extra": params.get("extra")}]';

const save = (definition: string, python_scripts: object = {}): Promise<unknown> =>
    data(post('/concepts/w/save', { definition, python_scripts }));
const run = (concept: string, body: object = {}): ReturnType<typeof post> => post(`/concepts/w/run/${concept}`, body);

test('a concept of Python runs, is read by others, and has parameters', async () => {
    await save('@param("city", "Rome").\nweather(City, Temp, Extra) :- python:run("fetch").\n@output("weather").', {
        fetch: SCRIPT,
        other: 'temp = 22',
    });
    await save('@param("city", "Oslo"). warm(C) :- weather(C, T, _), T > 20.');
    expect(await data(run('weather', { params: { extra: 1 } }))).toMatchObject({
        results: [['Rome', 22, 1]],
        columns: ['City', 'Temp', 'Extra'],
        concepts_executed: ['weather'],
        warnings: [],
    });
    expect(await data(run('warm'))).toMatchObject({ results: [['Oslo']], concepts_executed: ['weather', 'warm'] });
    expect(await data(get('/concepts/w/fetch?output_predicate=weather'))).toMatchObject({ rows: [['Rome', 22, 1]] });
});

test.each([
    ['no_main', 'x = 1', 'script_no_main', "Script 's' must define main() or main(params)"],
    ['bad_result', 'def main(): return {}', 'script_bad_result', 'main must return a list of dictionaries'],
    ['mismatch', 'def main(): return [{"Y": 1}]', 'script_columns_mismatch', 'Row 1 has columns Y, expected X'],
    ['failed', 'def main(): raise ValueError("no")', 'script_failed', "Script 's' failed: ValueError: no"],
])('%s', async (name, s, code, message) => {
    await save(`${name}(X) :- python:run("s").`, { s });
    const { status, body } = await run(name);
    expect([status, body.code, body.message, body.details?.concept_name]).toEqual([422, code, message, name]);
});
