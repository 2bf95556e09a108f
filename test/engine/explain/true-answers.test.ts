import { expect, test } from 'vitest';
import { seededRandom } from '../../support/program-variations.ts';
import { falseStatements, smallProgram } from '../../support/true-answers.ts';

/** `true-answers.slow.ts` asks more. */
const QUESTIONS = 200;

test('every statement of why-not is true of the database', async () => {
    const random = seededRandom(1);
    const untrue: string[] = [];
    let asked = 0;
    let told = 0;
    for (let program = 0; asked < QUESTIONS; program++) {
        const found = await falseStatements(smallProgram(random), program, 4);
        untrue.push(...found.untrue);
        asked += found.asked;
        told += found.told;
    }
    expect(untrue.slice(0, 3).join('\n\n')).toBe('');
    expect(told).toBeGreaterThan(5 * asked);
}, 60_000);
