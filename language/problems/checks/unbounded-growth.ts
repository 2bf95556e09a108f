import { nameOf } from '#language/analysis/forbidden-cycles.ts';
import type { Growth } from '#language/analysis/growth.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Values that recursion may make without end: RL2204. */
export function* checkUnboundedGrowth(growth: readonly Growth[]): Iterable<Problem> {
    for (const { facts, predicate, column, term } of growth) yield problem('RL2204', facts.place, term.span, nameOf(predicate), column + 1);
}
