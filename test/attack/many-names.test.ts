import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { conceptDefinition } from '#language/tools/concept-definition.ts';
import { countSteps, LOST_COUNTS } from '../support/count-steps.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const NAMES = 20_000;

/** Bytes that stay while somebody keeps what `make` gives. */
function kept(make: () => unknown): number {
    const holding: unknown[] = [];
    collect();
    const before = process.memoryUsage().heapUsed;
    holding.push(make());
    collect();
    const after = process.memoryUsage().heapUsed;
    expect(holding.length).toBe(1);
    return after - before;
}

/** A name of a large text took 7 KB, so that a text of 1 MiB took more than a reader may have. */
test.each([
    ['facts', (i: number) => `p${i}(1).`, 3200],
    ['rules', (i: number) => `p${i}(X)<-q(X).`, 5800],
])('%s with names of their own keep little for each', (_, clause, most) => {
    const text = Array.from({ length: NAMES }, (_, i) => clause(i)).join('\n');
    const read = (): unknown => {
        const { value, problems } = readProgram(text, 'main');
        return { problems, analysed: analyse(value) };
    };
    read();
    expect(kept(read) / NAMES).toBeLessThan(most);
});

test('the predicates of a concept: twice as many are listed with twice the work', LOST_COUNTS, async () => {
    const steps = (count: number): Promise<number> =>
        countSteps(() => conceptDefinition(Array.from({ length: count }, (_, i) => `p${i}(1).`).join('\n')));
    const [small, large] = [await steps(1000), await steps(2000)];
    expect(small).toBeGreaterThan(0);
    expect(large / small).toBeLessThan(2.5);
});
