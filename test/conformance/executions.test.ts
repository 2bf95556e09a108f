import { test } from 'vitest';
import { compareExecutions, type Executions, expectCompared, isExecuted } from '../support/compare-executions.ts';
import { conformancePrograms } from '../support/conformance.ts';

/** Of so many programs one; `conformance.slow.ts` takes all. */
const EACH = 5;

test('rules are executed as their plan says', async () => {
    const programs = conformancePrograms().filter((program, index) => index % EACH === 0 && isExecuted(program));
    const all: Executions[] = [];
    for (const [index, program] of programs.entries()) all.push(await compareExecutions(program, index));
    expectCompared(all);
});
