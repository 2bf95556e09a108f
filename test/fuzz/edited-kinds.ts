import type fc from 'fast-check';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { printClause } from '#language/program/print.ts';
import type { Clause } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { Picks } from '../engine/evaluate/random-program.ts';
import { type Counts, type EditedProgram, followEdits } from '../engine/maintain/follow-edits.ts';
import { check, conformancePrograms, runOptions } from '../support/conformance.ts';
import { equalityProgram, recursiveEqualityProgram } from '../support/equality-program.ts';
import { featureProgram } from '../support/feature-program.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { sampled } from './sampled.ts';
import type { Search } from './search.ts';

const EDITS = 12;
/** What a recursion that never settles is ended by. */
const MOST_ROUNDS = 60;
/** Programs of the corpus that chance or the clock take part in, or another program, do not give the same twice. */
const DIFFERS = /math:rand|uniform|shuffle|monotonically|uuid|current_|python:|(?:<-|:-|\(\s*")\s*(?:SELECT|WITH)\b/iu;
const KINDS = {
    generated: generatedProgram,
    features: featureProgram,
    equalities: equalityProgram,
    'recursive-equalities': recursiveEqualityProgram,
};

const corpus = conformancePrograms().filter(({ text }) => text.length < 3000 && !DIFFERS.test(text));

/** Rows of programs of a kind follow edits; tells how. */
function editing(name: string, programs: fc.Arbitrary<string>): Search<Counts> {
    const text = sampled(programs);
    return {
        name,
        text,
        async check(program, seed) {
            const counts = { followed: 0, evaluated: 0 };
            const edited = editedProgram(program, text(seed + 1_000_000), '.', limited(runOptions('.')));
            return (await followEdits(edited, EDITS, new Picks(seed), counts)) ? counts : undefined;
        },
    };
}

export const EDITED_KINDS: readonly Search<Counts>[] = Object.entries(KINDS).map(([kind, programs]) => editing(`edited-${kind}`, programs));

const chosen = (seed: number): (typeof corpus)[number] => new Picks(seed).one(corpus);

/** Rows of programs of the corpus follow edits; tells how. */
export const editedCorpus: Search<Counts> = {
    name: 'edited-corpus',
    text: seed => chosen(seed).text,
    async check(text, seed) {
        const { folder, expectation } = chosen(seed);
        const options = limited(runOptions(folder, expectation.parameters, readProgram(text, 'test.rulelang').value));
        const counts = { followed: 0, evaluated: 0 };
        const edited = editedProgram(text, '', folder, options, expectation.parameters);
        return (await followEdits(edited, EDITS, new Picks(seed + 1), counts)) ? counts : undefined;
    },
};

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
