import { DECISIONS } from './decisions.ts';
import { deadColumns } from './passes/dead-columns.ts';
import { factsApart } from './passes/facts-apart.ts';
import { helperRelations } from './passes/helper-relations.ts';
import { idleCasts } from './passes/idle-casts.ts';
import { liveCardinalities } from './passes/live-cardinalities.ts';
import { magicSets } from './passes/magic-sets.ts';
import { forgottenParts, parts } from './passes/parts.ts';
import { ruleInlining } from './passes/rule-inlining.ts';
import { sharedPrefixes } from './passes/shared-prefixes.ts';
import { sourceConditions } from './passes/source-conditions.ts';
import type { Plan } from './plan.ts';
import type { Planning, ProgramPass } from './program-pass.ts';

/** In the order in which they run. */
const PROGRAM_PASSES = [
    idleCasts,
    ruleInlining,
    deadColumns,
    factsApart,
    magicSets,
    sharedPrefixes,
    helperRelations,
    parts,
    liveCardinalities,
    forgottenParts,
    sourceConditions,
] as const;

export type PassName = (typeof DECISIONS)[number] | (typeof PROGRAM_PASSES)[number]['name'];

/** All that can be switched off, one by one, in planner and evaluator; answers never depend on it. */
export const PASSES: readonly PassName[] = [...new Set([...DECISIONS, ...PROGRAM_PASSES.map(({ name }) => name)])];

/** Applies the passes to a plan; the result names those that changed it. */
export function rewritten(plan: Plan, planning: Planning, disabled: ReadonlySet<PassName>): Plan {
    let before = plan;
    for (const { name, needs, run } of PROGRAM_PASSES as readonly ProgramPass<PassName>[]) {
        if (disabled.has(name) || !needs(planning)) continue;
        planning.look();
        const relations = new Map(before.relations);
        const { strata, partial = [] } = run({ ...before, relations }, planning);
        const after = { ...before, strata, relations, partial: new Set([...before.partial, ...partial]) };
        if (!isSame(before, after)) before = { ...after, changedBy: new Set([...before.changedBy, name]) };
    }
    return before;
}

function isSame(before: Plan, after: Plan): boolean {
    return (
        before.partial.size === after.partial.size &&
        before.strata.length === after.strata.length &&
        before.strata.every((stratum, index) => stratum === after.strata[index]) &&
        before.relations.size === after.relations.size &&
        [...before.relations].every(([key, relation]) => after.relations.get(key) === relation)
    );
}
