import { basename } from 'node:path';
import type { Database, RunOutcome } from '#engine/database.ts';
import { evaluate } from '#engine/engine.ts';
import { RunStopped, stop } from '#engine/reports.ts';
import { type Listing, listPredicate, nullLabels } from '#engine/results/listing.ts';
import type { Progress, RunOptions } from '#engine/run-options.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { NullLabel } from '#engine/values/text.ts';
import type { AnalysedProgram, Bind, PredicateKey } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { UnusualTarget } from '#server/files/write-granted.ts';
import type { FromProcess, ProcessEnd, ProgramRun, ReportedPlace } from '#server/protocol/run-process.ts';
import type { RunNotice } from '#server/protocol/runs.ts';
import { type RunConnectors, runConnectors } from '#server/sources/connectors.ts';
import { labelNulls } from '#server/terminal/label-nulls.ts';
import { type Notice, problemNotice, reportNotice } from '#server/terminal/notice.ts';
import { positionAt, type SourceText, sourceText } from '#server/terminal/source-texts.ts';
import { DEFAULT_LIMITS } from './default-limits.ts';
import { unknownParameters, usedParameters } from './given-parameters.ts';
import { type LoadedRun, loadRun } from './load-run.ts';
import { outputSummary } from './output-summary.ts';
import { provenanceNeeds, provenanceOf } from './provenance.ts';
import { tryTargets, writtenBinds } from './try-targets.ts';
import { outputWritings, writeOutputs } from './write-outputs.ts';

/** What serving the rows of a run needs. */
export interface FinishedRun {
    readonly run: ProgramRun;
    readonly loaded: LoadedRun;
    /** The texts of the program and its modules by their files. */
    readonly sources: ReadonlyMap<string, SourceText>;
    readonly results: Results;
    /** Bytes that a second evaluation may hold beside the first. */
    readonly memoryLeft: number;
}

/** The shown relations of one evaluation. */
export interface Results {
    readonly database: Database;
    readonly listings: readonly Listing[];
    /** Labels of nulls by their first appearance in the listings. */
    readonly label: NullLabel;
}

export interface EvaluatedRun {
    readonly end: ProcessEnd;
    readonly finished?: FinishedRun;
}

/** Rounds per stratum, where a limit applies at all (D-29.4). */
const PROGRESS_EVERY = 100;
/** Notices sent at most; the editor shows the problems of the program anyway. */
const NOTICES = 100;
const SMALLEST_MEMORY = 64 * 1024 * 1024;

/** Reads, checks and evaluates the text, and puts the files of its output binds in place. */
export async function evaluateRun(run: ProgramRun, send: (message: FromProcess) => void): Promise<EvaluatedRun> {
    const start = performance.now();
    const sources = sourcesOf(run);
    const notices: Notice[] = [];
    const said: string[] = [];
    let binds: readonly Bind[] = [];
    let unknown: readonly RunNotice[] = [];
    const end = (): Pick<ProcessEnd, 'milliseconds' | 'notices' | 'reported'> => ({
        milliseconds: Math.round(performance.now() - start),
        notices: [
            ...unknown,
            ...notices.slice(0, NOTICES).map(notice => wireNotice(notice, run.file, sources, binds)),
            ...said.map(remark),
        ],
        reported: reportedPlaces(notices.slice(0, NOTICES)),
    });
    try {
        const loaded = await loadRun(run);
        binds = bindsOf(loaded.program);
        unknown = unknownParameters(loaded.program, run.parameters);
        notices.push(...loaded.problems.filter(({ severity }) => severity === 'error').map(problemNotice));
        const chosen = chosenPredicates(loaded, run.predicates);
        if (typeof chosen === 'string') said.push(chosen);
        if (notices.length > 0 || typeof chosen === 'string') return { end: { outcome: 'failed', ...end() } };

        const writes = run.predicates === undefined;
        const needs = needsOf(run, loaded);
        const evaluating = evaluator(run, loaded, [...chosen, ...needs.goals], abandoned(), send);
        if (writes) await tryTargets(writtenBinds(loaded.program, chosen), evaluating.connectors);
        const outcome = await evaluating.evaluate(run.limits.maxMemory, needs.heights);
        notices.push(...outcome.reports.map(reportNotice));
        if (!outcome.ok) return { end: { outcome: 'failed', ...end() } };

        const results = resultsOf(outcome.database, chosen);
        if (writes) said.push(...(await writeFiles(results, loaded.program, evaluating.connectors, send)));
        const memoryLeft = Math.max(SMALLEST_MEMORY, run.limits.maxMemory - bytesOf(outcome.database));
        const { facts } = outcome.statistics;
        const parameters = usedParameters(loaded.program, run.parameters);
        return {
            end: { outcome: 'finished', ...end(), outputs: results.listings.map(outputSummary), facts, parameters },
            finished: { run, loaded, sources, results, memoryLeft },
        };
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        notices.push(reportNotice(error.report));
        const unusualTarget = error instanceof UnusualTarget ? { unusualTarget: error.path } : {};
        return { end: { outcome: 'failed', ...end(), ...unusualTarget } };
    }
}

