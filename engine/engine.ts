import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import { say } from '#language/program/say.ts';
import { EqualityClash } from './contracts/clash.ts';
import type { Database, RunOutcome } from './contracts/database.ts';
import type { Filling, RunOptions } from './contracts/run-options.ts';
import { evaluateAnswered } from './evaluate/answer-body.ts';
import { surroundings } from './evaluate/builtins/surroundings.ts';
import { Casts } from './evaluate/casts.ts';
import { Checkpoint, stopIfAsked } from './evaluate/checkpoint.ts';
import { violatedConstraints } from './evaluate/constraints.ts';
import { TreeSets } from './evaluate/derivation-trees.ts';
import type { Elsewhere, ElsewhereHost, ElsewhereOptions } from './evaluate/elsewhere.ts';
import { RewritingStrata } from './evaluate/equality-heads.ts';
import { compileExpression } from './evaluate/expression.ts';
import { isOfMatches, matchIn, matchOfCast, matchTold, withFailedMatch, withoutEarlyPasses } from './evaluate/failed-matches.ts';
import { loadAll } from './evaluate/load.ts';
import { missingParameter, readParameters } from './evaluate/parameters.ts';
import type { Registers } from './evaluate/registers.ts';
import { Profile } from './evaluate/rule-profile.ts';
import { constantScope, type ParameterValue, type RunContext, relationOf } from './evaluate/run-context.ts';
import { ValuelessReports } from './evaluate/valueless-groups.ts';
import { Vectors } from './evaluate/vectors.ts';
import { clashReport } from './explain/explain-clash.ts';
import { factsKey } from './plan/facts-relation.ts';
import { inputsOf, type Plan, type PlanRule, type ProvidedCall } from './plan/plan.ts';
import { type PlanOptions, planProgram } from './plan/plan-program.ts';
import { printSources } from './plan/print-plan.ts';
import { withoutLocalPasses } from './pushdown/local-passes.ts';
import type { Relation } from './relations/relation.ts';
import { type Growing, stopAtLimit } from './reports/limit-reached.ts';
import { isOfValues, type Report, type ReportCode, RunStopped, report, withMatch } from './reports/reports.ts';
import { Dictionary } from './values/dictionary.ts';
import { Memory } from './values/memory.ts';

/** Evaluates a program: loads its facts and sources, then derives everything that its outputs, or the goals, depend on. */
export async function evaluate(program: AnalysedProgram, options: ElsewhereOptions): Promise<RunOutcome> {
    const refused = program.unsupported.map(({ code, construct, place, span }) => report(code, { location: { place, span } }, construct));
    refused.push(...unansweredQueries(program, options), ...scriptsNotRun(program, options));
    if (refused.length > 0) return { ok: false, reports: refused };
    return evaluateChecked(program, options, false);
}

/** SQL queries that the host does not answer, or that it has not read. */
function unansweredQueries({ rules }: AnalysedProgram, { queries }: RunOptions): Report[] {
    return rules.flatMap(({ rule, tables }) => {
        const query = sqlOf(rule);
        if (query === undefined || (queries !== undefined && tables !== undefined)) return [];
        return [report('RT062', { location: { place: rule.place, span: query.span } }, say`A SQL query`)];
    });
}

/** Scripts that the host does not run. */
function scriptsNotRun({ rules }: AnalysedProgram, { scripts }: RunOptions): Report[] {
    const unavailable = scripts?.unavailable;
    if (scripts !== undefined && unavailable === undefined) return [];
    return rules.flatMap(({ rule: { body, place } }) => {
        if (body.kind !== 'script') return [];
        const location = { place, span: body.span };
        if (unavailable === undefined) return [report('RT060', { location }, 'python:run')];
        const { reason, remedy } = unavailable;
        return [
            report(
                'RT090',
                { location, remedy, script: { kind: 'unavailable', reason, script: body.script } },
                body.script,
                say`is not run: ${reason}`,
            ),
        ];
    });
}

