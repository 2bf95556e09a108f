import type { RunOutcome } from '#engine/contracts/database.ts';
import type { Providers } from '#engine/contracts/providers.ts';
import type { QueryEngine } from '#engine/contracts/queries.ts';
import type { Filling, RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { HeldProgram, type Upkeep } from '#engine/maintain/held-program.ts';
import { stop } from '#engine/reports/reports.ts';
import type { Connectors } from '#engine/sources/source.ts';
import type { AnalysedProgram, Bind, PredicateKey } from '#language/program/analysed-program.ts';
import { sqlEngine } from '#server/compute/sql-engine.ts';
import type { EvaluationLimits, JobProgress } from '#server/protocol/jobs.ts';
import type { PythonUse } from '#server/protocol/run-process.ts';
import type { RunProgress } from '#server/protocol/runs.ts';
import { scriptEngine } from '#server/python/script-engine.ts';
import { keptScripts, scriptsBeside } from '#server/python/script-texts.ts';
import { type RunConnectors, runConnectors } from '#server/sources/connectors.ts';
import { teamOf } from '#server/team/team.ts';
import type { AskedFact } from './asked-fact.ts';
import { type HeldRun, type Holding, holdRun } from './held-run.ts';
import type { LoadedProgram } from './load-program.ts';
import { provenanceBinds, provenanceNeeds, provenanceOf, provenanceRemedy } from './provenance.ts';
import { refuseUnfilled } from './refuse-unfilled.ts';
import type { Results } from './results.ts';
import { runCompute } from './run-compute.ts';
import { sourcesWithout } from './what-if/sources-without.ts';
import { checkpointOf, outputWritings, writeOutputs } from './write-outputs.ts';

/** The requested outputs and options of a run. */
export interface RunRequest extends Pick<RunOptions, 'heights' | 'profile' | 'constraints' | 'goalsOnly' | 'readsAll' | 'seed' | 'now'> {
    /** The predicates that are shown; where no other is asked for either and there is none, all are evaluated. */
    readonly shown: readonly PredicateKey[];
    /** Others that have to be complete. */
    readonly also?: readonly PredicateKey[];
    /** Whether what the program binds to files is written. */
    readonly writes: boolean;
    readonly limits: EvaluationLimits;
    /** When its time began, by the clock of its host: now where absent. */
    readonly began?: number;
    /** Rows of input predicates that come from elsewhere. */
    readonly input?: Connectors['input'];
    /** Names of predicates whose sources are not read: they have the facts of the program alone. */
    readonly unread?: ReadonlySet<string>;
    /** Facts that sources do not give, whatever they have. */
    readonly lacking?: readonly AskedFact[];
    /** How scripts are run; without it they are not. */
    readonly python?: PythonUse | undefined;
    /** Functions that the host answers, such as those of models. */
    readonly providers: Providers;
    /** The scripts of a concept; those of other programs lie beside them. */
    readonly scripts?: Readonly<Record<string, string>> | undefined;
}

/** The services that a run needs from its caller. */
export interface RunHost {
    /** Milliseconds. */
    readonly clock: () => number;
    /** The reason why the run was stopped, in words; undefined while it goes on. */
    readonly cancelled: () => string | undefined;
    readonly send: (message: RunMessage) => void;
    /** Hears words for the user about files, where there is someone to hear them. */
    readonly say?: (words: string) => void;
    /** Hears often how far it is. */
    readonly progress?: RunOptions['progress'];
}

export type RunMessage =
    | { readonly kind: 'progress'; readonly progress: Omit<RunProgress, 'run'> }
    /** A temporary file exists, or is gone. */
    | { readonly kind: 'temporary'; readonly path: string; readonly exists: boolean };

/** A run that may begin, as far as that shows beforehand. */
export interface PreparedRun {
    /** Evaluates the program, or a part of it, with what is asked for or with other options. Nothing is written. */
    evaluate(other?: Partial<RunOptions>, part?: AnalysedProgram): Promise<RunOutcome>;
    /** Opens the program for results that follow whatever is changed about it; what is changed may ask the world again. */
    open(upkeep: Partial<Upkeep>): Promise<HeldProgram>;
    /** Evaluates the program for results that follow what is changed about it; or says why it cannot be held alone. Nothing is written. */
    hold(holding: Holding): Promise<HeldRun | string>;
    /** Words for the user about how scripts were run, so far. */
    readonly notes: ReadonlySet<string>;
    /** Puts the files of output binds, of `@chase` and of `@explain` in place. */
    write(results: Results, checkpoint?: () => void): Promise<Written>;
}

export interface Written {
    /** Sentences that name the outputs and their targets, without their end. */
    readonly sentences: readonly string[];
    /** The text of `@chase` and `@explain` for the console. */
    readonly console: string;
}

/** Limits that apply where nothing else is asked for (4.7). */
const USUAL_LIMITS = { maxRounds: 10_000, maxNullDepth: 200, isoDepth: 3 } as const;

/** Threads of the database that answers SQL queries. */
const SQL_THREADS = 2;

/** Makes a run ready; ends it where something that it would write cannot be written. */
export async function prepareRun(loaded: LoadedProgram, request: RunRequest, host: RunHost): Promise<PreparedRun> {
    const { program, parameters } = loaded;
    const {
        shown,
        also = [],
        writes,
        limits,
        input,
        unread,
        lacking,
        python,
        providers,
        scripts: kept,
        heights = false,
        began = host.clock(),
        ...asked
    } = request;
    const { clock, cancelled, progress } = host;
    const notes = new Set<string>();
    const scripts =
        python &&
        scriptEngine({
            use: python,
            scriptsOf: file => (kept === undefined ? scriptsBeside(loaded.access, file) : keptScripts(kept)),
            currentFolder: loaded.access.currentFolder,
            ...(kept === undefined && { access: loaded.access }),
            memory: limits.maxMemory / 2,
            note: words => void notes.add(words),
        });
    const team = teamOf(limits.threads ?? 1);
    const files = runConnectors({
        ...loaded.access,
        ...(team && { team }),
        onTemporary: (path, exists) => host.send({ kind: 'temporary', path, exists }),
    });
    const known = unread === undefined ? files : readingNot(unread, files);
    const read = lacking === undefined ? known : sourcesWithout(lacking, known);
    const needs = writes ? provenanceNeeds(program) : { heights: false, goals: [] };
    const goals = [...shown, ...also, ...needs.goals];
    if (writes) refuseUnfilled(program, shown);
    if (writes) await tryTargets(writtenBinds(program, shown), files);
    const options: RunOptions = {
        ...asked,
        parameters,
        clock,
        cancelled,
        ...(progress && { progress }),
        connectors: { ...read, ...(input !== undefined && { input }) },
        limits: { ...USUAL_LIMITS, ...limits },
        ...(limits.timeout !== undefined && { deadline: began + limits.timeout }),
        heights: heights || needs.heights,
        ...(goals.length > 0 && { goals: new Set(goals) }),
        ...(scripts && { scripts }),
        ...(team && { team }),
        providers,
    };
    const openQueries = (): ReturnType<typeof sqlEngine> => sqlEngine({ memory: limits.maxMemory / 2, threads: SQL_THREADS });
    return {
        evaluate: async (other = {}, part = program) => {
            const queries = openQueries();
            const compute = runCompute(limits);
            try {
                return await evaluate(part, { ...options, queries, ...(compute && { compute: compute.start }), ...other });
            } finally {
                queries.close();
                compute?.close();
                team?.end();
            }
        },
        open: upkeep => HeldProgram.open(program, { ...options, queries: eachAlone(openQueries) }, upkeep).finally(team?.end),
        hold: holding => holdRun(program, { ...options, queries: eachAlone(openQueries) }, holding).finally(team?.end),
        notes,
        write: async (results, checkpoint = checkpointOf(host)) => {
            refuseUnfilled(
                program,
                results.listings.map(({ predicate }) => predicate),
            );
            const provenance = provenanceOf(results, checkpoint);
            const writings = [...outputWritings(results.listings, program), ...provenance.writings];
            return { sentences: await writeOutputs(writings, files, host, checkpoint), console: provenance.console };
        },
    };
}

/** Answers each query with an engine of its own, so that callers may ask at any time. */
function eachAlone(open: () => ReturnType<typeof sqlEngine>): QueryEngine {
    return {
        answer: async (...asked) => {
            const engine = open();
            try {
                await engine.answer(...asked);
            } finally {
                engine.close();
            }
        },
    };
}

function readingNot(names: ReadonlySet<string>, files: RunConnectors): RunConnectors {
    return { ...files, source: bind => (names.has(bind.predicate) ? { name: bind.inner, load: () => undefined } : files.source(bind)) };
}

/** The binds that a run of these predicates writes to. */
export function writtenBinds(program: AnalysedProgram, keys: readonly PredicateKey[]): Bind[] {
    return [...keys.flatMap(key => program.predicates.get(key)?.outputBinds ?? []), ...provenanceBinds(program)];
}

async function tryTargets(binds: readonly Bind[], connectors: RunConnectors): Promise<void> {
    for (const bind of binds) {
        const location = { place: bind.place, span: bind.annotation.span };
        const sink = connectors.sink(bind) ?? stop('RT061', { location, ...provenanceRemedy(bind) }, bind.type, bind.kind);
        await sink.try();
    }
}

/** Milliseconds between two messages about how far a run is. */
const PROGRESS_EVERY = 250;

/** Sends how far a run is, now and then. */
export function progressSender<P extends JobProgress>(
    clock: () => number,
    send: (message: { kind: 'progress'; progress: P }) => void,
): (progress: P, filling?: () => Filling | undefined) => void {
    let last = Number.NEGATIVE_INFINITY;
    return (progress, filling) => {
        const now = clock();
        if (now - last < PROGRESS_EVERY) return;
        last = now;
        const filled = filling?.();
        send({ kind: 'progress', progress: { ...progress, ...(filled && { filling: filled }) } });
    };
}
