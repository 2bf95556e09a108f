import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Database, RunOutcome } from './database.ts';
import { Casts } from './evaluate/casts.ts';
import { Checkpoint } from './evaluate/checkpoint.ts';
import { loadAll } from './evaluate/load.ts';
import { missingParameter, readParameters } from './evaluate/parameters.ts';
import { type ParameterValue, type RunContext, relationOf } from './evaluate/run-context.ts';
import { evaluateStratum } from './evaluate/semi-naive.ts';
import type { Plan } from './plan/plan.ts';
import { type PlanOptions, planProgram } from './plan/plan-program.ts';
import { Memory } from './relations/memory.ts';
import type { Relation } from './relations/relation.ts';
import { type Report, RunStopped, report, stop } from './reports.ts';
import type { RunOptions } from './run-options.ts';
import { Dictionary } from './values/dictionary.ts';

/** Evaluates a program: loads its facts and sources, then derives everything that its outputs, or the goals, depend on. */
export async function evaluate(program: AnalysedProgram, options: RunOptions): Promise<RunOutcome> {
    const refused = program.unsupported.map(({ construct, place, span }) => report('RT065', { location: { place, span } }, construct));
    if (refused.length > 0) return { ok: false, reports: refused };
    const run = new Run(planProgram(program, options), options);
    try {
        return await run.evaluate();
    } catch (thrown) {
        if (!(thrown instanceof RunStopped)) throw thrown;
        return { ok: false, reports: [...run.reports(), thrown.report] };
    }
}

/** What a run would compute, for printing. */
export function planOf(program: AnalysedProgram, options: PlanOptions = {}): Plan {
    return planProgram(program, options);
}

class Run {
    readonly #options: RunOptions;
    readonly #context: RunContext;
    readonly #reports = new Map<string, Report>();
    #parameters: ReadonlyMap<string, ParameterValue> = new Map();
    /** Facts per relation when the stratum that runs began. */
    readonly #before = new Map<Relation, number>();

    constructor(plan: Plan, options: RunOptions) {
        this.#options = options;
        const dictionary = new Dictionary();
        const full = (): never => this.#outOfMemory();
        const memory = new Memory(options.limits.maxMemory, () => dictionary.bytes, full);
        const counts = { memory, facts: () => this.#facts(), growing: () => this.#growing() };
        this.#context = {
            plan,
            options,
            dictionary,
            memory,
            relations: new Map(),
            groups: new Map(),
            checkpoint: new Checkpoint(options, counts),
            casts: new Casts(dictionary),
            parameter: name => this.#parameters.get(name) ?? missingParameter(name),
            report: one => this.#report(one),
        };
    }

    async evaluate(): Promise<RunOutcome> {
        const { plan, dictionary, memory, relations } = this.#context;
        const { clock, parameters, heights } = this.#options;
        const start = clock();
        this.#parameters = readParameters(plan.program.parameters, parameters, dictionary, one => this.#report(one));
        await loadAll(this.#context);
        const loaded = clock();
        let rounds = 0;
        for (const [index, stratum] of plan.strata.entries()) {
            for (const relation of relations.values()) this.#before.set(relation, relation.count);
            rounds += evaluateStratum(stratum, { stratum: index + 1, strata: plan.strata.length }, this.#context);
        }
        if (heights) for (const relation of relations.values()) relation.setHeights(relation.count, 0);
        const statistics = {
            facts: this.#facts(),
            rounds,
            loading: loaded - start,
            evaluating: clock() - loaded,
            peakBytes: memory.peak,
        };
        return { ok: true, database: this.#database(), reports: this.reports(), statistics };
    }

    reports(): Report[] {
        return [...this.#reports.values(), ...this.#context.casts.reports()];
    }

    #database(): Database {
        const { plan, dictionary, relations } = this.#context;
        for (const [key, { internal }] of plan.relations) if (!internal) relationOf(this.#context, key);
        return {
            program: plan.program,
            dictionary,
            relation: predicate => relations.get(predicate),
            parameters: new Map([...this.#parameters].map(([name, { value }]) => [name, value])),
        };
    }

    /** One report per code and place. */
    #report(one: Report): void {
        const { place, span } = one.location ?? {};
        const key = `${one.code} ${place?.file} ${place?.offset} ${span?.start} ${one.source?.file} ${one.location ? '' : one.message}`;
        if (!this.#reports.has(key)) this.#reports.set(key, one);
    }

    #facts(): number {
        const { plan, relations } = this.#context;
        let facts = 0;
        for (const [key, relation] of relations) if (!plan.relations.get(key)!.internal) facts += relation.count;
        return facts;
    }

    #growing(): string | undefined {
        let most = 0;
        let name: string | undefined;
        for (const [key, relation] of this.#context.relations) {
            const added = relation.count - (this.#before.get(relation) ?? 0);
            if (added <= most) continue;
            most = added;
            name = this.#context.plan.relations.get(key)!.predicate.name;
        }
        return name;
    }

    #outOfMemory(): never {
        const megabytes = Math.round(this.#options.limits.maxMemory / 2 ** 20);
        return stop('RT031', {}, 'maxMemory', `${megabytes.toLocaleString('en-US')} MB`, this.#growing());
    }
}
