import type { Bind, PredicateKey } from '#language/program/analysed-program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import type { QueryLineage } from '../contracts/lineage.ts';
import type { ProvidedReply } from '../contracts/providers.ts';
import type { RunOptions } from '../contracts/run-options.ts';
import type { Plan, PlanRelation, PlanRule } from '../plan/plan.ts';
import type { PlannerInput } from '../plan/planner.ts';
import { Relation } from '../relations/relation.ts';
import type { Report } from '../reports/reports.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { Memory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import type { Surroundings } from './builtins/surroundings.ts';
import type { Casts } from './casts.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { TreeSets } from './derivation-trees.ts';
import { Groups } from './groups.ts';
import type { Registers } from './registers.ts';
import type { Profile } from './rule-profile.ts';
import type { Scope } from './scope.ts';
import type { StratumChase } from './stratum-chase.ts';
import type { TellValueless } from './valueless-groups.ts';
import type { Vectors } from './vectors.ts';

/** The value of a parameter in this run. */
export interface ParameterValue {
    readonly value: ValueId;
    readonly type: Type;
}

/** Values that a query was asked for; with its rows if they may be needed again. */
export type Asked = Map<string, readonly (readonly ValueId[])[]>;

/** Takes the values of the terms of a match, and the rows of the positive literals in their order. Both are used again. */
export type FoundMatch = (values: Int32Array, rows: Int32Array) => void;

/** The treatment of matches for which an expression has no value. */
export interface Careful {
    /** Nothing is derived: failures are only looked for. */
    readonly isDry: boolean;
    /** Whether a report comes from the values of a match, so that it waits until all else is known to hold. */
    isSought(failure: Report): boolean;
    /** All else holds in the match that these registers of a rule have. */
    found(rule: PlanRule, registers: Registers, failure: Report): void;
}

/** State that all parts of one run share. */
export interface RunContext {
    readonly plan: Plan;
    readonly options: RunOptions;
    readonly dictionary: Dictionary;
    readonly memory: Memory;
    readonly vectors: Vectors;
    readonly checkpoint: Checkpoint;
    readonly casts: Casts;
    readonly relations: Map<PredicateKey, Relation>;
    readonly groups: Map<PredicateKey, Groups>;
    /** Actions for the matches of equality heads and constraints, by the relation of their output. */
    readonly matches: Map<PredicateKey, FoundMatch>;
    /** Of the results of queries, where heights are kept. */
    readonly lineages: Map<PredicateKey, QueryLineage>;
    /** The derivation trees of the run, where the isomorphism test applies (D-29). */
    readonly trees?: TreeSets;
    /** The test in the stratum that runs. */
    readonly chase?: StratumChase;
    /** Present where rules are counted and timed. */
    readonly profile?: Profile;
    /** Present where what fails counts only in matches in which all else holds. */
    readonly careful?: Careful;
    /** Values that the queries which take values were asked for. */
    readonly asked: Map<Bind, Asked>;
    /** Replies of the host in this run, by function and arguments. */
    readonly replies: Map<string, ProvidedReply>;
    readonly parameter: (name: string) => ParameterValue;
    /** Parameters that have a value. */
    readonly parameters: () => ReadonlyMap<string, ParameterValue>;
    readonly surroundings: Surroundings;
    readonly report: (report: Report) => void;
    /** Hears of the groups that a relation has left out, whenever it is finished. */
    readonly valueless: TellValueless;
    /** Hears of each end of a round, or of a level within one, with the relations that the stratum fills. */
    readonly roundEnded?: (filled: ReadonlyMap<PredicateKey, Relation>) => void;
}

/** The relation of a key, made when it is first asked for. */
export function relationOf(context: RunContext, key: PredicateKey): Relation {
    let relation = context.relations.get(key);
    if (relation === undefined) {
        const plan = planOf(context, key);
        relation = new Relation(plan.arity, context.memory, plan.groups?.keys);
        if (context.options.disabledPasses?.has('grouped-sets')) relation.useTable();
        context.relations.set(key, relation);
    }
    return relation;
}

/** The groups of an aggregated relation of the stratum that runs. */
export function groupsOf(context: RunContext, key: PredicateKey): Groups {
    let groups = context.groups.get(key);
    if (groups === undefined) {
        groups = newGroups(context, key, relationOf(context, key));
        context.groups.set(key, groups);
    }
    return groups;
}

export function newGroups(context: RunContext, key: PredicateKey, relation: Relation): Groups {
    const plan = planOf(context, key);
    const typeOf = (column: number): Type => plan.groups?.aggregates.find(one => one.column === column)?.type ?? MIXED;
    const casts = plan.columns.map((_, column) => context.casts.castTo(plan, column, typeOf(column)));
    return new Groups(plan, relation, casts, context);
}

export function planOf(context: RunContext, key: PredicateKey): PlanRelation {
    const plan = context.plan.relations.get(key);
    if (plan === undefined) throw new Error(`No relation ${key}`);
    return plan;
}

/** How rules are planned that read all rows of the relations as they are. */
export function plannerInput(context: RunContext): PlannerInput {
    const { plan, options } = context;
    return {
        plan,
        estimate: key => ({ rows: relationOf(context, key).count, distinct: [] }),
        moving: () => false,
        disabledPasses: options.disabledPasses ?? new Set(),
    };
}

/** The scope of expressions without variables. */
export function constantScope(context: RunContext, place: ClausePlace): Scope {
    const prefixes = context.plan.program.libraryPrefixes;
    return {
        dictionary: context.dictionary,
        place,
        slot: variable => {
            throw new Error(`Variable ${variable} has no value`);
        },
        type: () => MIXED,
        parameter: context.parameter,
        report: context.report,
        surroundings: context.surroundings,
        ...(prefixes === undefined ? {} : { libraryPrefixes: prefixes }),
    };
}
