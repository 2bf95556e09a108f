import { seededRandom } from '../support/program-variations.ts';
import { falseStatements, smallProgram } from '../support/true-answers.ts';
import type { Search } from './search.ts';

/** Every statement of why-not is true of the database; tells how much was asked and stated. */
export const trueAnswers: Search<{ readonly asked: number; readonly told: number }> = {
    name: 'true-answers',
    text: seed => smallProgram(seededRandom(seed)),
    async check(text, seed) {
        const { asked, told, untrue } = await falseStatements(text, seed, 4);
        if (untrue.length > 0) throw new Error(untrue.slice(0, 3).join('\n\n'));
        return asked === 0 ? undefined : { asked, told };
    },
};
