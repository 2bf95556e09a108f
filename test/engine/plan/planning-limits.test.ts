import { expect, test } from 'vitest';
import { heavyProgram } from '../../support/heavy-texts.ts';
import { run } from '../evaluate/run-program.ts';

test('the time limit is looked at while a program is planned', async () => {
    let asked = 0;
    const { codes } = await run(heavyProgram('cycle of predicates', 200), { deadline: 50, clock: () => asked++ });
    expect(codes).toEqual(['RT031']);
    expect(asked).toBe(51);
});

test('a run is cancelled while it is planned', async () => {
    let asked = 0;
    const { codes } = await run(heavyProgram('tower of negations', 200), { cancelled: () => (++asked > 20 ? 'stopped' : undefined) });
    expect(codes).toEqual(['RT032']);
    expect(asked).toBe(21);
});