/** Evaluates a run once more, keeping heights; also predicates that it did not need. */
export async function evaluateWithHeights(
    run: ProgramRun,
    loaded: LoadedRun,
    chosen: readonly PredicateKey[],
    {
        also,
        maxMemory,
        cancelled,
    }: { readonly also: readonly PredicateKey[]; readonly maxMemory: number; readonly cancelled: () => string | undefined },
): Promise<Results> {
    const goals = [...chosen, ...needsOf(run, loaded).goals];
    const again = await evaluator(run, loaded, goals.length === 0 ? [] : [...goals, ...also], cancelled, () => undefined).evaluate(
        maxMemory,
        true,
    );
    const failure = again.reports.find(({ severity }) => severity === 'error');
    if (!again.ok) throw new RunStopped(failure ?? stop('RT032', {}, 'its process'));
    return resultsOf(again.database, chosen);
}

/** What a run has to know for the files that it writes. */
function needsOf({ predicates }: ProgramRun, { program }: LoadedRun): ReturnType<typeof provenanceNeeds> {
    return predicates === undefined ? provenanceNeeds(program) : { heights: false, goals: [] };
}

/** The predicates to show, or why there are none. */
export function chosenPredicates(
    { outputs, program: { predicates } }: LoadedRun,
    names: readonly string[] | undefined,
): readonly PredicateKey[] | string {
    if (names === undefined) return outputs;
    const chosen = names.map(name => [...predicates.values()].filter(predicate => predicate.name === name).map(({ key }) => key));
    const missing = names.find((_, at) => chosen[at]?.length === 0);
    return missing === undefined ? [...new Set(chosen.flat())] : `The program has no predicate '${missing}'`;
}

interface Evaluator {
    readonly connectors: RunConnectors;
    evaluate(maxMemory: number, heights: boolean): Promise<RunOutcome>;
}

function evaluator(
    run: ProgramRun,
    { program, access }: LoadedRun,
    goals: readonly PredicateKey[],
    cancelled: () => string | undefined,
    send: (message: FromProcess) => void,
): Evaluator {
    const connectors = runConnectors({
        ...access,
        onTemporary: (path, exists) => send({ kind: 'temporary', path, exists }),
    });
    const clock = (): number => performance.now();
    const { timeout, maxRounds = DEFAULT_LIMITS.maxRounds } = run.limits;
    const options = (): Omit<RunOptions, 'limits'> => ({
        parameters: run.parameters,
        connectors,
        cancelled,
        clock,
        progress: progressSender(send),
        ...(timeout === undefined ? {} : { deadline: clock() + timeout }),
        ...(goals.length === 0 ? {} : { goals: new Set(goals) }),
    });
    return {
        connectors,
        evaluate: (maxMemory, heights) => evaluate(program, { ...options(), heights, limits: { ...DEFAULT_LIMITS, maxRounds, maxMemory } }),
    };
}

/** Ends this process when the one that started it is gone: a loop that runs on would hear no message. */
export function abandoned(): () => undefined {
    const parent = process.ppid;
    let next = performance.now();
    return () => {
        const now = performance.now();
        if (now < next) return undefined;
        next = now + PROGRESS_EVERY;
        if (process.ppid !== parent) process.exit();
        return undefined;
    };
}

/** Sends how far a run is, now and then. */
export function progressSender(send: (message: FromProcess) => void): (progress: Progress) => void {
    let last = Number.NEGATIVE_INFINITY;
    return progress => {
        const now = performance.now();
        if (now - last < PROGRESS_EVERY) return;
        last = now;
        send({ kind: 'progress', progress });
    };
}

