import { dirname, resolve } from 'node:path';
import type { Database, RunOutcome } from '#engine/database.ts';
import { evaluate } from '#engine/engine.ts';
import { LIMIT_REMEDIES, type Report, report } from '#engine/reports.ts';
import type { RunOptions } from '#engine/run-options.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import { EXIT, type ExplainJob, type GivenSurroundings, type JobProgress, type RunJob } from '#server/protocol/jobs.ts';
import { type RunConnectors, runConnectors } from '#server/sources/connectors.ts';
import { type Notice, problemNotice, reportNotice } from '#server/terminal/notice.ts';
import { visible } from '#server/terminal/visible-text.ts';
import { checkedModules } from './checked-modules.ts';
import { DEFAULT_LIMITS } from './default-limits.ts';
import { unknownParameters } from './given-parameters.ts';
import type { JobContext } from './job-context.ts';
import { type LoadedProgram, loadProgram } from './load-program.ts';
import { missingToldOnce, NOT_FOUND } from './missing-files.ts';
import { provenanceNeeds } from './provenance.ts';
import { sayCounts, sayNotices, toldText } from './say-notices.ts';
import { tryTargets, writtenBinds } from './try-targets.ts';
import { checkpointOf } from './write-outputs.ts';

export interface Evaluation {
    readonly ok: true;
    readonly loaded: LoadedProgram;
    readonly outcome: Extract<RunOutcome, { ok: true }>;
    readonly connectors: RunConnectors;
    /** What is said of the program that is no error and no warning. */
    readonly notes: readonly Notice[];
    /** Evaluates once more, with these predicates complete; nothing where that takes longer than so many milliseconds. */
    readonly again: (goals: ReadonlySet<PredicateKey>, milliseconds: number) => Promise<Database | undefined>;
    /** Ends the job once somebody has stopped it or its time is up, writing included. */
    readonly checkpoint: () => void;
    readonly isLate: () => boolean;
    /** Shows, now and then, that an explanation is under way, and how many facts have one. */
    readonly explaining: (facts: number) => void;
}

export type Evaluated = Evaluation | { readonly ok: false; readonly exitCode: number };

/** Rounds per stratum, where a limit applies at all (D-29.4). */
const PROGRESS_EVERY = 100;
const STRICT = new Set(['RT021', 'RT071', 'RT073']);

/** What decides before a run whether it makes sense: words for the user, or nothing. */
export type Precheck = (loaded: LoadedProgram) => string | undefined;

/** Reads, checks and evaluates the program of a job, with a goal that need not be an output, and tells its problems and reports. Nothing is written yet. */
export async function evaluateJob(
    job: RunJob | ExplainJob,
    context: JobContext,
    precheck: Precheck,
    goal?: PredicateKey,
): Promise<Evaluated> {
    const deadline = job.limits.timeout === undefined ? undefined : context.clock() + job.limits.timeout;
    const given = new Map<string, unknown>(job.parameters);
    if (job.limits.timeout !== undefined) {
        const late = report('RT031', { remedy: LIMIT_REMEDIES.time }, 'time', '', undefined);
        context.send({ kind: 'reading', milliseconds: job.limits.timeout, words: toldText(reportNotice(late), context) });
    }
    const loaded = await loadProgram(job.file, job, given);
    const reported = reportedTo(job, loaded, context);
    context.endReading();
    const isTold = ({ severity }: Notice): boolean => severity === 'error' || severity === 'warning';
    const problems = reported.filter(isTold);
    for (const [file, source] of [[loaded.file, loaded.source] as const, ...loaded.modules]) context.texts.set(file, source);
    const isFailed = problems.some(({ severity }) => severity === 'error');
    // A missing file is told by the run that ends at it, or else after the run.
    const awaitsRun = ({ code }: Notice): boolean => !isFailed && code === NOT_FOUND;
    sayNotices(
        problems.filter(one => !awaitsRun(one)),
        context,
    );
    if (isFailed) {
        sayCounts(problems, context);
        return { ok: false, exitCode: EXIT.failed };
    }
    const refusal = precheck(loaded);
    if (refusal !== undefined) {
        context.say(`${refusal}\n`);
        return { ok: false, exitCode: EXIT.usage };
    }
    for (const { message, remedy } of unknownParameters(loaded.program, given))
        context.say(`warning: ${message}${remedy === undefined ? '' : `; ${remedy}`}\n\n`);

    const connectors = runConnectors({
        ...loaded.access,
        onTemporary: (path, exists) => context.send({ kind: 'temporary', path, exists }),
    });
    const needs = job.kind === 'run' ? provenanceNeeds(loaded.program) : { heights: true, goals: [] };
    const goals = [...(goal === undefined ? [] : [goal]), ...needs.goals].filter(key => loaded.program.predicates.has(key));
    if (job.kind === 'run') await tryTargets(writtenBinds(loaded.program, loaded.program.outputs), connectors);
    const progress = context.streams.errorWidth === undefined ? undefined : progressSender(context);
    const options: RunOptions = {
        parameters: given,
        limits: { ...DEFAULT_LIMITS, ...job.limits },
        connectors,
        cancelled: context.cancelled,
        clock: context.clock,
        ...runSurroundings(job.surroundings),
        ...(deadline === undefined ? {} : { deadline }),
        ...(progress === undefined ? {} : { progress }),
        heights: needs.heights,
        profile: job.kind === 'run' && job.profile !== undefined,
        constraints: job.kind === 'run',
        goalsOnly: job.kind === 'run',
        ...(goals.length > 0 ? { goals: new Set([...loaded.program.outputs, ...goals]) } : {}),
    };
    const again: Evaluation['again'] = async (complete, milliseconds) => {
        const end = Math.min(deadline ?? Number.POSITIVE_INFINITY, context.clock() + milliseconds);
        const repeated = await evaluate(loaded.program, { ...options, goals: complete, profile: false, constraints: false, deadline: end });
        return repeated.ok ? repeated.database : undefined;
    };
    const isLate = (): boolean => deadline !== undefined && context.clock() >= deadline;
    const outcome = await evaluated(loaded.program, options, context, job.kind === 'explain' ? goal : undefined, isLate);
    const strict = job.kind === 'run' && job.strict;
    const reports = missingToldOnce(
        problems.filter(awaitsRun),
        outcome.reports.map(report => reportNotice(strict ? strictly(report) : report)),
    );
    sayNotices(reports, context);
    if (outcome.ok && !reports.some(({ severity }) => severity === 'error')) {
        return {
            ok: true,
            loaded,
            outcome,
            connectors,
            notes: reported.filter(notice => !isTold(notice)),
            again,
            checkpoint: checkpointOf(context, isLate),
            isLate,
            explaining: facts => progress?.({ phase: 'explaining', stratum: 0, strata: 0, round: 0, facts }),
        };
    }
    sayNothingWritten(job, loaded, context);
    return { ok: false, exitCode: context.stoppedCode() };
}

