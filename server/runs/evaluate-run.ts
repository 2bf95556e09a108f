import type { RunOutcome } from '#engine/contracts/database.ts';
import type { Providers } from '#engine/contracts/providers.ts';
import { RunStopped, report, stop } from '#engine/reports/reports.ts';
import { namedAnnotations, placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { readProgram } from '#language/read-program.ts';
import { reportNotice } from '#server/notices/notice.ts';
import type { FromProcess, ProcessEnd, ProgramRun, SourceState } from '#server/protocol/run-process.ts';
import { sourceStates } from '#server/sources/source-state.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import type { AskedFact } from './asked-fact.ts';
import { bytesOf } from './database-bytes.ts';
import { type Evaluated, errorsOf, evaluateLoaded, processHost } from './evaluate-loaded.ts';
import { unknownParameters, usedParameters } from './given-parameters.ts';
import type { HeldRun } from './held-run.ts';
import { type LoadedProgram, loadProgram } from './load-program.ts';
import { outputSummary } from './output-summary.ts';
import { type PreparedRun, prepareRun, type RunHost } from './prepare-run.ts';
import { provenanceNeeds } from './provenance.ts';
import { readAgain } from './read-again.ts';
import { type Results, resultsOf } from './results.ts';
import { runSource } from './run-source.ts';
import { remark, wireNotices } from './wire-notice.ts';

/** The input for serving the rows of a run. */
export interface FinishedRun {
    readonly run: ProgramRun;
    readonly loaded: LoadedProgram;
    readonly results: Results;
    /** Bytes that a second evaluation may hold beside the first. */
    readonly memoryLeft: number;
    readonly providers: Providers;
    /** As they were before; of a run whose rows may be kept. */
    readonly sources?: readonly SourceState[];
    /** Of a run whose rows follow edits. */
    readonly live?: LiveProgram;
}

/** The input for following the edits of a program. */
export interface LiveProgram {
    readonly held: HeldRun;
    /** The answers of its sources at the first reading. */
    readonly lookup: SourceLookup;
    readonly read: typeof readProgram;
}

export interface EvaluatedRun {
    readonly end: ProcessEnd;
    readonly finished?: FinishedRun;
}

const SMALLEST_MEMORY = 64 * 1024 * 1024;

/** Reads, checks and evaluates the text, and puts the files of its output binds in place. */
export async function evaluateRun(run: ProgramRun, providers: Providers, send: (message: FromProcess) => void): Promise<EvaluatedRun> {
    const start = performance.now();
    const [lookup, read] = [new SourceLookup(), readAgain()];
    const loaded = await loadProgram(runSource(run, run.live === undefined ? undefined : read), lookup);
    const { program } = loaded;
    const unknown = unknownParameters(program, run.parameters);
    const sources = run.remembered ? await sourceStates(program.binds, loaded.access) : undefined;
    let held: HeldRun | string | undefined;
    const hold = async (prepared: PreparedRun): Promise<RunOutcome> => {
        held = await prepared.hold({ alone: true });
        return typeof held === 'string' ? prepared.evaluate() : held.outcome;
    };
    const done = await evaluated(run, loaded, providers, processHost(send), run.live === undefined ? undefined : hold);
    const told = {
        milliseconds: Math.round(performance.now() - start),
        notices: [...unknown, ...done.notices],
        reported: done.reported.map(place => ({ ...place, notice: unknown.length + place.notice })),
    };
    if (!done.ok) return { end: { outcome: 'failed', ...told, ...(done.askedTarget && { askedTarget: done.askedTarget }) } };
    const { results, facts, atoms } = done;
    const parameters = usedParameters(program, run.parameters);
    return {
        end: {
            outcome: 'finished',
            ...told,
            outputs: results.listings.map(outputSummary),
            facts,
            parameters,
            ...(atoms && { atoms }),
            ...(run.live && { live: typeof held === 'string' ? { why: held } : {} }),
        },
        finished: {
            run,
            loaded,
            results,
            memoryLeft: Math.max(SMALLEST_MEMORY, run.limits.maxMemory - bytesOf(results.database)),
            providers,
            ...(sources && { sources }),
            ...(typeof held === 'object' && { live: { held, lookup, read } }),
        },
    };
}

async function evaluated(
    run: ProgramRun,
    loaded: LoadedProgram,
    providers: Providers,
    host: RunHost,
    evaluate?: Parameters<typeof evaluateLoaded>[3],
): Promise<Evaluated> {
    const shown = chosenPredicates(run, loaded);
    const needed = run.refused && reportNotice(report('RT063', {}, run.refused.what, run.refused.reason));
    const wrong = [
        ...errorsOf(loaded),
        ...(needed === undefined ? [] : wireNotices([needed], loaded)),
        ...(typeof shown === 'string' ? [remark(shown)] : []),
    ];
    if (typeof shown === 'string' || wrong.length > 0) return { ok: false, notices: wrong, reported: [] };
    const { limits, python, predicates, profiled = false, live } = run;
    const writes = predicates === undefined && live !== 'looks';
    return evaluateLoaded(loaded, { shown, writes, profile: profiled, limits, python, providers }, host, evaluate);
}

/** Evaluates a run once more, keeping heights; also predicates that it did not need. Its present is that of the run. */
export async function evaluateWithHeights(
    run: ProgramRun,
    loaded: LoadedProgram,
    shown: readonly PredicateKey[],
    asked: {
        readonly also: readonly PredicateKey[];
        readonly maxMemory: number;
        readonly now: number;
        readonly providers: Providers;
        readonly cancelled: () => string | undefined;
        /** Facts that sources do not give, whatever they have. */
        readonly lacking?: readonly AskedFact[];
    },
): Promise<Results> {
    const { also, maxMemory, now, providers, cancelled, lacking } = asked;
    const host = { clock: () => performance.now(), cancelled, send: () => undefined };
    const needed = run.predicates === undefined ? provenanceNeeds(loaded.program).goals : [];
    const request = {
        shown,
        also: [...needed, ...also],
        writes: false,
        heights: true,
        now: () => now,
        ...(lacking && { lacking }),
        limits: { ...run.limits, maxMemory },
        python: run.python,
        providers,
    };
    const again = await (await prepareRun(loaded, request, host)).evaluate();
    if (again.ok) return resultsOf(again.database, shown);
    throw new RunStopped(again.reports.find(({ severity }) => severity === 'error') ?? stop('RT032', {}, say`its process`));
}

/** The predicates to show, or why there are none. */
export function chosenPredicates(
    { predicates: names, otherPrograms }: ProgramRun,
    { program }: LoadedProgram,
): readonly PredicateKey[] | string {
    if (names === undefined) return otherPrograms === undefined ? program.outputs : withModuleOutputs(program);
    const chosen = names.map(name => [...program.predicates.values()].filter(predicate => predicate.name === name).map(({ key }) => key));
    const missing = names.find((_, at) => chosen[at]?.length === 0);
    return missing === undefined ? [...new Set(chosen.flat())] : say`The program has no predicate '${missing}'`;
}

/** The outputs of the program and those of the modules that come with it. */
function withModuleOutputs({ program, outputs, predicatesNamed }: AnalysedProgram): PredicateKey[] {
    const named = namedAnnotations(placedAnnotations(program), 'output').flatMap(({ predicate }) => predicatesNamed(predicate));
    return [...new Set([...outputs, ...named.map(({ key }) => key)])];
}
