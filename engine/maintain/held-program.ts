import type { AnalysedProgram, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import type { Fact } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Database, RunOutcome } from '../contracts/database.ts';
import type { RunOptions } from '../contracts/run-options.ts';
import { evaluate, evaluateKept, type KeptRun } from '../engine.ts';
import { violatedConstraints } from '../evaluate/constraints.ts';
import { loadFacts } from '../evaluate/load.ts';
import { readParameters } from '../evaluate/parameters.ts';
import { type ParameterValue, type RunContext, relationOf } from '../evaluate/run-context.ts';
import { factsKey, refusedKey, sourcesKey } from '../plan/facts-relation.ts';
import type { Plan, PlanRelation, PlanRule } from '../plan/plan.ts';
import { Relation } from '../relations/relation.ts';
import type { Rows } from '../relations/rows.ts';
import { RunStopped } from '../reports/reports.ts';
import type { ValueId } from '../values/value-id.ts';
import { BudgetedCheckpoint } from './budget.ts';
import { ChangedRows, type Changes, noteChange, type RowChange, startingRows } from './changes.ts';
import { follow } from './fresh-rows.ts';
import { heldPlan, whyNotHeld } from './held-plan.ts';
import { HeldStratum, withoutGroups } from './held-stratum.ts';
import { livingRows } from './living-rows.ts';
import { placedReports } from './placed-reports.ts';
import { RoundTimes } from './ranks.ts';
import { openWindows, relationsRead, startFrom } from './rule-starts.ts';
import { signatureOf, withoutPlaces } from './stratum-signature.ts';

/** A warning that matches give: it may come and go with them. */
const OF_MATCHES: ReadonlySet<string> = new Set(['RT020', 'RT021', 'RT024', 'RT050']);
/** How a program is held. */
export interface Upkeep {
    /** The predicates with rules whose rows may be edited. */
    readonly edited: ReadonlySet<PredicateKey>;
    /** Rows that an update of a stratum may look at before the stratum is evaluated again, be it as cheap as it may. */
    readonly leastLookedAt: number;
    /** Relations are compacted where more rows than this are gone, and they are a quarter of all. */
    readonly mostGone: number;
    /** A program that cannot be held is refused: it is not evaluated, and the results stay what they are. */
    readonly heldOnly: boolean;
}

const USUAL: Upkeep = { edited: new Set(), leastLookedAt: 1 << 16, mostGone: 1024, heldOnly: false };

/** The effect of an edit on the results. */
export type HeldUpdate =
    /** By relation, and of predicates all that have changed. Rows have these numbers until the next update. */
    | { readonly kind: 'followed'; readonly changes: ReadonlyMap<PredicateKey, RowChange> }
    /** All was evaluated again, into another database. */
    | { readonly kind: 'evaluated'; readonly outcome: RunOutcome }
    /** Nothing was done: the program cannot be held, and others are refused. `why` in words for users. */
    | { readonly kind: 'refused'; readonly why: string };

/** A row of a predicate that comes or goes. */
export interface RowEdit {
    readonly predicate: PredicateKey;
    readonly values: readonly ValueId[];
    readonly kind: 'add' | 'remove';
}

/**
 * A program whose results follow its facts and rules, at a cost that follows the change: each stratum gets the rows that came and went
 * below it and passes on those that come and go in it; without any, nothing above is looked at.
 */
export class HeldProgram {
    #options: RunOptions;
    readonly #upkeep: Upkeep;
    #state: Held | string;
    #outcome: RunOutcome;

    private constructor(options: RunOptions, upkeep: Upkeep, { state, outcome }: Opened) {
        this.#options = options;
        this.#upkeep = upkeep;
        this.#state = state;
        this.#outcome = outcome;
    }

    static async open(program: AnalysedProgram, options: RunOptions, chosen: Partial<Upkeep> = {}): Promise<HeldProgram> {
        const upkeep = { ...USUAL, ...chosen };
        return new HeldProgram(options, upkeep, await openAnew(program, planOf(program, options, upkeep), options, upkeep));
    }

    /** The outcome of the last evaluation or update. */
    get outcome(): RunOutcome {
        return this.#outcome;
    }

    /** Why the next edit is not followed by what it changes, but by a whole evaluation, in words for users; undefined where it is followed. */
    get notHeld(): string | undefined {
        return typeof this.#state === 'string' ? this.#state : undefined;
    }

