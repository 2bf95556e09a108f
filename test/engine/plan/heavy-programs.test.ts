import { expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { countSteps, LOST_COUNTS } from '../../support/count-steps.ts';
import { heavyProgram } from '../../support/heavy-texts.ts';
import { programOf, RUN_OPTIONS } from '../evaluate/run-program.ts';

const PLANNED = [
    'one atom again and again',
    'chain',
    'star',
    'cross product',
    'predicates of one variable',
    'negations',
    'heads',
    'cycle of predicates',
    'cycle of joins',
    'chain of rules',
    'chain of joins',
    'tower of negations',
    'rules of one predicate',
    'rules of one recursive predicate',
    'equal rules',
    'outputs',
];

test.each(PLANNED)('%s: twice the size is planned and run with twice the work', LOST_COUNTS, async name => {
    const work = async (size: number): Promise<number> => {
        const program = programOf(heavyProgram(name, size));
        const keys = program.outputs.length > 0 ? program.outputs : [...program.predicates.keys()].slice(-1);
        return countSteps(() => evaluate(program, { ...RUN_OPTIONS, goals: new Set(keys), goalsOnly: true }));
    };
    const [small, large] = [await work(60), await work(120)];
    expect(small).toBeGreaterThan(60);
    expect(large / small).toBeLessThan(2.15);
});

test.each([
    ['cycle of predicates', {}],
    ['recursive chain', {}],
    ['recursive chain with joins', {}],
    ['recursive chain', { heights: true }],
    ['chain', { heights: true }],
    ['star', { heights: true }],
])('%s with %o: twice a large size is run with twice the work', LOST_COUNTS, async (name, options) => {
    const work = (size: number): Promise<number> => {
        const program = programOf(heavyProgram(name, size));
        return countSteps(() => evaluate(program, { ...RUN_OPTIONS, ...options }));
    };
    const [small, large] = [await work(200), await work(400)];
    expect(small).toBeGreaterThan(200);
    expect(large / small).toBeLessThan(2.2);
});
