import type { AnalysedProgram, AnalysedRule, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database } from '../database.ts';
import { surroundings } from '../evaluate/builtins/surroundings.ts';
import { Casts } from '../evaluate/casts.ts';
import { Checkpoint } from '../evaluate/checkpoint.ts';
import { TreeSets } from '../evaluate/derivation-trees.ts';
import { missingParameter } from '../evaluate/parameters.ts';
import { type RunContext, relationOf } from '../evaluate/run-context.ts';
import { evaluateStratum } from '../evaluate/semi-naive.ts';
import { Vectors } from '../evaluate/vectors.ts';
import { stopAtLimit } from '../limit-reached.ts';
import { factsKey } from '../plan/facts-relation.ts';
import type { PlanRelation } from '../plan/plan.ts';
import { planProgram } from '../plan/plan-program.ts';
import type { PassName } from '../plan/program-passes.ts';
import { Relation } from '../relations/relation.ts';
import type { Rows } from '../relations/rows.ts';
import { RunStopped } from '../reports.ts';
import { Memory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import { decidedByChance } from './decided-by-chance.ts';
import { endsSearch, type Steps } from './steps.ts';

/** What a trial changes about a program. */
export interface Change {
    /** A rule that takes the place of the one with its index. */
    readonly rule?: AnalysedRule;
    /** A fact that is given as well, or in place of another one of its predicate. */
    readonly fact?: { readonly predicate: PredicateKey; readonly values: readonly ValueId[]; readonly insteadOf?: readonly ValueId[] };
}

/** The facts of the predicates that a trial was made for. */
export type TrialFacts = (predicate: PredicateKey) => Rows | undefined;

/** Bytes of a trial. */
const LARGEST = 2 ** 28;
/** A trial may have this many times the facts of the run, and some more. */
const GROWTH = 2;
const SPARE = 5_000;
/** Batches of rows, rounds, and nulls inside nulls of a trial. */
const CHECKS = 200;
const ROUNDS = 1_000;
const NULL_DEPTH = 5;

/**
 * Evaluates again what depends on a change, over the relations of a finished run, as far as some predicates need it, and
 * gives the facts of these; the ids of values stay what they are. Undefined where the run is stopped: by a limit, or by an error that the changed program has.
 */
export function trialRun(database: Database, { rule, fact }: Change, goals: readonly PredicateKey[], steps: Steps): TrialFacts | undefined {
    const changed = new Set<PredicateKey>([
        ...(rule?.heads.map(head => head.predicate) ?? []),
        ...(fact === undefined ? [] : [fact.predicate]),
    ]);
    const affected = dependents(database.program, changed);
    const unchanged: TrialFacts = key => database.relation(key);
    if (!goals.some(goal => affected.has(goal))) return unchanged;
    const predicates = new Map<PredicateKey, Predicate>();
    for (const [key, predicate] of database.program.predicates)
        predicates.set(key, affected.has(key) ? predicate : { ...predicate, rules: [] });
    const rules = rule === undefined ? database.program.rules : database.program.rules.map(one => (one.index === rule.index ? rule : one));
    const strata = database.program.strata.filter(stratum => stratum.predicates.some(key => affected.has(key)));
    const program: AnalysedProgram = { ...database.program, predicates, rules, strata };
    try {
        const context = contextOf(
            database,
            program,
            goals.filter(goal => affected.has(goal)),
            // Parts start with nothing in their relations.
            fact === undefined ? [] : ['parts'],
            steps,
        );
        const isAsked = ({ call }: PlanRelation): boolean => call?.function === 'LLM' || call?.function === 'provided';
        if ([...context.plan.relations.values()].some(isAsked)) return undefined;
        for (const { key, predicate, internal } of context.plan.relations.values())
            if (!internal) give(context, database, predicate, affected.has(key), fact);
        for (const stratum of context.plan.strata) evaluateStratum(stratum, { stratum: 1, strata: 1 }, context);
        return key => (affected.has(key) ? context.relations.get(key) : unchanged(key));
    } catch (thrown) {
        if (!(thrown instanceof RunStopped) || endsSearch(thrown)) throw thrown;
        return undefined;
    }
}

/** Whether a second run would do the same as the first: it has no equality heads and asks nothing of the world. */
export function canTry({ program }: Database): boolean {
    return program.rules.every(rule => {
        const byChance = decidedByChance(rule, program.libraryPrefixes);
        const values = [...rule.assignments.map(({ value }) => value), ...rule.conditions.map(({ expression }) => expression)];
        const { head, body } = rule.rule;
        const isAnswered = sqlOf(rule.rule) !== undefined || body.kind === 'script';
        return head.kind !== 'equality' && !isAnswered && !values.some(byChance);
    });
}

function contextOf(
    database: Database,
    program: AnalysedProgram,
    goals: readonly PredicateKey[],
    disabled: readonly PassName[],
    steps: Steps,
): RunContext {
    const { dictionary, parameters } = database;
    // A changed rule may have left a recursion whose stratum stays one.
    const together = program.strata.flatMap(({ recursive, predicates }) => (recursive ? predicates : []));
    const plan = planProgram(program, {
        goals: new Set([...goals, ...together]),
        constraints: false,
        allFacts: true,
        disabledPasses: new Set(disabled),
    });
    const relations = new Map<PredicateKey, Relation>();
    const known = [...program.predicates.keys()].reduce((sum, key) => sum + (database.relation(key)?.count ?? 0), 0);
    let checks = 0;
    const options = {
        parameters: new Map(),
        limits: { maxMemory: LARGEST, maxFacts: GROWTH * known + SPARE, maxRounds: ROUNDS, maxNullDepth: NULL_DEPTH, isoDepth: 1 },
        connectors: { source: () => undefined, sink: () => undefined },
        cancelled: () => {
            steps.check();
            return ++checks > CHECKS ? say`It takes too long` : undefined;
        },
        clock: () => 0,
    };
    const memory = new Memory(
        LARGEST,
        () => 0,
        () => stopAtLimit('memory', 0, undefined),
    );
    const facts = (): number => [...relations.values()].reduce((sum, one) => sum + one.count, 0);
    return {
        plan,
        options,
        dictionary,
        memory,
        vectors: new Vectors(memory),
        relations,
        groups: new Map(),
        matches: new Map(),
        lineages: new Map(),
        asked: new Map(),
        replies: new Map(),
        ...(plan.trees.size === 0 ? {} : { trees: new TreeSets(memory) }),
        checkpoint: new Checkpoint(options, { memory, facts, growing: () => undefined, filling: () => undefined }),
        casts: new Casts(dictionary),
        parameter: name => {
            const value = parameters.get(name);
            return value === undefined ? missingParameter(name) : { value, type: MIXED };
        },
        parameters: () => new Map(),
        surroundings: surroundings({ seed: 1, now: () => 0 }),
        report: () => undefined,
    };
}

/** The rows that a predicate has before any rule. */
function give(context: RunContext, database: Database, predicate: Predicate, isAffected: boolean, fact: Change['fact']): void {
    const { key } = predicate;
    const rows = database.relation(key);
    const isGivenMore = fact !== undefined && fact.predicate === key;
    if (!isAffected || (predicate.rules.length === 0 && !isGivenMore)) {
        if (rows instanceof Relation) context.relations.set(key, rows);
        return;
    }
    const base = factsKey(key);
    const hasBase = context.plan.relations.has(base);
    const relation = relationOf(context, hasBase ? base : key);
    const from = hasBase ? database.relation(base) : rows;
    const row = new Int32Array(relation.arity);
    for (let index = 0; index < (from?.count ?? 0); index++) {
        if (!hasBase && predicate.rules.length > 0 && (from!.notes?.heights?.[index] ?? 0) > 0) continue;
        for (let column = 0; column < row.length; column++) row[column] = from!.columns[column]![index]!;
        if (isGivenMore && fact.insteadOf !== undefined && row.every((value, column) => value === fact.insteadOf![column])) continue;
        relation.add(row);
    }
    if (isGivenMore) relation.add(Int32Array.from(fact.values));
}

/** The predicates whose facts depend on those of some, which are among them. */
export function dependents(program: AnalysedProgram, changed: ReadonlySet<PredicateKey>): ReadonlySet<PredicateKey> {
    const affected = new Set(changed);
    for (let before = -1; before < affected.size; ) {
        before = affected.size;
        for (const { heads, literals, reads } of program.rules) {
            const isAffected = literals.some(({ predicate }) => affected.has(predicate)) || reads.some(one => affected.has(one));
            if (isAffected) for (const head of heads) affected.add(head.predicate);
        }
    }
    return affected;
}
