import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunOptions } from '#engine/run-options.ts';
import { printClause } from '#language/program/print.ts';
import type { Clause } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { check, conformancePrograms, runOptions } from '../../support/conformance.ts';
import { equalityProgram, recursiveEqualityProgram } from '../../support/equality-program.ts';
import { featureProgram } from '../../support/feature-program.ts';
import { generatedProgram } from '../../support/generated-program.ts';
import { tries } from '../../support/thorough.ts';
import { Picks } from '../evaluate/random-program.ts';
import { type Counts, type EditedProgram, followEdits } from './follow-edits.ts';

const PROGRAMS = tries(96);
const EDITS = 12;
const FIRST_SEED = Number(process.env.RANDOM_SEED ?? 41_011);
/** What a recursion that never settles is ended by. */
const MOST_ROUNDS = 60;
/** Programs of the corpus that chance or the clock take part in, or another program, do not give the same twice. */
const DIFFERS = /math:rand|uniform|shuffle|monotonically|uuid|current_|python:|(?:<-|:-|\(\s*")\s*(?:SELECT|WITH)\b/iu;
const KINDS = { generatedProgram, featureProgram, equalityProgram, recursiveEqualityProgram };

const corpus = conformancePrograms().filter(({ text }) => text.length < 3000 && !DIFFERS.test(text));

for (const [kind, programs] of Object.entries(KINDS))
    test(`rows of ${kind} follow edits, from seed ${FIRST_SEED}`, async () => {
        const counts = { followed: 0, evaluated: 0 };
        for (let seed = FIRST_SEED, done = 0; done < PROGRAMS / 4; seed++) if (await editGenerated(programs, seed, counts)) done++;
        expect(counts.followed + counts.evaluated).toBeGreaterThan(0);
    });

test(`rows of programs of the corpus follow edits, from seed ${FIRST_SEED}`, async () => {
    const counts = { followed: 0, evaluated: 0 };
    for (let seed = FIRST_SEED, done = 0; done < PROGRAMS; seed++) if (await editCorpus(seed, counts)) done++;
    expect(counts.followed).toBeGreaterThan(counts.evaluated);
});

function editGenerated(programs: fc.Arbitrary<string>, seed: number, counts: Counts): Promise<boolean> {
    const [text = '', spare = ''] = fc.sample(programs, { seed, numRuns: 2 });
    const options = limited(runOptions('.'));
    return followEdits(editedProgram(text, spare, '.', options), EDITS, new Picks(seed), { seed }, counts);
}

function editCorpus(seed: number, counts: Counts): Promise<boolean> {
    const picks = new Picks(seed);
    const { text, folder, name, expectation } = picks.one(corpus);
    const program = readProgram(text, 'test.rulelang').value;
    const options = limited(runOptions(folder, expectation.parameters, program));
    return followEdits(editedProgram(text, '', folder, options, expectation.parameters), EDITS, picks, { seed, name }, counts);
}

function limited(options: RunOptions): RunOptions {
    return { ...options, limits: { ...options.limits, maxRounds: MOST_ROUNDS }, clock: () => 0 };
}

/** A program that is edited clause by clause, with clauses of another one, or with its own and rows that are mixed from its facts. */
function editedProgram(
    text: string,
    spareText: string,
    folder: string,
    options: RunOptions,
    parameters: ReadonlyMap<string, unknown> = new Map(),
): EditedProgram {
    const lines = linesOf(text);
    const spare = [...linesOf(spareText), ...lines];
    const facts = factsOf(`${text}\n${spareText}`);
    return {
        lines,
        options,
        read: edited => check(edited, parameters, folder).program,
        edit: (now, picks) => {
            const added = facts.length > 0 && picks.chance(0.6) ? mixedFact(facts, picks) : picks.one(spare);
            const ofFacts = now.flatMap((line, index) => (line.includes('<-') || line.startsWith('@') ? [] : [index]));
            const place = ofFacts.length > 0 && picks.chance(0.6) ? picks.one(ofFacts) : picks.below(now.length);
            switch (picks.below(3)) {
                case 0:
                    return now.filter((_, index) => index !== place);
                case 1:
                    return [...now, added];
                default:
                    return now.map((line, index) => (index === place ? added : line));
            }
        },
    };
}

function linesOf(text: string): string[] {
    return readProgram(text, 'test.rulelang').value.clauses.map(printClause);
}

type FactClause = Extract<Clause, { kind: 'fact' }>;

function factsOf(text: string): readonly FactClause[] {
    return readProgram(text, 'test.rulelang').value.clauses.filter(clause => clause.kind === 'fact');
}

/** A fact with values of other facts. */
function mixedFact(facts: readonly FactClause[], picks: Picks): string {
    const fact = picks.one(facts);
    const others = fact.atom.arguments.map((argument, column) => {
        const same = picks.one(facts.filter(({ atom }) => atom.predicate === fact.atom.predicate)).atom.arguments;
        const any = picks.one(facts).atom.arguments;
        return picks.one([argument, same[column] ?? argument, picks.chance(0.2) && any.length > 0 ? picks.one(any) : argument]);
    });
    return printClause({ ...fact, atom: { ...fact.atom, arguments: others } });
}
