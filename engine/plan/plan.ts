import { isGraphFunction } from '#language/library/relation-options.ts';
import type { GraphFunctionName } from '#language/library/relation-question.ts';
import type { AggregateFamily, AggregateName } from '#language/program/aggregates.ts';
import type {
    AnalysedProgram,
    AnalysedRule,
    Bind,
    Column,
    Predicate,
    PredicateKey,
    QueryTable,
} from '#language/program/analysed-program.ts';
import type { EmbeddedSql } from '#language/program/embedded-sql.ts';
import type { Atom, Call, Constant, Expression } from '#language/program/program.ts';
import type { ClausePlace, Location, Span } from '#language/program/span.ts';
import type { Type } from '#language/program/types.ts';
import type { NullSource } from '../values/null-store.ts';

/** The rows of a relation that a rule reads in a round: those of earlier rounds, those of the last round, or both. */
export type RowRange = 'old' | 'delta' | 'all';

/**
 * The computation of a program as data, before decisions about its execution. Rules with aggregates are split in two if 5.2 asks for it. So
 * every rule here either adds rows or contributes to the groups of one relation.
 */
export interface Plan {
    readonly program: AnalysedProgram;
    readonly relations: ReadonlyMap<PredicateKey, PlanRelation>;
    readonly strata: readonly PlanStratum[];
    /** The bodies of the constraints, each with one output of its matches; checked when all strata are complete. */
    readonly constraints: readonly PlanRule[];
    /** The predicates whose facts belong to derivation trees and are subject to the isomorphism test (D-29). */
    readonly trees: ReadonlySet<PredicateKey>;
    /** The predicates that have only the rows which someone asks for. */
    readonly partial: ReadonlySet<PredicateKey>;
    /** Every fact keeps its height. */
    readonly heights: boolean;
    /** Equality heads may replace values in rows that are there. */
    readonly rewrites: boolean;
    /** The passes over the whole program that made something of it, in their order. */
    readonly changedBy: ReadonlySet<string>;
}

export interface PlanRelation {
    /** A predicate's own key, or one that no predicate can have, for rows that are internal to the plan. */
    readonly key: PredicateKey;
    readonly arity: number;
    readonly columns: readonly Column[];
    /** The predicate whose rows these are; of an internal relation, the one that it serves. */
    readonly predicate: Predicate;
    readonly internal: boolean;
    readonly level: PlanLevel;
    /** Present when rows are groups: one row per key. */
    readonly groups?: PlanGroups;
    /** Present when the rows are the answer of a relation function, the result of a query, or what a script returns. */
    readonly call?: PlanCall;
    /** The rows are values that another relation is asked for. */
    readonly isDemand?: true;
    /** Present where rules need less than all of what the sources of the predicate have. */
    readonly needs?: PlanNeeds;
}

/** The needed columns and rows of sources. */
export interface PlanNeeds {
    /** The columns of the predicate that are read, ascending: the relation has no others. */
    readonly columns: readonly number[];
    /** A row that meets all conditions of one of these lists may be needed, and no other; absent where all may be. */
    readonly rows?: readonly (readonly PlanCondition[])[];
    /** One row is as good as all. */
    readonly anyRow?: true;
}

/** A condition on a row, in the terms of rules: a row whose value is unknown meets `is null` alone. */
export type PlanCondition = { readonly column: number } & (
    | { readonly test: ValueTest; readonly value: Expression; readonly place: ClausePlace }
    | { readonly test: NullTest }
);

export type ValueTest = '=' | '!=' | '<' | '<=' | '>' | '>=';
export type NullTest = 'is null' | 'is not null';

/** A relation function over a finished relation (7.1), a SQL query over several (10), a script (12.2), queries that are asked for values (8.6), or a function of the host. */
export type PlanCall = GraphCall | ModelCall | QueryCall | ScriptCall | AskedCall | ProvidedCall;

export interface GraphCall extends RelationCallParts {
    readonly function: GraphFunctionName;
}

export interface ModelCall extends RelationCallParts {
    readonly function: 'LLM';
    /** Relations whose facts around the values of a row go to the model. */
    readonly facts: readonly PredicateKey[];
}

export interface QueryCall {
    readonly function: 'SQL';
    readonly sql: EmbeddedSql;
    readonly tables: readonly QueryTable[];
    readonly place: ClausePlace;
}

export interface ScriptCall {
    readonly function: 'python:run';
    readonly script: string;
    /** The variables of the head, by which rows are matched to columns. */
    readonly columns: readonly string[];
    readonly location: Location;
}

/**
 * Query binds of a predicate that take values of its columns. They are asked for those that have come whenever a stratum lists the
 * relation; their answers are rows of it, beside its facts.
 */
