import { expect, test } from 'vitest';
import { compareMoments, replayed, replayOf } from '../../fuzz/replayed.ts';
import { searched } from '../../fuzz/search.ts';
import { check, conformancePrograms } from '../../support/conformance.ts';

test('the steps of random programs make their rows, each after what it rests on', async () => {
    const made = await searched(replayed, 31_071, 6);
    const sum = (key: 'steps' | 'recursive'): number => made.reduce((total, one) => total + one[key], 0);
    expect(sum('steps')).toBeGreaterThan(30);
    expect(sum('recursive')).toBeGreaterThan(3);
});

test('so do those of programs with unknown values, equalities, aggregates and negation', async () => {
    let steps = 0;
    for (const { name: file, text } of conformancePrograms().filter(one =>
        /(?:equalities|existentials|recursive-aggregation|negation|skolem)\//u.test(one.name),
    )) {
        if (check(text).errors.length > 0) continue;
        const replay = await replayOf(text);
        if (replay !== undefined && replay.count < 100) steps += compareMoments(replay, file).steps;
    }
    expect(steps).toBeGreaterThan(200);
});
