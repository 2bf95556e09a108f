import { describe, it } from 'vitest';
import { conformancePrograms } from '../../support/conformance.ts';
import { questionRandom } from '../../support/conformance-questions.ts';
import { conformanceSeed } from '../../support/program-variations.ts';
import { expectSame, observeTexts, offers, placesIn, textsOf } from '../../support/refactored.ts';
import { THOROUGH } from '../../support/thorough.ts';

const seed = conformanceSeed();
/** So many offers of each title are tried in one program. */
const EACH = THOROUGH ? 3 : 1;
const programs = conformancePrograms().filter(({ expectation }) => expectation.problems.length === 0);

/** What is offered anywhere keeps what the program means: the same facts, and no new errors. */
describe('refactorings keep the facts of', () => {
    it.each(programs.map(program => [program.name, program] as const))(`%s (seed ${seed})`, async (name, program) => {
        const random = questionRandom(seed, name, 'refactorings');
        const texts = textsOf(program);
        const before = await observeTexts(program, texts);
        const chosen = new Map<string, number>();
        const shuffled = offers(texts, placesIn(program.text))
            .map(offer => ({ offer, order: random() }))
            .sort((a, b) => a.order - b.order);
        for (const { offer } of shuffled) {
            const kind = offer.title.replace(/'[^']*'/g, '').replace(/\d+/g, '');
            const count = chosen.get(kind) ?? 0;
            if (count >= EACH || (kind.startsWith('Inline parameter') && program.expectation.parameters.size > 0)) continue;
            chosen.set(kind, count + 1);
            await expectSame(program, before, offer);
        }
    });
});