async function evaluateChecked(program: AnalysedProgram, options: ElsewhereOptions, isCareful: boolean): Promise<RunOutcome> {
    let run: Run | undefined;
    try {
        const disabledPasses = options.compute === undefined ? options.disabledPasses : withoutLocalPasses(options.disabledPasses);
        const plan = planProgram(program, { ...options, ...(disabledPasses && { disabledPasses }), look: () => stopIfAsked(options) });
        run = new Run(plan, options, isCareful);
        return await run.evaluate();
    } catch (thrown) {
        if (run !== undefined && thrown instanceof EqualityClash) return explainedClash(program, options, run, thrown);
        if (!(thrown instanceof RunStopped)) throw thrown;
        if (run !== undefined && isOfValues(thrown.report)) {
            const told = run.failed(thrown.report);
            if (told !== undefined || isCareful) return { ok: false, reports: [...run.reports(), told ?? thrown.report] };
            if (run.mayGoOn(thrown.report)) return carefully(program, options, run, thrown.report);
        }
        return { ok: false, reports: [...(run?.reports() ?? []), thrown.report] };
    }
}

/** An error that no match needs which else holds is none: a second run computes what may fail when all else is known. */
async function carefully(program: AnalysedProgram, options: ElsewhereOptions, run: Run, failure: Report): Promise<RunOutcome> {
    const { compute: _, ...here } = options;
    const again = await evaluateChecked(program, { ...here, disabledPasses: withoutEarlyPasses(options.disabledPasses) }, true);
    const isCut = !again.ok && again.reports.at(-1)?.code === 'RT031';
    return isCut ? { ok: false, reports: [...run.reports(), failure] } : again;
}

/** A clash is explained by a second run, which keeps heights and comes to a clash too. */
async function explainedClash(program: AnalysedProgram, options: RunOptions, run: Run, { clash }: EqualityClash): Promise<RunOutcome> {
    if (options.heights !== true) {
        const again = await evaluate(program, { ...options, heights: true });
        if (again.reports.at(-1)?.code === 'RT040') return again;
    }
    return { ok: false, reports: [...run.reports(), clashReport(run.halted(), clash)] };
}

/** A run that is over, with what its relations are kept up to date by. */
export interface KeptRun {
    readonly outcome: RunOutcome;
    readonly context: RunContext;
    /** Milliseconds that each stratum of the plan took. */
    readonly stratumTimes: readonly number[];
    /** The keys of the groups without a value that a remark counts, by relation. */
    readonly valueless: ReadonlyMap<PredicateKey, Relation>;
}

/** As `evaluate` by a plan, for relations that are kept: none is given up. Undefined where the run does not come to its end. */
export async function evaluateKept(plan: Plan, options: RunOptions, roundEnded: RunContext['roundEnded']): Promise<KeptRun | undefined> {
    try {
        const run = new Run(plan, options, false, roundEnded);
        const outcome = await run.evaluate();
        return outcome.ok ? { outcome, context: run.context, stratumTimes: run.stratumTimes, valueless: run.valueless } : undefined;
    } catch (thrown) {
        if (thrown instanceof RunStopped) return undefined;
        throw thrown;
    }
}

/** Plans a run, for printing. */
export function planOf(program: AnalysedProgram, options: PlanOptions = {}): Plan {
    return planProgram(program, options);
}

const WARNINGS_OF_VALUES: ReadonlySet<ReportCode> = new Set(['RT020', 'RT021', 'RT024']);

/** A check may look at so many relations. */
const RELATIONS_PER_CHECK = 64;
/** In UTF-16 units: an eighth of what V8 can hold, since a text may be printed with each of its characters escaped. */
const LONGEST_TEXT = 2 ** 26;
/** Bytes for each unit of a text while it is made: the text itself, its UTF-8, and the growth of the store of texts. */
const TEXT_BYTES = 8;

const NO_REGISTERS = new Int32Array(0);

class Run {
    readonly #options: ElsewhereOptions;
    readonly #context: RunContext;
    readonly #rewriting: RewritingStrata;
    readonly #reports = new Map<string, Report>();
    readonly #valueless: ValuelessReports;
    readonly #elsewhere: Elsewhere | undefined;
    readonly stratumTimes: number[] = [];
    #parameters: ReadonlyMap<string, ParameterValue> = new Map();
    /** The relations that are being filled, with their facts when that began. */
    #current: ReadonlyMap<PredicateKey, Relation>;
    #before: ReadonlyMap<PredicateKey, number> = new Map();
    /** Facts of the other predicates. */
    #settledFacts = 0;
    /** Facts of the relations that are being filled, and how often that was asked for since they were counted. */
    #counted = 0;
    #askedSince = Number.POSITIVE_INFINITY;

