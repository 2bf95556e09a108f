import type { AnalysedProgram, AnalysedRule, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import { EqualityClash } from '../contracts/clash.ts';
import type { Database } from '../contracts/database.ts';
import { surroundings } from '../evaluate/builtins/surroundings.ts';
import { Casts } from '../evaluate/casts.ts';
import { Checkpoint } from '../evaluate/checkpoint.ts';
import { TreeSets } from '../evaluate/derivation-trees.ts';
import { RewritingStrata } from '../evaluate/equality-heads.ts';
import { loadFacts } from '../evaluate/load.ts';
import { missingParameter } from '../evaluate/parameters.ts';
import { type RunContext, relationOf } from '../evaluate/run-context.ts';
import { evaluateStratum } from '../evaluate/semi-naive.ts';
import { Vectors } from '../evaluate/vectors.ts';
import { factsKey } from '../plan/facts-relation.ts';
import type { Plan } from '../plan/plan.ts';
import { planProgram } from '../plan/plan-program.ts';
import type { PassName } from '../plan/program-passes.ts';
import { Relation } from '../relations/relation.ts';
import type { Rows } from '../relations/rows.ts';
import { stopAtLimit } from '../reports/limit-reached.ts';
import { RunStopped } from '../reports/reports.ts';
import { Dictionary } from '../values/dictionary.ts';
import { Memory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import { decidedByChance } from './decided-by-chance.ts';
import type { HeadPattern } from './match-rule.ts';
import { endsSearch, type Steps } from './steps.ts';

/** What a trial changes about a program. */
export interface Change {
    /** Rules that take the places of those with their indexes. */
    readonly rules?: readonly AnalysedRule[];
    readonly facts?: readonly ChangedFact[];
}

/** A fact that is given as well, or in place of another one of its predicate; without values that one alone goes. */
export interface ChangedFact {
    readonly predicate: PredicateKey;
    readonly values?: readonly ValueId[];
    readonly insteadOf?: readonly ValueId[];
}

/** What a trial has derived of the predicates that it was made for. */
export interface Trial {
    facts(predicate: PredicateKey): Rows | undefined;
    /** Values of the first run as this one has them; undefined where there is no telling. */
    translated(values: HeadPattern): HeadPattern | undefined;
}

/** How a program can be evaluated again: as far as a change reaches, or as a whole, because equality heads replace values everywhere. */
export type Retrial = 'partly' | 'wholly';

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
export function trialRun(
    database: Database,
    change: Change,
    goals: readonly PredicateKey[],
    steps: Steps,
    retrial: Retrial = 'partly',
): Trial | undefined {
    try {
        return retrial === 'partly' ? runPartly(database, change, goals, steps) : runWholly(database, change, goals, steps);
    } catch (thrown) {
        if (thrown instanceof EqualityClash) return undefined;
        if (!(thrown instanceof RunStopped) || endsSearch(thrown)) throw thrown;
        return undefined;
    }
}

function runPartly(
    database: Database,
    { rules: changes = [], facts = [] }: Change,
    goals: readonly PredicateKey[],
    steps: Steps,
): Trial | undefined {
    const changed = new Set<PredicateKey>([
        ...changes.flatMap(({ heads }) => heads.map(head => head.predicate)),
        ...facts.map(({ predicate }) => predicate),
    ]);
    const affected = dependents(database.program, changed);
    const unchanged = (key: PredicateKey): Rows | undefined => database.relation(key);
    const translated = (values: HeadPattern): HeadPattern => values;
    if (!goals.some(goal => affected.has(goal))) return { facts: unchanged, translated };
    const predicates = new Map<PredicateKey, Predicate>();
    for (const [key, predicate] of database.program.predicates)
        predicates.set(key, affected.has(key) ? predicate : { ...predicate, rules: [] });
    const { rules, chase } = withRules(database.program, changes);
    const strata = database.program.strata.filter(stratum => stratum.predicates.some(key => affected.has(key)));
    const program: AnalysedProgram = { ...database.program, predicates, rules, chase, strata };
    const context = contextOf(
        database,
        program,
        goals.filter(goal => affected.has(goal)),
        // Parts start with nothing in their relations.
        facts.length === 0 ? [] : ['parts'],
        steps,
        database,
    );
    if (asksTheHost(context)) return undefined;
    for (const { key, predicate, internal } of context.plan.relations.values())
        if (!internal) give(context, database, predicate, affected.has(key), facts);
    evaluateChanged(context, database, changed, steps);
    return { facts: key => (affected.has(key) ? context.relations.get(key) : unchanged(key)), translated };
}

/** Evaluates what the changed predicates reach: a stratum that reads the same facts as before has the same ones. */
function evaluateChanged(context: RunContext, database: Database, changed: ReadonlySet<PredicateKey>, steps: Steps): void {
    const { strata, relations, trees } = context.plan;
    // Relations whose facts may not be those of the run, which has none of what is internal to the plan.
    const others = new Set(changed);
    for (const { key, internal } of relations.values()) if (internal) others.add(key);
    for (const stratum of strata) {
        const filled = new Set([...stratum.relations, ...stratum.rules.flatMap(rule => rule.outputs.map(({ relation }) => relation))]);
        const read = stratum.rules.flatMap(rule => rule.literals.map(({ relation }) => relation));
        const isSettled = trees.size === 0 && ![...filled, ...read].some(key => others.has(key));
        if (!isSettled) evaluateStratum(stratum, { stratum: 1, strata: 1 }, context);
        for (const key of filled) {
            if (relations.get(key)?.internal !== false) continue;
            const before = database.relation(key);
            if (isSettled) {
                if (before instanceof Relation) context.relations.set(key, asSet(before, context));
            } else if (isSame(before, context.relations.get(key), context, steps)) others.delete(key);
            else others.add(key);
        }
    }
}

function isSame(before: Rows | undefined, after: Relation | undefined, context: RunContext, { pause }: Steps): boolean {
    if (after === undefined || !(before instanceof Relation) || before.count !== after.count || before.arity !== after.arity) return false;
    const known = asSet(before, context);
    const row = new Int32Array(after.arity);
    for (let index = 0; index < after.count; index++) {
        for (let column = 0; column < row.length; column++) row[column] = after.columns[column]![index]!;
        if (known.find(row, pause) < 0) return false;
    }
    return true;
}

/** Evaluates the changed program from its facts: with values of its own, since those of the first run have been made equal. */
function runWholly(
    database: Database,
    { rules = [], facts = [] }: Change,
    goals: readonly PredicateKey[],
    steps: Steps,
): Trial | undefined {
    const program = { ...database.program, ...withRules(database.program, rules) };
    const dictionary = new Dictionary();
    const given = givenNulls(database, dictionary);
    const translate = (value: ValueId): ValueId | undefined => translatedValue(database.dictionary, dictionary, value, given);
    const parameters = new Map(
        [...database.parameters].flatMap(([name, value]) => {
            const translated = translate(value);
            return translated === undefined ? [] : [[name, translated] as const];
        }),
    );
    const context = contextOf(database, program, goals, [], steps, { dictionary, parameters });
    if (asksTheHost(context)) return undefined;
    for (const { predicate, internal } of context.plan.relations.values()) {
        if (internal) continue;
        const own = facts.filter(({ predicate: key }) => key === predicate.key);
        if (!giveAnew(context, database, predicate, own, translate)) return undefined;
    }
    const { strata } = context.plan;
    const rewriting = new RewritingStrata(context);
    const last = strata.findLastIndex(({ equalities }) => equalities !== undefined);
    for (const [index, stratum] of strata.entries()) {
        const position = { stratum: index + 1, strata: strata.length };
        if (index > last) evaluateStratum(stratum, position, context);
        else rewriting.evaluateAlone(stratum, index, position);
    }
    return {
        facts: key => context.relations.get(key),
        translated: values => {
            const all = values.map(value => (value === undefined ? undefined : translate(value)));
            return all.some((value, column) => value === undefined && values[column] !== undefined) ? undefined : all;
        },
    };
}

/** The nulls that sources gave, as another run has them. Those of facts that the program gives are made anew. */
function givenNulls({ program, relation, dictionary: from }: Database, to: Dictionary): ReadonlyMap<ValueId, ValueId> {
    const given = new Map<ValueId, ValueId>();
    const visit = (id: ValueId): void => {
        if (id >= 0 && from.isCollection(id)) from.membersOf(id).forEach(visit);
        else if (from.isNull(id) && !from.comesFromRule(id) && !given.has(id)) given.set(id, to.givenNull(given.size, from.isInvented(id)));
    };
    for (const { key, inputBinds, input } of program.predicates.values()) {
        if (inputBinds.length === 0 && !input) continue;
        const rows = relation(key);
        for (const column of rows?.columns ?? []) column.subarray(0, rows?.count).forEach(visit);
    }
    return given;
}

/** Changed rules in the place of those that they were, with the wards that they still have. */
function withRules({ rules: all, chase }: AnalysedProgram, changed: readonly AnalysedRule[]): Pick<AnalysedProgram, 'rules' | 'chase'> {
    const instead = (index: number): AnalysedRule | undefined => changed.find(rule => rule.index === index);
    const wardOf = ({ literals }: AnalysedRule, index: number, ward: number): number =>
        literals.findIndex(({ atom, negated }) => !negated && atom.span === all[index]!.literals[ward]!.atom.span);
    const facts = chase.rules.map(({ ward, ...one }, index) => {
        const rule = instead(index);
        const now = ward === undefined || rule === undefined ? ward : wardOf(rule, index, ward);
        return now === undefined || now < 0 ? one : { ...one, ward: now };
    });
    return { rules: all.map(rule => instead(rule.index) ?? rule), chase: { ...chase, rules: facts } };
}

function asksTheHost({ plan }: RunContext): boolean {
    return [...plan.relations.values()].some(({ call }) => call?.function === 'LLM' || call?.function === 'provided');
}

/** How a second run would do the same as the first; undefined where it asks something of the world, or goes by chance. */
export function retrialOf({ program, merges, dictionary }: Database): Retrial | undefined {
    const isFixed = program.rules.every(rule => {
        const byChance = decidedByChance(rule, program.libraryPrefixes);
        const values = [...rule.assignments.map(({ value }) => value), ...rule.conditions.map(({ expression }) => expression)];
        return sqlOf(rule.rule) === undefined && rule.rule.body.kind !== 'script' && !values.some(byChance);
    });
    if (!isFixed) return undefined;
    if (!program.rules.some(({ rule }) => rule.head.kind === 'equality')) return 'partly';
    // What a source gave and an equality head replaced is known no more.
    const isReplaced = (merges?.all ?? []).some(({ values }) =>
        values.some(value => dictionary.isNull(value) && !dictionary.comesFromRule(value)),
    );
    const hasSources = [...program.predicates.values()].some(({ inputBinds, input }) => input || inputBinds.length > 0);
    return isReplaced && hasSources ? undefined : 'wholly';
}

function contextOf(
    database: Database,
    program: AnalysedProgram,
    goals: readonly PredicateKey[],
    disabled: readonly PassName[],
    steps: Steps,
    { dictionary, parameters }: Pick<Database, 'dictionary' | 'parameters'>,
): RunContext {
    // A changed rule may have left a recursion whose stratum stays one.
    const together = program.strata.flatMap(({ recursive, predicates }) => (recursive ? predicates : []));
    const plan = planned(database, program, new Set([...goals, ...together]), new Set(disabled));
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
        surroundings: { ...surroundings({ seed: 1 }), now: database.now },
        report: () => undefined,
        valueless: () => undefined,
    };
}

const plans = new WeakMap<Database, Map<string, Plan>>();

/** The plan of a program, which is kept where it has the rules of the run: many trials change facts of the same predicates. */
function planned(
    database: Database,
    program: AnalysedProgram,
    goals: ReadonlySet<PredicateKey>,
    disabledPasses: ReadonlySet<PassName>,
): Plan {
    const plan = (): Plan => planProgram(program, { goals, constraints: false, allFacts: true, disabledPasses });
    if (program.rules.some((rule, index) => rule !== database.program.rules[index])) return plan();
    const evaluated = [...program.predicates.values()].flatMap(({ key, rules }) => (rules.length > 0 ? [key] : []));
    const name = JSON.stringify([[...goals], evaluated, [...disabledPasses]]);
    const known = plans.get(database) ?? new Map<string, Plan>();
    plans.set(database, known);
    const found = known.get(name) ?? plan();
    known.set(name, found);
    return found;
}

const sets = new WeakMap<Relation, Relation>();

/** Returns groups, which are found by their keys alone, as a set of rows: a plan without the rules of their predicate knows no keys. */
function asSet(rows: Relation, { memory }: RunContext): Relation {
    if (rows.keys.length === rows.arity) return rows;
    const known = sets.get(rows);
    if (known !== undefined) return known;
    const set = new Relation(rows.arity, memory);
    copyRows(
        set,
        rows,
        [],
        value => value,
        () => true,
    );
    sets.set(rows, set);
    return set;
}

/** The rows that a predicate has before any rule. */
function give(context: RunContext, database: Database, predicate: Predicate, isAffected: boolean, facts: readonly ChangedFact[]): void {
    const { key } = predicate;
    const rows = database.relation(key);
    const own = facts.filter(fact => fact.predicate === key);
    if (!isAffected || (predicate.rules.length === 0 && own.length === 0)) {
        if (rows instanceof Relation) context.relations.set(key, asSet(rows, context));
        return;
    }
    const base = factsKey(key);
    const hasBase = context.plan.relations.has(base);
    const from = hasBase ? database.relation(base) : rows;
    const isGiven = (row: number): boolean => hasBase || predicate.rules.length === 0 || (from!.notes?.heights?.[row] ?? 0) === 0;
    copyRows(relationOf(context, hasBase ? base : key), from, own, value => value, isGiven);
}

/** The same in a dictionary of its own; false where a value cannot be told. */
function giveAnew(
    context: RunContext,
    database: Database,
    predicate: Predicate,
    facts: readonly ChangedFact[],
    translate: (value: ValueId) => ValueId | undefined,
): boolean {
    const { key } = predicate;
    const base = factsKey(key);
    const hasBase = context.plan.relations.has(base);
    const relation = relationOf(context, hasBase ? base : key);
    const translated = facts.map(({ predicate, values, insteadOf }) => ({
        predicate,
        ...(values === undefined ? {} : { values: values.flatMap(value => translate(value) ?? []) }),
        ...(insteadOf === undefined ? {} : { insteadOf: insteadOf.flatMap(value => translate(value) ?? []) }),
    }));
    const isWhole = (values: readonly ValueId[] | undefined): boolean => values === undefined || values.length === relation.arity;
    if (!translated.every(({ values, insteadOf }) => isWhole(values) && isWhole(insteadOf))) return false;
    if (predicate.inputBinds.length === 0 && !predicate.input) {
        const written = new Relation(relation.arity, context.memory);
        loadFacts(predicate, written, context);
        copyRows(
            relation,
            written,
            translated,
            value => value,
            () => true,
        );
        return true;
    }
    const from = hasBase ? database.relation(base) : database.relation(key);
    const isGiven = (row: number): boolean => hasBase || predicate.rules.length === 0 || (from!.notes?.heights?.[row] ?? 0) === 0;
    return copyRows(relation, from, translated, translate, isGiven);
}

/** Copies rows as changed facts have it; false where a value has no counterpart. */
function copyRows(
    to: Relation,
    from: Rows | undefined,
    facts: readonly ChangedFact[],
    translate: (value: ValueId) => ValueId | undefined,
    isCopied: (row: number) => boolean,
): boolean {
    const row = new Int32Array(to.arity);
    for (let index = 0; index < (from?.count ?? 0); index++) {
        if (!isCopied(index)) continue;
        for (let column = 0; column < row.length; column++) {
            const value = translate(from!.columns[column]![index]!);
            if (value === undefined) return false;
            row[column] = value;
        }
        if (!facts.some(({ insteadOf }) => insteadOf !== undefined && row.every((value, column) => value === insteadOf[column])))
            to.add(row);
    }
    for (const { values } of facts) if (values !== undefined) to.add(Int32Array.from(values));
    return true;
}

/** A value of one run as another one has it. A null that no rule made is none of another run, but for those that are `given`. */
function translatedValue(from: Dictionary, to: Dictionary, id: ValueId, given: ReadonlyMap<ValueId, ValueId>): ValueId | undefined {
    const all = (ids: ArrayLike<ValueId>): ValueId[] | undefined => {
        const values = Array.from(ids, one => translatedValue(from, to, one, given));
        return values.every(value => value !== undefined) ? values : undefined;
    };
    const members = (make: (values: readonly ValueId[]) => ValueId): ValueId | undefined => {
        const values = all(from.membersOf(id));
        return values && make(values);
    };
    const kind = from.kind(id);
    switch (kind) {
        case 'number':
            return from.isInteger(id) ? to.bigint(from.bigintOf(id)) : to.number(from.numberOf(id));
        case 'string':
            return to.string(from.stringOf(id));
        case 'boolean':
            return to.boolean(id === from.boolean(true));
        case 'date':
            return to.date(from.daysOf(id));
        case 'timestamp':
            return to.timestamp(from.microsOf(id));
        case 'list':
            return members(values => to.list(values));
        case 'set':
            return members(values => to.set(values));
        case 'struct':
            return members(values => to.struct(values));
        case 'map':
            return members(values => to.map(values));
        case 'null': {
            if (!from.comesFromRule(id)) return given.get(id);
            const { source, arguments: terms } = from.nullOf(id);
            const values = all(terms);
            return values && to.nullOfSource(to.nullSource(source), values);
        }
    }
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