/** Writes the files of output binds, of `@chase` and of `@explain`, and says which, and what goes to the console. */
export async function writeFiles(
    results: Results,
    program: AnalysedProgram,
    connectors: RunConnectors,
    send: (message: FromProcess) => void,
): Promise<string[]> {
    const words: string[] = [];
    const provenance = provenanceOf(results, () => undefined);
    const written = await writeOutputs([...outputWritings(results.listings, program), ...provenance.writings], connectors, {
        cancelled: () => undefined,
        say: text => words.push(text.trim()),
        send: ({ kind, ...progress }) => send({ kind, progress }),
    });
    if (written.length > 0) words.push(`Wrote ${written.join(', ')}`);
    return provenance.console === '' ? words : [...words, provenance.console.trimEnd()];
}

/** The shown relations of a database, with labels for their nulls. */
export function resultsOf(database: Database, keys: readonly PredicateKey[]): Results {
    const listings = keys.map(key => listPredicate(database, key));
    return { database, listings, label: labelled(listings, database.dictionary) };
}

/** Labels of nulls by their first appearance in listings. */
export function labelled(listings: readonly Listing[], dictionary: Dictionary): NullLabel {
    const label = nullLabels(dictionary);
    labelNulls({ listings: [], all: listings.flatMap(withNulls), label }, 0);
    return label;
}

const MAY_HOLD_NULLS: ReadonlySet<Type['kind']> = new Set<Type['kind']>(['list', 'set', 'map', 'struct', 'mixed']);

/** The columns of a listing in which nulls stand, if any. */
function withNulls(listing: Listing): Listing[] {
    const { dictionary, relation } = listing;
    const held = [...listing.columns.keys()].filter(column => {
        if (MAY_HOLD_NULLS.has(listing.columns[column]?.type.kind ?? 'mixed')) return true;
        return relation.columns[column]?.subarray(0, relation.count).some(id => dictionary.isNull(id)) ?? false;
    });
    if (held.length === 0) return [];
    const columns = held.flatMap(column => listing.columns[column] ?? []);
    return [{ ...listing, columns, at: (row, column) => listing.at(row, held[column] ?? 0) }];
}

function bytesOf(database: Database): number {
    let bytes = database.dictionary.bytes;
    for (const key of database.program.predicates.keys()) {
        for (const column of database.relation(key)?.columns ?? []) bytes += column.byteLength;
    }
    return bytes;
}

/** The texts of the program and its modules by their files. */
export function sourcesOf({ file, text, modules }: ProgramRun): ReadonlyMap<string, SourceText> {
    return new Map([{ file, text }, ...modules.files].map(one => [one.file, sourceText(one.text)]));
}

/** Where reports of the run itself stand; problems of the program are known to whoever holds its text. */
function reportedPlaces(notices: readonly Notice[]): ReportedPlace[] {
    return notices.flatMap(({ code, place, related }, notice) =>
        place === undefined || !code.startsWith('RT') ? [] : [{ notice, ...place, related }],
    );
}

/** A place in a module is told like one in a data file: the range of a notice is one of the program. */
export function wireNotice(
    { code, severity, message, remedy, details, place, data, wanted }: Notice,
    file: string,
    sources: ReadonlyMap<string, SourceText>,
    binds: readonly Bind[],
): RunNotice {
    const bind = place && binds.find(one => one.place.file === place.file && one.place.offset + one.annotation.span.start === place.start);
    const source = place && sources.get(place.file);
    const start = place === undefined || source === undefined ? undefined : positionAt(source, place.start);
    const inModule = place === undefined || place.file === file ? undefined : { file: basename(place.file), line: (start?.line ?? 0) + 1 };
    const shown = data ?? inModule;
    return {
        code,
        severity,
        message,
        ...(remedy === undefined ? {} : { remedy }),
        ...(details === undefined ? {} : { details }),
        ...(place === undefined || source === undefined || start === undefined || place.file !== file
            ? {}
            : { range: { start, end: positionAt(source, place.end) } }),
        ...(shown === undefined ? {} : { source: shown }),
        ...(wanted === undefined ? {} : { wanted }),
        ...(bind === undefined ? {} : { bound: { type: bind.type, name: sourceName(bind) } }),
    };
}

/** All binds of a program. */
export function bindsOf({ predicates }: AnalysedProgram): Bind[] {
    return [...predicates.values()].flatMap(({ inputBinds, outputBinds }) => [...inputBinds, ...outputBinds]);
}

/** What people call a source: its table or file, and that of a query where it is asked; an address without its login. */
function sourceName({ kind, outer, inner }: Bind): string {
    return (kind === 'qbind' || inner === '' ? outer : inner).replace(/\/\/[^/]*@/u, '//');
}

/** Words about a run that no code stands for. */
export function remark(message: string): RunNotice {
    return { code: '', severity: 'information', message };
}