    get #held(): Held | undefined {
        return typeof this.#state === 'string' ? undefined : this.#state;
    }

    /**
     * Brings the results up to date with the program, and what is given for its parameters, as they are now. Sources are not read again
     * where it reads the same ones.
     */
    async update(program: AnalysedProgram, parameters: RunOptions['parameters'] = this.#options.parameters): Promise<HeldUpdate> {
        const plan = planOf(program, this.#options, this.#upkeep);
        if (typeof plan === 'string' && this.#upkeep.heldOnly) return { kind: 'refused', why: plan };
        this.#options = withParameters(this.#options, parameters);
        const { reports: told } = this.#outcome;
        const reports = this.#outcome.ok ? placedReports(told, this.#outcome.database.program, program) : told;
        const changes = typeof plan === 'string' || reports === undefined ? undefined : this.#held?.update(program, plan, parameters);
        if (changes === undefined) {
            const { state, outcome } = await openAnew(program, plan, this.#options, this.#upkeep);
            this.#state = state;
            this.#outcome = outcome;
            return { kind: 'evaluated', outcome };
        }
        if (this.#outcome.ok) this.#outcome = { ...this.#outcome, reports: reports ?? told, database: this.#held!.database() };
        return { kind: 'followed', changes };
    }

    /**
     * Brings the results up to date with given rows that come or go, which the sources and facts of the program know nothing of: the next
     * `update` keeps them. Rows of predicates with rules are refused when they go, whatever the rules say. Undefined where a predicate has rules
     * and is none of those to be edited, or where only a whole evaluation tells what has become of the results.
     */
    edit(edits: readonly RowEdit[]): ReadonlyMap<PredicateKey, RowChange> | undefined {
        return this.#edited(edits)?.changes;
    }

    /**
     * Applies edits, shows the results to `look`, and takes the edits back: every row is where it was. If the results cannot be brought
     * back, or have not come about, only an update makes new ones.
     */
    tried<T>(edits: readonly RowEdit[], look: (changes: ReadonlyMap<PredicateKey, RowChange>) => T): T | undefined {
        const done = this.#edited(edits);
        if (done === undefined) return undefined;
        try {
            return look(done.changes);
        } finally {
            this.#took(done.undo());
        }
    }

    #edited(edits: readonly RowEdit[]): Edited | undefined {
        const held = this.#held;
        if (held === undefined || !edits.every(({ predicate }) => held.mayEdit(predicate))) return undefined;
        return this.#took(held.edit(edits));
    }

    /** Takes over what an edit has made of the results. One that ends on its way leaves some relations as they were and others not. */
    #took<C>(changed: C | undefined): C | undefined {
        if (changed === undefined) this.#state = say`The run fails`;
        else if (this.#outcome.ok) this.#outcome = { ...this.#outcome, database: this.#held!.database() };
        return changed;
    }

    /** The values of a row, which may be gone. */
    row(key: PredicateKey, row: number): readonly number[] | undefined {
        return this.#held?.relations.get(key)?.columns.map(column => column[row]!);
    }
}

interface Opened {
    /** Or why nothing is held, in words for users. */
    readonly state: Held | string;
    readonly outcome: RunOutcome;
}

/** Options with other parameters; the deadline is whatever theirs is when it is asked for. */
function withParameters(options: RunOptions, parameters: RunOptions['parameters']): RunOptions {
    if (parameters === options.parameters) return options;
    return {
        ...options,
        parameters,
        get deadline() {
            return options.deadline ?? Number.POSITIVE_INFINITY;
        },
    };
}

/** How a program is held, or why it is not, in words for users. */
function planOf(program: AnalysedProgram, options: RunOptions, { edited }: Upkeep): Plan | string {
    if (program.unsupported.length > 0) return say`The program cannot be run`;
    const plan = heldPlan(program, options, edited);
    return whyNotHeld(plan) ?? plan;
}

async function openAnew(program: AnalysedProgram, plan: Plan | string, options: RunOptions, upkeep: Upkeep): Promise<Opened> {
    const evaluated = async (reason: string): Promise<Opened> => ({ state: reason, outcome: await evaluate(program, options) });
    if (typeof plan === 'string') return evaluated(plan);
    const times = new RoundTimes();
    const kept = await evaluateKept(plan, options, times.note);
    if (kept === undefined) return evaluated(say`The run fails`);
    if (kept.outcome.reports.some(({ code }) => OF_MATCHES.has(code))) return evaluated(say`Some matches have a warning`);
    return { state: new Held(program, plan, kept, times, options, upkeep), outcome: kept.outcome };
}

/** The effect of an edit of rows. */
interface Edited {
    readonly changes: Changes;
    /** Takes the edit back, as long as nothing else was done; undefined where all has to be evaluated again. */
    undo(): Changes | undefined;
}

/** An update found something that only a whole evaluation tells. */
class Untold extends Error {}

class Held {
    readonly relations: Map<PredicateKey, Relation>;
    readonly #upkeep: Upkeep;
    readonly #base: RunContext;
    /** The keys of the groups without a value that a remark counts, by relation: what it says holds until they change. */
    readonly #valueless: ReadonlyMap<PredicateKey, Relation>;
    readonly #run: RunContext;
    readonly #checkpoint: BudgetedCheckpoint;
    /** The relations of the plan as rows that are like all others. */
    readonly #planned: Map<PredicateKey, PlanRelation>;
    #parameters: ReadonlyMap<string, ParameterValue>;
    #program: AnalysedProgram;
    #strata: readonly HeldStratum[];
    #constraints: readonly PlanRule[];
    /** The relations of the plan. */
    #ofPlan: ReadonlySet<PredicateKey> = new Set();

    constructor(
        program: AnalysedProgram,
        plan: Plan,
        { context: base, stratumTimes, valueless }: KeptRun,
        times: RoundTimes,
        options: RunOptions,
        upkeep: Upkeep,
    ) {
        this.#upkeep = upkeep;
        this.#program = program;
        this.#base = base;
        this.#valueless = valueless;
        this.relations = base.relations;
        this.#parameters = base.parameters();
        this.#planned = new Map();
        this.#plan(plan);
        this.#checkpoint = new BudgetedCheckpoint(options, {
            memory: base.memory,
            facts: () => 0,
            growing: () => undefined,
            filling: () => undefined,
        });
        this.#run = {
            ...base,
            plan: { ...plan, rewrites: true, relations: this.#planned },
            options: { ...options, disabledPasses: new Set([...(options.disabledPasses ?? []), 'first-match']) },
            checkpoint: this.#checkpoint,
            matches: new Map(),
            groups: new Map(),
            parameter: name => this.#parameters.get(name) ?? base.parameter(name),
            parameters: () => this.#parameters,
            report: () => {
                throw new Untold();
            },
            valueless: ({ key }, { keys }, among) => {
                if (!areSameKeys(this.#valueless.get(key), keys, among)) throw new Untold();
            },
        };
        for (const [key, { groups, arity }] of plan.relations) {
            const relation = base.relations.get(key);
            if (relation !== undefined && groups !== undefined)
                base.relations.set(
                    key,
                    withoutGroups(relation, () => new Relation(arity, base.memory)),
                );
        }
        const parameters = parametersText(this.#parameters);
        this.#strata = plan.strata.map((stratum, index) => {
            const held = new HeldStratum(stratum, signatureOf(stratum, plan, parameters), plan, this.#run);
            held.begin(times, stratumTimes[index] ?? 0);
            return held;
        });
        this.#constraints = plan.constraints;
    }

    /** The changes of all relations; undefined where all has to be evaluated again. */
    update(program: AnalysedProgram, plan: Plan, parameters: RunOptions['parameters']): Changes | undefined {
        try {
            return this.#update(program, plan, parameters);
        } catch (thrown) {
            return untold(thrown);
        }
    }

    /** As `update`, for rows. */
    edit(edits: readonly RowEdit[]): Edited | undefined {
        try {
            this.#compact();
            const changed = new Map<PredicateKey, ChangedRows>();
            for (const { predicate, values, kind } of edits) {
                const [given, refused] = [this.#givenIn(predicate), this.#refusedIn(predicate)];
                const row = Int32Array.from(values);
                const rowsOf = (key: PredicateKey): ChangedRows => {
                    const rows = changed.get(key) ?? new ChangedRows(relationOf(this.#run, key));
                    changed.set(key, rows);
                    return rows;
                };
                for (const key of kind === 'add' ? given.slice(-1) : refused) rowsOf(key).give(row);
                for (const key of kind === 'add' ? refused : given) rowsOf(key).takeValues(row);
            }
            const given = [...changed].map(([key, rows]) => ({ key, relation: rows.relation, net: rows.net() }));
            return {
                changes: this.#followGiven(changed),
                undo: () => {
                    try {
                        return this.#followGiven(new Map(given.map(({ key, relation, net }) => [key, undone(relation, net)])));
                    } catch (thrown) {
                        return untold(thrown);
                    }
                },
            };
        } catch (thrown) {
            return untold(thrown);
        }
    }

    /** The changes of all relations that follow from those of given rows. */
    #followGiven(changed: ReadonlyMap<PredicateKey, ChangedRows>): Changes {
        const changes: Changes = new Map();
        for (const [key, rows] of changed) {
            rows.relation.extendIndexes(rows.relation.count);
            noteChange(key, rows, changes);
        }
        for (const stratum of this.#strata) this.#followIn(stratum, changes);
        this.#checkConstraints(this.#constraints, changes);
        return changes;
    }

    /** Whether rows of a predicate can come and go. */
    mayEdit(key: PredicateKey): boolean {
        return this.#givenIn(key).length + this.#refusedIn(key).length > 0;
    }

    #refusedIn(key: PredicateKey): readonly PredicateKey[] {
        return [refusedKey(key)].filter(one => this.#ofPlan.has(one));
    }

    /** The relations that have the given rows of a predicate; new ones belong into the last of them. */
    #givenIn(key: PredicateKey): readonly PredicateKey[] {
        const apart = [factsKey(key), sourcesKey(key)].filter(one => this.#ofPlan.has(one));
        const isGiven = this.#program.predicates.get(key)?.rules.length === 0 && this.#ofPlan.has(key);
        return apart.length > 0 || !isGiven ? apart : [key];
    }

    #followIn(stratum: HeldStratum, changes: Changes): void {
        if ([...stratum.reads].some(key => changes.has(key))) stratum.update(changes, this.#checkpoint, this.#upkeep.leastLookedAt);
    }

    /** The results as they are now. */
    database(): Database {
        const living = new Map<PredicateKey, Rows>();
        const rowsOf = (key: PredicateKey): Rows | undefined => {
            const relation = this.relations.get(key);
            if (relation === undefined) return undefined;
            const rows = living.get(key) ?? livingRows(relation);
            living.set(key, rows);
            return rows;
        };
        return {
            program: this.#program,
            dictionary: this.#base.dictionary,
            relation: key => (this.#planned.get(key)?.internal === false ? rowsOf(key) : undefined),
            parameters: new Map([...this.#parameters].map(([name, { value }]) => [name, value])),
            now: this.#base.surroundings.now,
        };
    }

    #update(program: AnalysedProgram, plan: Plan, given: RunOptions['parameters']): Changes | undefined {
        if (!this.#readsTheSame(plan)) return undefined;
        this.#compact();
        const { dictionary } = this.#base;
        const before = parametersText(this.#parameters);
        this.#parameters = readParameters(program.parameters, given, dictionary, this.#run.report);
        const parameters = parametersText(this.#parameters);
        this.#plan(plan);
        if ([...this.#valueless.keys()].some(key => plan.relations.get(key)?.groups === undefined)) return undefined;
        const changes: Changes = new Map();
        if (!this.#followFacts(program, plan, parameters !== before, changes)) return undefined;
        const known = new Map(this.#strata.map(stratum => [stratum.signature, stratum]));
        this.#strata = plan.strata.map(stratum => {
            const signature = signatureOf(stratum, plan, parameters);
            const held = known.get(signature);
            if (held !== undefined) {
                this.#followIn(held, changes);
                return held;
            }
            for (const key of stratum.relations) this.#fit(key);
            const fresh = new HeldStratum(stratum, signature, plan, this.#run);
            fresh.evaluate(changes);
            return fresh;
        });
        this.#checkConstraints(plan.constraints, changes);
        this.#program = program;
        return changes;
    }

    /** Takes the relations of a plan for those of this program; what other plans had is given up. */
    #plan(plan: Plan): void {
        for (const key of this.#ofPlan) {
            if (plan.relations.has(key)) continue;
            this.#planned.delete(key);
            this.relations.get(key)?.dispose();
            this.relations.delete(key);
        }
        for (const [key, { groups: _, ...relation }] of plan.relations) this.#planned.set(key, relation);
        this.#ofPlan = new Set(plan.relations.keys());
    }

    /** Gives up a relation that has not the columns which it has in the plan. */
    #fit(key: PredicateKey): void {
        const relation = this.relations.get(key);
        if (relation === undefined || relation.arity === this.#planned.get(key)!.arity) return;
        relation.dispose();
        this.relations.delete(key);
    }

    /** Whether the sources of a plan have been read, with columns of the same types. */
    #readsTheSame({ relations }: Plan): boolean {
        const read = [...relations.values()].filter(
            ({ internal, predicate }) => !internal && (predicate.inputBinds.length > 0 || predicate.input),
        );
        return read.every(({ key, predicate }) => {
            const before = this.#program.predicates.get(key);
            const isApart = relations.has(sourcesKey(key));
            const isHeld = this.#ofPlan.has(key) && this.#ofPlan.has(sourcesKey(key)) === isApart;
            return before !== undefined && isHeld && sourceText(before) === sourceText(predicate);
        });
    }

    /** Makes the given rows of predicates those of the facts that the program has now; false where they stand among the rows of sources. */
    #followFacts(program: AnalysedProgram, plan: Plan, isOtherwise: boolean, changes: Changes): boolean {
        for (const { key, internal, predicate } of plan.relations.values()) {
            if (internal || program.predicates.get(key) === undefined) continue;
            const apart = plan.relations.has(factsKey(key));
            if (predicate.rules.length > 0 && !apart) continue;
            const { facts: before = [], rules = [], inputBinds = [] } = this.#program.predicates.get(key) ?? {};
            const target = apart ? factsKey(key) : key;
            // What rules derived, or a source gave, stands among the facts of a predicate that has none of them any more.
            const isPlain = rules.length === 0 && (inputBinds.length === 0 || predicate.inputBinds.length > 0);
            const isKnown = this.relations.has(target) && (apart || isPlain);
            if (isKnown && !isOtherwise && areSame(before, predicate.facts)) continue;
            if (predicate.inputBinds.length > 0 && !plan.relations.has(sourcesKey(key))) {
                if (isKnown && before.length === 0 && predicate.facts.length === 0) continue;
                return false;
            }
            this.#fit(target);
            const wanted = new Relation(predicate.arity, this.#base.memory);
            loadFacts(predicate, wanted, { ...this.#run, plan });
            follow(target, relationOf(this.#run, target), wanted, changes);
            wanted.dispose();
        }
        return true;
    }

    /** Ends the update where a constraint may be violated, for a whole evaluation to tell how. */
    #checkConstraints(constraints: readonly PlanRule[], changes: Changes): void {
        const run = { ...this.#run, plan: { ...this.#run.plan, constraints } };
        const isOther = constraintsText(constraints) !== constraintsText(this.#constraints);
        if (isOther && violatedConstraints(run).length > 0) throw new Untold();
        this.#constraints = constraints;
        for (const rule of isOther ? [] : constraints) {
            for (const [at, { relation, negated }] of rule.literals.entries()) {
                const rows = startingRows(changes.get(relation), negated, 'gain');
                if (rows.length === 0) continue;
                const violated = (): never => {
                    throw new Untold();
                };
                const start = startFrom(rule, at, 'gain', this.#run, violated);
                openWindows(relationsRead([rule], this.#run));
                start.run(relationOf(this.#run, relation), rows);
            }
        }
    }

    #compact(): void {
        for (const stratum of this.#strata) {
            for (const key of stratum.stratum.relations) this.#compactOne(key, rows => stratum.renumbered(key, rows));
        }
        for (const key of this.#ofPlan) this.#compactOne(key, () => undefined);
    }

    #compactOne(key: PredicateKey, renumbered: (rows: Int32Array) => void): void {
        const relation = this.relations.get(key);
        if (relation === undefined || relation.gone <= this.#upkeep.mostGone || relation.gone * 4 < relation.count) return;
        const rows = relation.compact();
        if (rows !== undefined) renumbered(rows);
    }
}

/** The rows of a relation made what they were before a change. */
function undone(relation: Relation, { added, removed }: RowChange): ChangedRows {
    const rows = new ChangedRows(relation);
    for (const row of added) rows.take(row);
    for (const row of removed) rows.restore(row);
    return rows;
}

/** Undefined where only a whole evaluation tells what has become of the results. */
function untold(thrown: unknown): undefined {
    if (thrown instanceof Untold || (thrown instanceof RunStopped && thrown.report.code !== 'RT032')) return undefined;
    throw thrown;
}

/** Whether two relations have the same rows, of those that are `among` some. */
function areSameKeys(left: Relation | undefined, right: Relation | undefined, among?: Relation): boolean {
    if (among === undefined && (left?.count ?? 0) !== (right?.count ?? 0)) return false;
    const rows = among ?? left;
    for (let row = 0; row < (rows?.count ?? 0); row++) {
        const key = rows!.columns.map(column => column[row]!);
        if ((left?.findKey(key) ?? -1) >= 0 !== (right?.findKey(key) ?? -1) >= 0) return false;
    }
    return true;
}

function areSame(left: readonly Fact[], right: readonly Fact[]): boolean {
    return left.length === right.length && left.every((fact, index) => fact === right[index]);
}

function parametersText(parameters: ReadonlyMap<string, ParameterValue>): string {
    return JSON.stringify([...parameters]);
}

function constraintsText(constraints: readonly PlanRule[]): string {
    return JSON.stringify(constraints, withoutPlaces);
}

function sourceText({ inputBinds, input, columns }: Predicate): string {
    return JSON.stringify([inputBinds, input, columns], withoutPlaces);
}