    /** `roundEnded` is given where the relations are kept. */
    constructor(plan: Plan, options: ElsewhereOptions, isCareful: boolean, roundEnded?: RunContext['roundEnded']) {
        this.#options = options;
        const dictionary: Dictionary = new Dictionary(length => this.#checkSize(length));
        const full = (): never => this.#outOfMemory();
        const memory = new Memory(options.limits.maxMemory, () => dictionary.bytes, full);
        const counts = {
            memory,
            facts: () => this.#settledFacts + this.#recentFacts(),
            growing: () => this.#growing(),
            filling: () => this.#filling(),
        };
        this.#valueless = new ValuelessReports(plan.program, dictionary);
        this.#context = {
            plan,
            options,
            dictionary,
            memory,
            vectors: new Vectors(memory),
            relations: new Map(),
            groups: new Map(),
            matches: new Map(),
            lineages: new Map(),
            asked: new Map(),
            replies: new Map(),
            checkpoint: new Checkpoint(options, counts),
            casts: new Casts(dictionary),
            parameter: name => this.#parameters.get(name) ?? missingParameter(name),
            parameters: () => this.#parameters,
            surroundings: surroundings(options),
            ...(isCareful ? { careful: { isDry: false, isSought: isOfValues, found: (...failed) => this.#failsIn(...failed) } } : {}),
            ...(options.profile === true ? { profile: new Profile() } : {}),
            ...(plan.trees.size === 0 ? {} : { trees: new TreeSets(memory) }),
            report: one => this.#report(one),
            valueless: this.#valueless.tell,
            ...(roundEnded === undefined ? {} : { roundEnded }),
        };
        if (options.compute !== undefined && roundEnded === undefined) this.#elsewhere = options.compute(hostOf(this.#context));
        this.#current = this.#context.relations;
        this.#rewriting = new RewritingStrata(this.#context);
    }

    get valueless(): ReadonlyMap<PredicateKey, Relation> {
        return this.#valueless.keys;
    }

    get context(): RunContext {
        return this.#context;
    }

    async evaluate(): Promise<RunOutcome> {
        const { plan, dictionary, memory, profile, relations } = this.#context;
        const { clock, parameters, heights } = this.#options;
        const start = clock();
        this.#parameters = readParameters(plan.program.parameters, parameters, dictionary, one => this.#report(one));
        await loadAll(this.#context);
        const loaded = clock();
        this.#settledFacts = this.#currentFacts();
        this.#current = new Map();
        const rounds = await this.#evaluateStrata();
        if (profile !== undefined) profile.stratum = 0;
        await this.#elsewhere?.bringHere(this.#readAtEnd());
        const violated = violatedConstraints(this.#context);
        if (violated.length > 0) return { ok: false, reports: [...this.reports(), ...violated] };
        if (heights) for (const relation of relations.values()) relation.notes.setHeights(relation.count, relation.count, 0);
        const statistics = {
            facts: this.#settledFacts,
            rounds,
            loading: loaded - start,
            evaluating: clock() - loaded,
            peakBytes: memory.peak,
            ...(this.#elsewhere === undefined ? {} : { places: this.#elsewhere.places }),
            ...(profile === undefined ? {} : { rules: profile.rules, sources: printSources(this.#context.plan) }),
        };
        const casts = this.#context.casts.reports(failed => matchOfCast(failed, this.#context));
        const reports = [...[...this.#reports.values()].map(one => this.#told(one)), ...casts, ...this.#valueless.reports()];
        return { ok: true, database: this.#database(), reports, statistics };
    }

    /** Returns the database of a run that ends early. */
    halted(): Database {
        for (const relation of this.#context.relations.values()) relation.compact();
        return this.#database();
    }

    /** The report of a failure with the matches that have it; undefined where there are none in which all else holds. */
    failed(failure: Report): Report | undefined {
        return withFailedMatch(failure, this.#context);
    }

    /** A warning of what some matches have no value for, with these matches. */
    #told(one: Report): Report {
        return WARNINGS_OF_VALUES.has(one.code) ? (this.failed(one) ?? one) : one;
    }

    /** Whether it may be that no match needs what has failed. */
    mayGoOn(failure: Report): boolean {
        return isOfMatches(failure, this.#context);
    }

    #failsIn(rule: PlanRule, registers: Registers, failure: Report): never {
        throw new RunStopped(
            withMatch(failure, { ...matchTold(rule, matchIn(rule, registers, failure), this.#context), count: 1, isMore: true }),
        );
    }

    reports(): Report[] {
        return [...this.#reports.values(), ...this.#context.casts.reports(), ...this.#valueless.reports()];
    }

    /** Evaluates the strata in order; returns their rounds. */
    async #evaluateStrata(): Promise<number> {
        const { plan } = this.#context;
        const lastReader = new Map<PredicateKey, number>();
        for (const [index, { relations, rules }] of plan.strata.entries()) {
            for (const rule of rules) for (const { relation } of rule.literals) lastReader.set(relation, index);
            for (const key of relations) {
                const call = plan.relations.get(key)?.call;
                for (const input of call === undefined ? [] : inputsOf(call)) lastReader.set(input, index);
            }
        }
        const lastEqualities = plan.strata.findLastIndex(({ equalities }) => equalities !== undefined);
        for (const rule of plan.constraints) for (const { relation } of rule.literals) lastReader.set(relation, plan.strata.length);
        let rounds = 0;
        for (const [index, stratum] of plan.strata.entries()) {
            const filled = stratum.equalities === undefined ? stratum.relations : [...this.#context.relations.keys()];
            const current = filled.map(key => [key, relationOf(this.#context, key)] as const);
            this.#current = new Map(current);
            this.#askedSince = Number.POSITIVE_INFINITY;
            this.#before = new Map(current.map(([key, relation]) => [key, relation.found]));
            this.#settledFacts -= this.#currentFacts();
            if (this.#context.profile !== undefined) this.#context.profile.stratum = index + 1;
            const position = { stratum: index + 1, strata: plan.strata.length };
            const begun = this.#options.clock();
            const elsewhere = await this.#elsewhere?.evaluate(stratum, position);
            if (elsewhere !== undefined) rounds += elsewhere;
            else if (index > lastEqualities) rounds += await evaluateAnswered(stratum, position, this.#context);
            else rounds += await this.#rewriting.evaluate(stratum, index, position);
            this.stratumTimes.push(this.#options.clock() - begun);
            this.#askedSince = Number.POSITIVE_INFINITY;
            this.#context.checkpoint.check();
            this.#settledFacts += this.#currentFacts();
            this.#current = new Map();
            if (this.#context.roundEnded !== undefined) continue;
            const read = stratum.rules.flatMap(rule => rule.literals.map(literal => literal.relation));
            if (index < lastEqualities) continue;
            const done = index === lastEqualities ? [...plan.relations.keys()] : [...read, ...stratum.relations];
            for (const key of new Set(done)) if ((lastReader.get(key) ?? -1) <= index) await this.#release(key);
        }
        return rounds;
    }

    /** The relations that constraints and whoever gets the results read. */
    #readAtEnd(): PredicateKey[] {
        const { plan } = this.#context;
        const { goals, goalsOnly } = this.#options;
        const checked = plan.constraints.flatMap(({ literals }) => literals.map(({ relation }) => relation));
        const shown =
            goalsOnly === true && goals !== undefined
                ? goals
                : [...plan.relations.values()].flatMap(one => (one.internal ? [] : [one.key]));
        return [...checked, ...shown];
    }

    /** Gives up what no later stratum reads: indexes, and the rows of internal relations that no explanation needs. */
    async #release(key: PredicateKey): Promise<void> {
        const { plan, relations } = this.#context;
        await this.#elsewhere?.release(key);
        const relation = relations.get(key);
        if (relation === undefined) return;
        relation.dropIndexes();
        const { internal, predicate, call, level } = plan.relations.get(key)!;
        const isExplained = call !== undefined || key === factsKey(predicate.key) || level === 'shared groups';
        if (!internal || (this.#options.heights && isExplained)) return;
        relation.dispose();
        relations.delete(key);
    }

    #database(): Database {
        const { plan, dictionary, relations, lineages } = this.#context;
        const calls = new Map<number, (ProvidedCall & { readonly answers: PredicateKey })[]>();
        for (const [answers, { call }] of plan.relations)
            if (call?.function === 'provided' && call.rule !== undefined) append(calls, call.rule, { ...call, answers });
        for (const [key, { internal }] of plan.relations) if (!internal) relationOf(this.#context, key);
        return {
            program: plan.program,
            dictionary,
            relation: predicate =>
                plan.partial.has(predicate) || this.#elsewhere?.isAway(predicate) ? undefined : relations.get(predicate),
            lineage: answer => lineages.get(answer),
            calls: rule => calls.get(rule) ?? [],
            parameters: new Map([...this.#parameters].map(([name, { value }]) => [name, value])),
            now: this.#context.surroundings.now,
            merges: this.#rewriting.merges,
        };
    }

    /** One report per code and place. */
    #report(one: Report): void {
        const { place, span } = one.location ?? {};
        const key = `${one.code} ${place?.file} ${place?.offset} ${span?.start} ${one.source?.file} ${one.location ? '' : one.message}`;
        if (!this.#reports.has(key)) this.#reports.set(key, one);
    }

    /** Of many relations the facts are not counted at every check. */
    #recentFacts(): number {
        if (++this.#askedSince * RELATIONS_PER_CHECK < this.#current.size) return this.#counted;
        this.#askedSince = 0;
        this.#counted = this.#currentFacts();
        return this.#counted;
    }

    #currentFacts(): number {
        const { plan } = this.#context;
        let facts = 0;
        for (const [key, relation] of this.#current) if (!plan.relations.get(key)!.internal) facts += relation.found;
        return facts;
    }

    /** The relation with the most new facts since the stratum, or the loading, began. */
    #mostAdded(): PredicateKey | undefined {
        let most = 0;
        let found: PredicateKey | undefined;
        for (const [key, relation] of this.#current) {
            const added = relation.found - (this.#before.get(key) ?? 0);
            if (added <= most) continue;
            most = added;
            found = key;
        }
        return found;
    }

    /** While sources are read, the one that is read: its relation was made last. */
    #filling(): Filling | undefined {
        const { relations, plan } = this.#context;
        const key = this.#current === relations ? [...relations.keys()].at(-1) : this.#mostAdded();
        if (key === undefined) return undefined;
        return { name: plan.relations.get(key)!.predicate.name, rows: relations.get(key)!.found };
    }

    #growing(): Growing | undefined {
        const growing = this.#mostAdded();
        if (growing === undefined) return undefined;
        const { relations, strata } = this.#context.plan;
        const { name } = relations.get(growing)!.predicate;
        const rules = strata.flatMap(({ rules }) => rules.filter(({ outputs }) => outputs.some(({ relation }) => relation === growing)));
        const rule = rules.find(({ literals }) => literals.some(({ recursive }) => recursive)) ?? rules[0];
        return rule?.source === undefined ? { name } : { name, location: { place: rule.place, span: rule.span } };
    }

    /** Ends the run before a value is made whose text is too long to be held. */
    #checkSize(length: number): void {
        if (length > LONGEST_TEXT) stopAtLimit('size of a value', LONGEST_TEXT, this.#growing());
        if (!this.#context.memory.fits(length * TEXT_BYTES)) this.#outOfMemory();
    }

    #outOfMemory(): never {
        return stopAtLimit('memory', Math.round(this.#options.limits.maxMemory / 2 ** 20), this.#growing());
    }
}

function hostOf(context: RunContext): ElsewhereHost {
    return {
        ...context,
        relationOf: key => relationOf(context, key),
        valueOf: (expression, place) => compileExpression(expression, constantScope(context, place))(NO_REGISTERS),
    };
}
