import { expect } from 'vitest';
import type { RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { matchRule } from '#engine/explain/match-rule.ts';
import { termText } from '#engine/values/text.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import { randomProgram } from '../engine/evaluate/random-program.ts';
import { hasErrors, programOf, RUN_OPTIONS } from '../engine/evaluate/run-program.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { someVariants } from './pass-variants.ts';
import type { Search } from './search.ts';

/** A recursion that never settles is ended by this, in all evaluations alike. */
const OPTIONS: RunOptions = { ...RUN_OPTIONS, limits: { ...RUN_OPTIONS.limits, maxRounds: 60 } };

/** Random programs mean what the reference evaluator says. */
export const randomPrograms: Search<true> = {
    name: 'random-programs',
    text: randomProgram,
    async check(text, seed) {
        const program = programOf(text);
        if (hasErrors(program)) return undefined;
        const expected = answer(program, await evaluateNaive(program, OPTIONS));
        for (const variant of someVariants(seed)) {
            const outcome = await evaluate(program, { ...OPTIONS, ...variant });
            expect({ variant, answer: answer(program, outcome) }).toEqual({ variant, answer: expected });
            if (variant.heights) expect(wrongHeights(program, outcome)).toEqual([]);
        }
        return true;
    },
};

function answer(program: AnalysedProgram, outcome: RunOutcome): string[] {
    if (!outcome.ok) return outcome.reports.map(report => report.code);
    const { dictionary } = outcome.database;
    const notMonotone = outcome.reports.some(report => report.code === 'RT050') ? ['RT050'] : [];
    const relations = [...program.predicates.keys()].map(key => {
        const relation = outcome.database.relation(key);
        const rows = Array.from({ length: relation?.count ?? 0 }, (_, row) =>
            (relation?.columns ?? []).map(column => termText(dictionary, column[row] ?? 0, MIXED, String)).join(','),
        );
        return `${key}: ${rows.sort().join(' ')}`;
    });
    return [...relations, ...notMonotone];
}

/** Facts whose height is not one more than the smallest possible largest height of the premises of a derivation. */
function wrongHeights(program: AnalysedProgram, outcome: RunOutcome): string[] {
    if (!outcome.ok) return [];
    const { database } = outcome;
    const heightOf = (predicate: PredicateKey, row: number): number => database.relation(predicate)?.notes?.heights?.[row] ?? 0;
    const isAggregated = (key: PredicateKey): boolean => (program.predicates.get(key)?.aggregatedColumns.length ?? 0) > 0;
    const wrong: string[] = [];
    for (const { predicates } of program.strata) {
        if (predicates.some(isAggregated)) continue;
        for (const key of predicates) {
            const relation = database.relation(key);
            const rules = program.rules.filter(rule => !rule.assignments.some(assignment => assignment.aggregates.length > 0));
            for (let row = 0; row < (relation?.count ?? 0); row++) {
                const values = (relation?.columns ?? []).map(column => column[row] ?? 0);
                let smallest = (program.predicates.get(key)?.facts.length ?? 0) > 0 ? 0 : Number.POSITIVE_INFINITY;
                for (const rule of rules) {
                    for (const head of rule.heads.filter(one => one.predicate === key)) {
                        matchRule(database, rule, head, values, match => {
                            smallest = Math.min(
                                smallest,
                                1 + Math.max(0, ...match.map(premise => heightOf(premise.predicate, premise.row))),
                            );
                        });
                    }
                }
                if (heightOf(key, row) !== smallest) wrong.push(`${key} ${values} @${heightOf(key, row)}, not ${smallest}`);
            }
        }
    }
    return wrong;
}