/**
 * The outcome of a run. Where it fails and a question is about one predicate, what this one rests on is evaluated alone; then the
 * failure, which lies elsewhere, is but a note.
 */
async function evaluated(
    program: AnalysedProgram,
    options: RunOptions,
    { cancelled }: JobContext,
    asked: PredicateKey | undefined,
    isLate: () => boolean,
): Promise<RunOutcome> {
    const outcome = await evaluate(program, options);
    if (outcome.ok || asked === undefined || !program.predicates.has(asked) || cancelled() !== undefined || isLate()) return outcome;
    const own = await evaluate({ ...program, outputs: [] }, { ...options, goals: new Set([asked]) });
    if (!own.ok) return own;
    const elsewhere = outcome.reports.filter(({ severity }) => severity === 'error');
    return { ...own, reports: [...own.reports, ...elsewhere.map(report => ({ ...report, severity: 'information' as const }))] };
}

/** What a check tells, too. A project that finds a warning as bad as an error still has its programs run. */
function reportedTo({ currentFolder }: RunJob | ExplainJob, loaded: LoadedProgram, context: JobContext): Notice[] {
    const { file, source, program, problems } = loaded;
    const { severities, complaints } = projectSettings(dirname(resolve(currentFolder, file)));
    for (const complaint of complaints) context.say(`warning: ${visible(complaint)}\n\n`);
    const milder = new Map([...severities].filter(([, severity]) => severity !== 'error'));
    const own = problems.filter(({ place }) => place.file === file);
    const told = reportedProblems({ ...program.program, text: source.text, problems: own }, milder).map(problemNotice);
    return [...told, ...checkedModules(loaded, milder).flatMap(({ notices }) => notices)];
}

function runSurroundings({ seed, now }: GivenSurroundings): Pick<RunOptions, 'seed' | 'now'> {
    return { ...(seed === undefined ? {} : { seed }), ...(now === undefined ? {} : { now: () => now }) };
}

function strictly(report: Report): Report {
    return STRICT.has(report.code) ? { ...report, severity: 'error' } : report;
}

function sayNothingWritten(job: RunJob | ExplainJob, { program }: LoadedProgram, context: JobContext): void {
    if (job.kind === 'run' && writtenBinds(program, program.outputs).length > 0)
        context.say('Nothing was written; every output file is as it was.\n');
    else if (context.cancelled() !== undefined) context.say('Nothing was printed or written.\n');
}

function progressSender(context: JobContext): (progress: Omit<JobProgress, 'kind'>) => void {
    let last = Number.NEGATIVE_INFINITY;
    return progress => {
        const now = context.clock();
        if (now - last < PROGRESS_EVERY) return;
        last = now;
        context.send({ kind: 'progress', ...progress });
    };
}

/** The names of the outputs, in their order. */
export function outputNames(database: Pick<Database, 'program'>): string[] {
    return database.program.outputs.flatMap(key => database.program.predicates.get(key)?.name ?? []);
}
