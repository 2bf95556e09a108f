import { expect, test } from 'vitest';
import { effectText } from '#extension/webviews/results/effect-text.ts';
import type { Change, OutputEffect, RunEffects } from '#server/protocol/run-difference.ts';

const changes: readonly Change[] = ['p(1).', 'p(2).', 'p(3).'].map(after => ({ kind: 'added', after }));
const counts = { added: 12, removed: 1, changed: 0 };

function told(effect: Partial<OutputEffect>, found: Partial<Extract<RunEffects, { kind: 'found' }>> = {}): string {
    const whole: OutputEffect = { output: 'p/1', explained: { kind: 'none' }, sources: [], repeats: true, rows: [], ...effect };
    return effectText(
        whole,
        { kind: 'found', outputs: [whole], since: [], unknown: [], evaluations: 3, ...found },
        { changes, sources: [], known: true },
    );
}
const edits = (...chosen: number[]) => ({ kind: 'edits' as const, edits: chosen, smallest: true, idle: [] });

test('what makes a difference is said in sentences', () => {
    expect(told({ explained: { ...edits(0), idle: [1] } })).toBe('Change 1 makes the difference. Change 2 has no effect on it.');
    expect(told({ explained: edits(0, 2) })).toBe('Changes 1 and 3 make the difference together.');
    expect(told({ explained: { ...edits(0, 1, 2), smallest: false } })).toBe(
        'Changes 1, 2 and 3 make the difference together. Fewer may suffice: there was no time to try.',
    );
    expect(told({ explained: { kind: 'undecided' } })).toMatch(/^There was not enough time/u);
});

test('data that changed is named, with the rows that come from it, or said to have no effect', () => {
    expect(told({ data: counts, sources: ['own.csv'] })).toBe(
        'The data changed: of the rows that differ, 12 added, 1 removed and 0 changed come from own.csv. No change of the program or its parameters has an effect on it.',
    );
    expect(told({ data: counts, sources: ['own.csv'], explained: edits(1) })).toMatch(/Change 2 makes the rest of the difference\.$/u);
    expect(told({ sources: ['own.csv'], explained: edits(1) })).toBe(
        'What changed in own.csv has no effect on it. Change 2 makes the difference.',
    );
});

test('what cannot be told is said so', () => {
    expect(told({ data: counts, explained: edits(0) }, { since: ['own.csv'] })).toMatch(/own\.csv changed after the later run/u);
    expect(told({ data: counts, explained: edits(0) }, { unknown: ['shop'] })).toMatch(/may come from shop/u);
    expect(told({ data: counts, explained: edits(0) })).toMatch(/the time or chance/u);
    expect(told({ explained: edits(0), repeats: false }, { since: ['own.csv'] })).toMatch(/holds for the data of now/u);
    expect(told({ repeats: false })).toMatch(/the time, chance or a database/u);
});
