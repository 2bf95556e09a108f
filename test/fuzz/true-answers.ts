import { seededRandom } from '../support/program-variations.ts';
import { falseStatements, linkedProgram, smallProgram } from '../support/true-answers.ts';
import type { Search } from './search.ts';

/** Every statement of why-not is true of the database; and what it names as causes are some; tells how much was asked, stated and carried out. */
export const trueAnswers: Search<{ readonly asked: number; readonly told: number; readonly carried: number }> = {
    name: 'true-answers',
    text: seed => (seed % 3 === 0 ? linkedProgram : smallProgram)(seededRandom(seed)),
    async check(text, seed) {
        const { asked, told, carried, untrue } = await falseStatements(text, seed, 4);
        if (untrue.length > 0) throw new Error(untrue.slice(0, 3).join('\n\n'));
        return asked === 0 ? undefined : { asked, told, carried };
    },
};