export interface AskedCall {
    readonly function: 'qbind';
    /** The relation of the values: one column for each of `columns`, which count those of the predicate from 0. */
    readonly input: PredicateKey;
    readonly columns: readonly number[];
    readonly binds: readonly Bind[];
}

/** A call in a rule that the host answers. The relation has the values of its variables and, in a column more, that of the call. */
export interface ProvidedCall {
    readonly function: 'provided';
    /** As hosts know it. */
    readonly name: string;
    readonly call: Call;
    /** The index of the rule that it stands in. */
    readonly rule: number | undefined;
    /** The relation of the values: one column for each of `variables`, or one that says nothing where there are none. */
    readonly input: PredicateKey;
    readonly variables: readonly string[];
    readonly types: ReadonlyMap<string, Type>;
    /** The predicate of the program that the call searches: then no host is asked. */
    readonly searched?: PredicateKey | undefined;
    readonly place: ClausePlace;
}

export function isGraphCall(call: PlanCall): call is GraphCall {
    return isGraphFunction(call.function);
}

/** The relations that have to be complete before a call is answered; what queries and hosts are asked for may grow. */
export function inputsOf(call: PlanCall): readonly PredicateKey[] {
    if (call.function === 'python:run') return [];
    if (call.function === 'provided' && call.searched !== undefined) return [call.input, call.searched];
    if (call.function === 'LLM') return [call.input, ...call.facts];
    return call.function === 'SQL' ? call.tables.map(({ predicate }) => predicate) : [call.input];
}

interface RelationCallParts {
    readonly input: PredicateKey;
    readonly options?: Extract<Constant, { kind: 'string' }>;
    readonly location: Location;
}

/** Parts of joins, what one rule's own aggregates make, what several rules share, and predicates: each may read the ones before. */
export type PlanLevel = (typeof LEVELS)[number];

export const LEVELS = ['helpers', 'groups of a rule', 'shared groups', 'predicates'] as const;

export interface PlanGroups {
    readonly keys: readonly number[];
    readonly aggregates: readonly PlanAggregate[];
    /** Only the groups with the largest value are rows (`maxcount`). */
    readonly largestOnly: boolean;
    /** Present where groups change while they are read: results go on from what they were, or are computed from all contributions again. */
    readonly totals?: 'running' | 'recomputed';
}

export interface PlanAggregate {
    readonly column: number;
    /** The family: `msum` for `msum` and `sum`. */
    readonly family: AggregateFamily;
    /** The name as written, for reports. */
    readonly name: AggregateName;
    /** Whether integer results must fit 64 bits or are rounded to doubles; `any` where the types do not tell. */
    readonly numbers: 'integer' | 'double' | 'any';
    /** The static type of the result. */
    readonly type: Type;
    readonly place: ClausePlace;
    readonly span: Span;
}

export interface PlanStratum {
    /** Relations that are computed here. */
    readonly relations: readonly PredicateKey[];
    readonly rules: readonly PlanRule[];
    readonly recursive: boolean;
    readonly growing: boolean;
    /** A recursion through groups, and whether its final pass (5.5.1, step 4) can change anything. */
    readonly finalPass: 'none' | 'needed' | 'without effect';
    /** The joins are ordered anew where the relations that the stratum fills have got far larger or smaller than was thought. */
    readonly ordersAnew?: true;
    readonly execution: StratumExecution;
    /** Present at the end of a level of strata that has equality heads; such a stratum has nothing else. */
    readonly equalities?: PlanEqualities;
}

/** How the rules of a stratum come to their fixpoint. */
export type StratumExecution =
    /** All rules once, of which those that begin with the same steps take these together; there is nothing recursive. */
    | { readonly kind: 'once' }
    /** All rules in rounds, each from what the round before has found (semi-naive evaluation). */
    | { readonly kind: 'rounds' }
    /** As in rounds, each from the facts of one height, in whatever relations they are. */
    | { readonly kind: 'heights' }
    /** In rounds for some values of one column at a time. */
    | { readonly kind: 'parts'; readonly parts: PlanParts }
    /** For one value after another, in whatever order rows come: `relation` has pairs, and `column` the values. */
    | { readonly kind: 'sources'; readonly parts: PlanParts; readonly relation: PredicateKey; readonly column: 0 | 1 };

export const IN_ROUNDS: StratumExecution = { kind: 'rounds' };

export function isInParts(execution: StratumExecution): execution is Extract<StratumExecution, { readonly parts: PlanParts }> {
    return execution.kind === 'parts' || execution.kind === 'sources';
}

