import { describe, it } from 'vitest';
import { conformancePrograms, type Observed } from '../../support/conformance.ts';
import { questionRandom } from '../../support/conformance-questions.ts';
import { conformanceSeed } from '../../support/program-variations.ts';
import { expectSame, observeTexts, offers, placesIn, textsOf } from '../../support/refactored.ts';
import { THOROUGH } from '../../support/thorough.ts';

const seed = conformanceSeed();
/** So many offers of each title are tried in one program. */
const EACH = THOROUGH ? 3 : 1;
/** What is offered in so many programs is tried in a share of the others. */
const COMMON = 40;
const SHARE_OF_COMMON = THOROUGH ? 1 : 0.2;
/** What is offered at a mark between words is offered at one of the words too; only a parameter is found behind its name. */
const isWord = (text: string, at: number): boolean =>
    THOROUGH || !'(),.'.includes(text[at] ?? ' ') || /\?\w+$/u.test(text.slice(Math.max(0, at - 40), at));
/** In how many programs each kind has been offered. */
const offered = new Map<string, number>();
const programs = conformancePrograms().filter(({ expectation }) => expectation.problems.length === 0);

/** What is offered anywhere keeps what the program means: the same facts, and no new errors. */
describe('refactorings keep the facts of', () => {
    it.each(programs.map(program => [program.name, program] as const))(`%s (seed ${seed})`, async (name, program) => {
        const random = questionRandom(seed, name, 'refactorings');
        const texts = textsOf(program);
        let before: Observed | undefined;
        const chosen = new Map<string, number>();
        const places = [...placesIn(program.text)].filter(({ start, end }) => start < end || isWord(program.text, start));
        const shuffled = offers(texts, places)
            .map(offer => ({ offer, order: random() }))
            .sort((a, b) => a.order - b.order);
        for (const { offer } of shuffled) {
            const kind = offer.title.replace(/'[^']*'/g, '').replace(/\d+/g, '');
            const count = chosen.get(kind) ?? 0;
            if (count >= EACH || (kind.startsWith('Inline parameter') && program.expectation.parameters.size > 0)) continue;
            chosen.set(kind, count + 1);
            const earlier = offered.get(kind) ?? 0;
            if (count === 0) offered.set(kind, earlier + 1);
            if (earlier >= COMMON && random() >= SHARE_OF_COMMON) continue;
            before ??= await observeTexts(program, texts);
            await expectSame(program, before, offer);
        }
    });
});
