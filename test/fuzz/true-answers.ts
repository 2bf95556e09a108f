import { seededRandom } from '../support/program-variations.ts';
import { falseStatements, type Judged } from '../support/true-answers.ts';
import { linkedProgram, mixedProgram, smallProgram, timedProgram } from '../support/why-not-programs.ts';
import { equalities, features, generated, recursiveEqualities } from './generated.ts';
import type { Search } from './search.ts';

const PROGRAMS = [linkedProgram, smallProgram, mixedProgram] as const;
const timed = { text: (seed: number): string => timedProgram(seededRandom(seed)) };
const REASONED = [features, generated, equalities, recursiveEqualities, timed] as const;

/** Every statement of why-not is true of the database, and every reason that it names is one. */
export const trueAnswers: Search<Judged> = {
    name: 'true-answers',
    text: seed => (PROGRAMS[seed % PROGRAMS.length] ?? smallProgram)(seededRandom(seed)),
    check: (text, seed) => judged(text, seed),
};

/** As `trueAnswers` for programs that mix features; only what carrying out shows. */
export const trueReasons: Search<Judged> = {
    name: 'true-reasons',
    text: seed => (REASONED[seed % REASONED.length] ?? features).text(seed),
    check: (text, seed) => judged(text, seed, false),
};

async function judged(text: string, seed: number, isPlain?: boolean): Promise<Judged | undefined> {
    const found = await falseStatements(text, seed, 4, isPlain);
    if (found.untrue.length > 0) throw new Error(found.untrue.slice(0, 3).join('\n\n'));
    return found.asked === 0 ? undefined : found;
}
