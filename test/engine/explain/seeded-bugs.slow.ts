import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUG_KINDS } from '../../support/seeded-bugs.ts';
import { judge, type Verdict } from '../../support/seeded-verdicts.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { WORKING_PROGRAMS } from '../../support/working-programs.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SAMPLES = ['audit', 'control', 'genealogy', 'parts', 'reachability'];
/** The weights of `rank-causes.ts` were found with seeds 1 to 3. `SEEDED_SEEDS=7,8` takes others. */
const SEEDS = (process.env.SEEDED_SEEDS ?? (THOROUGH ? '101,102,103' : '101')).split(',').map(Number);
/** Mistakes tried in each program, one of each kind at least. `SEEDED_STORIES=1` prints each with what was named. */
const TRIED = Number(process.env.SEEDED_BUGS ?? (THOROUGH ? 17 : BUG_KINDS.length));

const PROGRAMS: readonly (readonly [text: string, folder: string])[] = [
    ...Object.values(WORKING_PROGRAMS).map(text => [text, ROOT] as const),
    ...SAMPLES.map(name => {
        const folder = join(ROOT, 'samples', name);
        return [readFileSync(join(folder, `${name}.rulelang`), 'utf8'), folder] as const;
    }),
];

function share(all: readonly Verdict[]): number {
    return all.filter(({ named }) => named).length / Math.max(1, all.length);
}

describe('why a fact is missing', () => {
    const everything: Verdict[] = [];

    test.each(SEEDS)(
        'the first cause is the seeded mistake in four of five cases: seed %i',
        async seed => {
            const verdicts: Verdict[] = [];
            for (const [i, [text, folder]] of PROGRAMS.entries()) verdicts.push(...(await judge(text, folder, 1000 * seed + i, TRIED)));
            everything.push(...verdicts);
            if (process.env.SEEDED_STORIES !== undefined) {
                const kinds = BUG_KINDS.map(kind => `${kind}: ${share(verdicts.filter(one => one.kind === kind)).toFixed(2)}`);
                console.log(
                    [...verdicts.map(({ story }) => story), ...kinds, `all ${verdicts.length}: ${share(verdicts).toFixed(3)}`].join('\n'),
                );
            }
            expect(verdicts.length).toBeGreaterThan(120);
            expect(share(verdicts)).toBeGreaterThanOrEqual(0.8);
        },
        600_000,
    );

    test('and in more of all together', () => {
        expect(share(everything)).toBeGreaterThanOrEqual(0.86);
    });
});
