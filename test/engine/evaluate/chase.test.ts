import { describe, expect, test } from 'vitest';
import type { Database } from '#engine/contracts/database.ts';
import { evaluate } from '#engine/engine.ts';
import { PASSES } from '#engine/plan/program-passes.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { printClause } from '#language/program/print.ts';
import { evaluateNaive } from '../../naive/naive.ts';
import {
    type ExistentialProgram,
    existentialProgram,
    impliedFacts,
    programText,
    withEqualities,
} from '../../support/existential-programs.ts';
import { conformanceSeed, seededRandom, shuffledProgram } from '../../support/program-variations.ts';
import { expectExplanations } from '../../support/well-founded.ts';
import { programOf, RUN_OPTIONS } from './run-program.ts';

const seed = conformanceSeed();
const PROGRAMS = Number(process.env.CHASE_PROGRAMS ?? 8);

/** The facts of all predicates. A null is named by its rule, variable and frontier, which no order of clauses changes. */
function factsOf(database: Database): Map<string, boolean> {
    const { dictionary, program } = database;
    const text = (id: ValueId): string => {
        if (!dictionary.isNull(id)) return dictionary.stringOf(id);
        const { source, arguments: args } = dictionary.nullOf(id);
        const rule = program.rules[source.rule ?? -1];
        return `<${rule && printClause(rule.rule)} ${source.name}: ${args.map(text).join()}>`;
    };
    const facts = new Map<string, boolean>();
    for (const { key, name } of program.predicates.values()) {
        const relation = database.relation(key);
        for (let row = 0; row < (relation?.count ?? 0); row++) {
            const values = (relation?.columns ?? []).map(column => column[row] as ValueId);
            facts.set(
                `${name}(${values.map(text).join(',')})`,
                values.some(value => dictionary.isNull(value)),
            );
        }
    }
    return facts;
}

async function answer(text: string, evaluator = evaluate, more: Partial<typeof RUN_OPTIONS> = {}) {
    const outcome = await evaluator(programOf(text), { ...RUN_OPTIONS, ...more });
    if (!outcome.ok) throw new Error(`${outcome.reports.map(({ message }) => message).join()}\n${text}`);
    const facts = factsOf(outcome.database);
    return { all: [...facts.keys()].sort(), certain: [...facts].flatMap(([fact, isUnknown]) => (isUnknown ? [] : [fact])).sort() };
}

describe(`random rules with existential variables (seed ${seed})`, () => {
    const random = seededRandom(seed);
    const programs: ExistentialProgram[] = [];
    while (programs.length < PROGRAMS) {
        const program = existentialProgram(random);
        const { chase, problems } = programOf(programText(program));
        if (!chase.createsNulls || problems.some(({ severity }) => severity === 'error')) continue;
        if (chase.weaklyAcyclic ? random() < 0.2 : chase.warded) programs.push(program);
    }

    test('terminate, and mean what the naive evaluator says, in every order and without passes', { timeout: 120_000 }, async () => {
        for (const program of programs) {
            const text = programText(program);
            const { all } = await answer(text);
            expect({ text, all: (await answer(text, evaluateNaive)).all }).toEqual({ text, all });
            expect({ text, all: (await answer(text, evaluate, { heights: true })).all }).toEqual({ text, all });
            expect({ text, all: (await answer(text, evaluate, { disabledPasses: new Set(PASSES) })).all }).toEqual({ text, all });
            const shuffled = shuffledProgram(text, random);
            expect({ text, shuffled, all: (await answer(shuffled)).all }).toEqual({ text, shuffled, all });
        }
    });

    test('have an explanation for every fact', async () => {
        for (const program of programs) {
            const heads = new Set(program.rules.flatMap(({ heads }) => heads.map(({ predicate }) => predicate)));
            const outputs = [...heads].map(predicate => `@output("${predicate}").`);
            const outcome = await evaluate(programOf(`${programText(program)}\n${outputs.join('\n')}`), { ...RUN_OPTIONS, heights: true });
            expect(outcome.ok).toBe(true);
            if (outcome.ok) expectExplanations(outcome.database, 10);
        }
    });

    test('derive the facts without nulls that are implied', { timeout: 120_000 }, async () => {
        let compared = 0;
        for (const program of programs) {
            const text = programText(program);
            const { chase } = programOf(text);
            const implied = impliedFacts(program, 7);
            if (implied === undefined || implied === 'clash') continue;
            compared++;
            const { certain } = await answer(text);
            const joins = !chase.weaklyAcyclic && chase.rules.some(({ harmfulJoins }) => harmfulJoins.length > 0);
            if (joins) expect({ text, wrong: certain.filter(fact => !implied.has(fact)) }).toEqual({ text, wrong: [] });
            else expect({ text, certain }).toEqual({ text, certain: [...implied].sort() });
        }
        expect(compared).toBeGreaterThan(programs.length / 2);
    });
});

describe(`random rules with existential variables and equality heads (seed ${seed})`, () => {
    test('derive the facts without nulls that are implied, and clash where constants are to be equal', { timeout: 120_000 }, async () => {
        const random = seededRandom(seed);
        for (let compared = 0; compared < PROGRAMS / 2; ) {
            const program = withEqualities(existentialProgram(random), random);
            const text = programText(program);
            const analysed = programOf(text);
            if (!analysed.chase.weaklyAcyclic || analysed.problems.some(({ severity }) => severity === 'error')) continue;
            const implied = impliedFacts(program, Number.POSITIVE_INFINITY);
            const without = impliedFacts({ ...program, equalities: [] }, Number.POSITIVE_INFINITY);
            if (!(without instanceof Set) || implied === undefined) continue;
            const isSame = implied !== 'clash' && implied.size === without.size;
            if (isSame && random() < 0.8) continue;
            compared++;
            if (implied === 'clash') {
                const { reports } = await evaluate(analysed, RUN_OPTIONS);
                expect({ text, codes: reports.map(({ code }) => code) }).toEqual({ text, codes: ['RT040'] });
            } else expect({ text, certain: (await answer(text)).certain }).toEqual({ text, certain: [...implied].sort() });
        }
    });
});
