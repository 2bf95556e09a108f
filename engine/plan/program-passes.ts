import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { PassName } from '../run-options.ts';
import { startsWithFacts } from './facts-relation.ts';
import { dropDeadColumns } from './passes/dead-columns.ts';
import { withFactsApart } from './passes/facts-apart.ts';
import { addHelperRelations, isHelper } from './passes/helper-relations.ts';
import { dropIdleCasts } from './passes/idle-casts.ts';
import { hasOrders } from './passes/live-cardinalities.ts';
import { addMagicSets } from './passes/magic-sets.ts';
import { addParts, forgetParts } from './passes/parts.ts';
import { inlineRules } from './passes/rule-inlining.ts';
import { sharePrefixes } from './passes/shared-prefixes.ts';
import { uniteStrata } from './passes/unite-strata.ts';
import { isInParts, isTested, type Plan, type PlanRelation, type PlanStratum } from './plan.ts';

/** A plan whose relations may be changed. */
export type DraftPlan = Omit<Plan, 'relations'> & { readonly relations: Map<PredicateKey, PlanRelation> };

/** What is known of a run before its program is planned. */
export interface Planning {
    /** Facts need not be explained, and no equality head changes them: rules need not stay as they are written. */
    readonly isPlain: boolean;
    /** The predicates that must be complete, where these are not all. */
    readonly complete: ReadonlySet<PredicateKey> | undefined;
    /** The same, where nobody will look at other predicates. */
    readonly wanted: ReadonlySet<PredicateKey> | undefined;
    /** Every rule is to be seen as it is written. */
    readonly isProfiled: boolean;
    readonly disabled: ReadonlySet<PassName>;
    /** Called between pieces of work; it may throw to end the planning. */
    readonly look: () => void;
}

/** One rewriting of a whole plan. What it gives evaluates to the same facts. */
interface ProgramPass {
    readonly name: PassName;
    /** Whether the run lets it be done at all. */
    readonly needs: (planning: Planning) => boolean;
    /** The new strata, or the given ones; relations are changed in the plan, which is the pass's own copy. */
    readonly run: (plan: DraftPlan, planning: Planning) => Rewritten;
}

interface Rewritten {
    readonly strata: readonly PlanStratum[];
    /** The relations that no longer have all of their rows. */
    readonly partial?: Iterable<PredicateKey>;
}

/** In the order in which they run. */
const PROGRAM_PASSES: readonly ProgramPass[] = [
    {
        name: 'idle-casts',
        needs: ({ isPlain }) => isPlain,
        run: ({ strata, relations }) => {
            dropIdleCasts(strata, relations);
            return { strata };
        },
    },
    {
        name: 'rule-inlining',
        needs: ({ isPlain, wanted, isProfiled }) => isPlain && wanted !== undefined && !isProfiled,
        run: (plan, { wanted = NONE }) => ({ strata: inlineRules(plan.strata, plan, wanted) }),
    },
    {
        name: 'dead-columns',
        needs: ({ isPlain, wanted }) => isPlain && wanted !== undefined,
        run: (plan, { wanted = NONE }) => {
            const { strata, narrow } = dropDeadColumns(plan.strata, plan, wanted);
            return { strata, partial: narrow };
        },
    },
    {
        name: 'parts',
        needs: ({ isPlain }) => isPlain,
        run: ({ strata, relations, program }) => ({ strata: strata.map(stratum => withFactsApart(stratum, program, relations)) }),
    },
    {
        name: 'magic-sets',
        needs: ({ isPlain, complete }) => isPlain && complete !== undefined,
        run: (plan, { complete = NONE, look }) => addMagicSets(plan.strata, { ...plan, look }, complete),
    },
    {
        name: 'shared-prefixes',
        needs: ({ isPlain }) => isPlain,
        run: ({ strata, relations, trees }) => ({ strata: uniteStrata(sharePrefixes(strata, relations, trees), relations) }),
    },
    {
        name: 'helper-relations',
        needs: () => true,
        run: ({ strata, relations }, { look }) => ({ strata: strata.map(looking(look, stratum => withHelpers(stratum, relations))) }),
    },
    {
        name: 'parts',
        needs: () => true,
        run: (plan, { look }) => ({ strata: plan.strata.map(looking(look, stratum => inParts(stratum, plan))) }),
    },
    {
        name: 'live-cardinalities',
        needs: ({ disabled }) => !disabled.has('join-order'),
        run: ({ strata }) => ({
            strata: strata.map(stratum => (stratum.recursive && hasOrders(stratum.rules) ? { ...stratum, ordersAnew: true } : stratum)),
        }),
    },
    {
        name: 'parts',
        needs: ({ wanted }) => wanted !== undefined,
        run: ({ strata, relations, constraints }, { wanted = NONE }) => {
            const forgetting = forgetParts(strata, constraints, wanted, relations);
            return {
                strata: forgetting,
                partial: forgetting.flatMap(({ execution }) => (isInParts(execution) ? [...execution.parts.forgotten] : [])),
            };
        },
    },
];

const NONE: ReadonlySet<PredicateKey> = new Set();

/** What the passes make of a plan; it names those that changed it. */
export function rewritten(plan: Plan, planning: Planning): Plan {
    let before = plan;
    for (const { name, needs, run } of PROGRAM_PASSES) {
        if (planning.disabled.has(name) || !needs(planning)) continue;
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

function looking(look: () => void, rewrite: (stratum: PlanStratum) => PlanStratum): (stratum: PlanStratum) => PlanStratum {
    return stratum => {
        look();
        return stratum.recursive ? rewrite(stratum) : stratum;
    };
}

function withHelpers(stratum: PlanStratum, relations: Map<PredicateKey, PlanRelation>): PlanStratum {
    const { rules, helpers } = addHelperRelations(stratum.rules, relations);
    return helpers.length === 0 ? stratum : { ...stratum, relations: [...helpers, ...stratum.relations], rules };
}

/** Parts start with nothing in their relations, and have no rounds that all facts share. */
function inParts(stratum: PlanStratum, plan: DraftPlan): PlanStratum {
    const { relations, heights, rewrites } = plan;
    const filled = stratum.relations.map(key => relations.get(key)!);
    if (heights || rewrites || stratum.growing || stratum.relations.some(isHelper)) return stratum;
    if (filled.some(relation => startsWithFacts(relation, relations)) || stratum.rules.some(rule => isTested(rule, plan))) return stratum;
    const parts = addParts(stratum.rules, stratum.relations, relations);
    if (parts === undefined) return stratum;
    const [{ key, arity, groups, columns }] = filled as [PlanRelation];
    const arePairs = filled.length === 1 && arity === 2 && groups === undefined && !columns.some(({ cast }) => cast);
    if (!arePairs) return { ...stratum, execution: { kind: 'parts', parts } };
    return { ...stratum, execution: { kind: 'sources', parts, relation: key, column: parts.columns.get(key) === 0 ? 0 : 1 } };
}