/** The values of one column, taken from part to part unchanged by all recursive rules. */
export interface PlanParts {
    /** The column of each relation of the stratum. */
    readonly columns: ReadonlyMap<PredicateKey, number>;
    /** The relation that holds the values. */
    readonly values: PredicateKey;
    /** The rules that fill it: those without recursive literals, with the value alone in the head. */
    readonly sources: readonly PlanRule[];
    /** The rules without recursive literals, each with a literal more, which is the part: values that its delta holds. */
    readonly starts: ReadonlyMap<PlanRule, PlanRule>;
    /** The relations whose rows are not read once their part is complete. */
    readonly forgotten: ReadonlySet<PredicateKey>;
}

/** Equality heads to be applied until nothing changes (4.8). */
export interface PlanEqualities {
    /**
     * Rules that have one output: the two values of their matches. Those of a later list are matched where those before
     * replace nothing more.
     */
    readonly turns: readonly (readonly PlanRule[])[];
    /** Indexes of the strata whose rules run again where something was replaced. */
    readonly strata: readonly number[];
}

export interface PlanRule {
    /** The rule of the program; absent where facts and source rows are contributed or copied. */
    readonly source?: AnalysedRule;
    readonly place: ClausePlace;
    readonly span: Span;
    /** Positive and negated ones. */
    readonly literals: readonly PlanLiteral[];
    /** Registers that hold one value throughout. */
    readonly constants: readonly PlanDefinition[];
    /** Conditions; all hold for a match. */
    readonly filters: readonly Expression[];
    /** In an order in which each right side is bound by the literals and the assignments before it. */
    readonly assignments: readonly PlanDefinition[];
    /** Variables that no match may bind to a labelled null (`dom(*)`). */
    readonly constantsOnly: readonly string[];
    /** Existential variables, whose nulls are made when a match is complete. */
    readonly inventions: readonly PlanInvention[];
    /** Index of the literal whose fact is the parent of what the rule derives, where derivation trees are kept (D-29). */
    readonly parent?: number;
    readonly outputs: readonly PlanOutput[];
    /** Static types, for synthetic variables too. */
    readonly types: ReadonlyMap<string, Type>;
}

/** Whether what a rule derives is subject to the isomorphism test (D-29). */
export function isTested({ outputs }: PlanRule, { trees }: Pick<Plan, 'trees'>): boolean {
    return outputs.some(({ relation }) => trees.has(relation));
}

/** Whether a rule contributes facts and source rows to groups, which is done before the first round. */
export function contributesFacts({ source, outputs }: PlanRule): boolean {
    return source === undefined && outputs.some(({ kind }) => kind === 'contribute');
}

export interface PlanDefinition {
    readonly variable: string;
    readonly value: Expression;
    /** The value is a collection, and the variable takes each of its elements in turn. */
    readonly exploded?: true;
    /** The clause that the value stands in, where it is not that of the rule. */
    readonly place?: ClausePlace;
}

/** One null for each value of the frontier. */
export interface PlanInvention {
    readonly variable: string;
    readonly source: NullSource;
    readonly frontier: readonly string[];
}

export interface PlanLiteral {
    readonly relation: PredicateKey;
    readonly negated: boolean;
    /** One per column of the relation. */
    readonly terms: readonly PlanTerm[];
    /** The relation is computed in the stratum of the rule. */
    readonly recursive: boolean;
    /** The atom of the program that it stands for; absent where the planner made it. */
    readonly written?: WrittenAtom;
}

export interface WrittenAtom {
    readonly atom: Atom;
    readonly place: ClausePlace;
}

/** The literals of a rule that reads them once more, for its own ends: none of them stands for an atom. */
export function unwritten(literals: readonly PlanLiteral[]): PlanLiteral[] {
    return literals.map(({ written: _, ...literal }) => literal);
}

/** A variable may be synthetic; then its name starts with `$`. */
export type PlanTerm = { readonly kind: 'variable'; readonly name: string } | { readonly kind: 'anonymous' };

/** Adds a row. */
export interface PlanEmit {
    readonly kind: 'emit';
    readonly relation: PredicateKey;
    readonly terms: readonly string[];
}

export type PlanOutput =
    | PlanEmit
    | {
          readonly kind: 'contribute';
          readonly relation: PredicateKey;
          readonly keys: readonly string[];
          /** One per aggregate of the relation. */
          readonly contributions: readonly PlanContribution[];
      }
    /** Hands each match to what asked for it; the relation stands for them and has no rows. */
    | { readonly kind: 'match'; readonly relation: PredicateKey; readonly terms: readonly string[] };

export interface PlanContribution {
    /** The contributed variable; absent for `mcount()`. */
    readonly value?: string;
    /** `one`: a value that is not null counts one. `value`: the value itself counts. */
    readonly counts: 'one' | 'value';
    /** Two contributions are one if they agree in these variables, in nothing, or in the facts of the match. */
    readonly contributors: readonly string[] | 'each match' | 'facts of the match';
}

