import { expect, test } from 'vitest';
import { HeldProgram } from '#engine/maintain/held-program.ts';
import { smallInteger } from '#engine/values/dictionary.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { programOf, RUN_OPTIONS } from '../evaluate/run-program.ts';

test('an edit that violates a constraint leaves nothing behind', async () => {
    const program = programOf('p(1). q(X) <- p(X). #F <- q(2).');
    const held = await HeldProgram.open(program, RUN_OPTIONS);
    const edited = held.edit([{ predicate: 'p/1' as PredicateKey, values: [smallInteger(2)], kind: 'add' }]);
    expect([edited, held.notHeld]).toEqual([undefined, 'The run fails']);
    expect((await held.update(program)).kind).toBe('evaluated');
    const { outcome } = held;
    expect(outcome.ok && outcome.database.relation('q/1' as PredicateKey)?.count).toBe(1);
    expect(held.notHeld).toBeUndefined();
});

test('an edit of a predicate that has rules and is none of those to be edited changes nothing', async () => {
    const program = programOf('p(1). q(X) <- p(X).');
    const held = await HeldProgram.open(program, RUN_OPTIONS);
    const edits = ['p/1', 'q/1'].map(key => ({ predicate: key as PredicateKey, values: [smallInteger(2)], kind: 'add' as const }));
    expect([held.edit(edits), held.notHeld]).toEqual([undefined, undefined]);
    expect((await held.update(program)).kind).toBe('followed');
    const { outcome } = held;
    expect(outcome.ok && outcome.database.relation('p/1' as PredicateKey)?.count).toBe(1);
});
