import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { inputsOf } from '../plan.ts';
import type { DraftPlan } from './magic-sets.ts';

/** A plan that is being made, and the program that it is for. */
export interface ProgramPlan extends DraftPlan {
    readonly program: AnalysedProgram;
}

/** The relations whose rows are looked at as they are: by people, reports, relation functions and the test of likeness (D-29). */
export function seenRelations({ relations, constraints, trees }: DraftPlan, wanted: ReadonlySet<PredicateKey>): ReadonlySet<PredicateKey> {
    const reported = constraints.flatMap(({ literals }) => literals.map(({ relation }) => relation));
    const inputs = [...relations.values()].flatMap(({ call }) => (call === undefined ? [] : inputsOf(call)));
    return new Set([...wanted, ...trees, ...reported, ...inputs]);
}