/** The order in which one rule is run: the steps of nested loops, with the delta of one literal first where there is one. */
export interface OrderedRule {
    readonly rule: PlanRule;
    /** Index of the literal whose delta starts the loops. */
    readonly delta?: number;
    readonly steps: readonly PlanStep[];
}

export interface PlanVariant extends OrderedRule {
    /** How the steps are run, but for those of kind `any match` that come first. */
    readonly execution: Execution;
}

/** How matches are found, and what they derive is added. */
export type Execution =
    /** One match after another, in nested loops (tuple at a time). */
    | { readonly kind: 'rows' }
    /** Many matches at once go through each step (vectorised); few, by their number when the rule runs, one after another. */
    | PlanBatches
    /** With the values of one head variable as runs: those that the literal read last has for a match. */
    | (RunHead & { readonly kind: 'runs'; readonly read: IndexRead; readonly from: RunSource })
    /** The new rows with the same other values are a run; no literal reads the variable. */
    | (RunHead & { readonly kind: 'delta runs'; readonly delta: PlanRead })
    /** The values that a literal has for all new rows with the same other values are collected once, and added for each match of the rest (factorised). */
    | (RunHead & { readonly kind: 'factored'; readonly delta: PlanRead; readonly read: IndexRead })
    /** The rows of one source are followed as they come, with the values that a literal has for many of them collected. */
    | (RunHead & { readonly kind: 'followed'; readonly delta: PlanRead; readonly read: IndexRead });

export interface PlanBatches {
    readonly kind: 'batches';
    readonly first: PlanRead;
    /** The first literal is read by the values of this column. */
    readonly order?: number;
    /** The relations that, while they are empty when the rule begins, get rows which need not be told apart. */
    readonly appended: ReadonlySet<PredicateKey>;
}

/** Rows that differ in one column of a head are added at once. */
export interface RunHead {
    readonly output: PlanEmit;
    readonly column: number;
}

/**
 * Neighbours in the index of a complete relation, chains in the index of one that grows, or of such a one whole sets of values: where
 * both relations have grouped sets by then, else chains.
 */
type RunSource = 'clusters' | 'chains' | 'sets';

export type PlanStep =
    | PlanRead
    | (Omit<PlanRead, 'kind' | 'range' | 'exists'> & { readonly kind: 'absent' })
    | { readonly kind: 'filter'; readonly condition: Expression }
    | { readonly kind: 'assign'; readonly definition: PlanDefinition }
    /** Goes on when these conditions on a changed group hold, and did not hold or were not asked when it last changed. */
    | { readonly kind: 'crossing'; readonly literal: number; readonly conditions: readonly Expression[] }
    | { readonly kind: 'constants only' }
    /** Literals that one variable, which the first one binds, has to satisfy at once. */
    | { readonly kind: 'intersect'; readonly reads: readonly PlanRead[] }
    /** Goes on once when these steps have a match. */
    | { readonly kind: 'any match'; readonly steps: readonly PlanStep[] }
    | { readonly kind: 'invent'; readonly invention: PlanInvention }
    | { readonly kind: 'output' }
    /** Goes on in each of these variants from step number `at`; all begin with the steps before this one. */
    | { readonly kind: 'fork'; readonly at: number; readonly branches: readonly PlanBranch[] };

export interface PlanBranch {
    readonly variant: OrderedRule;
    /** Names in the earlier steps for the variables of the rule that have a value by now and are needed. */
    readonly names: ReadonlyMap<string, string>;
}

export interface PlanRead {
    readonly kind: 'read';
    readonly literal: number;
    readonly range: RowRange;
    readonly access: Access;
    /** Columns whose value goes to a register. */
    readonly binds: readonly ColumnRegister[];
    /** Columns whose value must be that of a register which is bound by now; a repeated variable of the atom is bound by its first column. */
    readonly checks: readonly ColumnRegister[];
    /** One matching row is enough: nothing after this step depends on which. */
    readonly exists: boolean;
}

export interface IndexRead extends PlanRead {
    readonly access: IndexAccess;
}

export interface ColumnRegister {
    readonly column: number;
    readonly variable: string;
}

/** The way to the rows of a literal. The variables stand in the order of the columns. */
export type Access =
    | { readonly kind: 'scan' }
    /** The groups that changed in the last round. */
    | { readonly kind: 'changed' }
    | IndexAccess
    /** The one row with this key. */
    | { readonly kind: 'key'; readonly variables: readonly string[] };

export interface IndexAccess {
    readonly kind: 'index';
    readonly columns: readonly number[];
    readonly variables: readonly string[];
}

/** True if the facts of a match distinguish its contributions from those of another. */
export function countsByFacts(output: PlanOutput): boolean {
    return output.kind === 'contribute' && output.contributions.some(({ contributors }) => contributors === 'facts of the match');
}
