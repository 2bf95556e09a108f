import { dirname, resolve } from 'node:path';
import type { Database, RunOutcome } from '#engine/contracts/database.ts';
import { LIMIT_REMEDIES, type Report, report } from '#engine/reports/reports.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { say, translated } from '#language/program/say.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { readProgramText } from '#server/files/program-text.ts';
import { type ProjectSettings, projectSettings } from '#server/files/project-settings.ts';
import { type Notice, problemNotice, reportNotice } from '#server/notices/notice.ts';
import { visible } from '#server/notices/visible-text.ts';
import { EXIT, type ProgramJob, type RunJob } from '#server/protocol/jobs.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import { type AskedQueries, askedAlone, askedQueries, UNUSED } from './asked-queries.ts';
import { withCellOutputs } from './cell-outputs.ts';
import { checkedModules } from './checked-modules.ts';
import { fileSource } from './file-source.ts';
import { unknownParameters } from './given-parameters.ts';
import type { HeldRun } from './held-run.ts';
import type { JobContext } from './job-context.ts';
import { type LoadedProgram, loadProgram } from './load-program.ts';
import { missingToldOnce, NOT_FOUND } from './missing-files.ts';
import { providersOf } from './model-providers.ts';
import { type PreparedRun, prepareRun, progressSender, writtenBinds } from './prepare-run.ts';
import { checkNeeds } from './project-needs.ts';
import { sayCounts, sayNotices, toldText } from './say-notices.ts';
import { checkpointOf } from './write-outputs.ts';

export interface Evaluation extends Pick<PreparedRun, 'write'> {
    readonly ok: true;
    readonly loaded: LoadedProgram;
    readonly outcome: Extract<RunOutcome, { ok: true }>;
    /** Problems of the program other than errors and warnings. */
    readonly notes: readonly Notice[];
    /** Evaluates once more, with these predicates complete; nothing where that takes longer than so many milliseconds. */
    readonly again: (goals: ReadonlySet<PredicateKey>, milliseconds: number) => Promise<Database | undefined>;
    /** Ends the job if it was stopped or its time is up, writing included. */
    readonly checkpoint: () => void;
    readonly isLate: () => boolean;
    /** Shows, now and then, that an explanation is under way, and how many facts have one. */
    readonly explaining: (facts: number) => void;
}

export type Evaluated = Evaluation | { readonly ok: false; readonly exitCode: number };

const STRICT = new Set(['RT021', 'RT071', 'RT073']);

/** Decides before a run whether it makes sense: words for the user, or undefined. */
export type Precheck = (loaded: LoadedProgram, asked: AskedQueries) => string | undefined;

/** Asks for results that follow changes. */
export interface Held {
    /** The predicates with rules whose rows are edited. */
    edited(program: AnalysedProgram): ReadonlySet<PredicateKey>;
    held(run: HeldRun): void;
}

/** Reads, checks and evaluates the program of a job, with a goal that need not be an output, and tells its problems and reports. Nothing is written yet. */
export async function evaluateJob(
    job: ProgramJob,
    context: JobContext,
    precheck: Precheck,
    goal?: PredicateKey,
    hold?: Held,
): Promise<Evaluated> {
    const folder = dirname(resolve(job.currentFolder, job.file));
    const project = projectSettings(folder);
    checkNeeds(project, folder, job);
    const { limits, surroundings } = job;
    const run = isRun(job) ? job : undefined;
    const explains = job.kind === 'explain' || job.kind === 'diff';
    const asks = run !== undefined && run.queries.length > 0;
    const writes = run !== undefined && !asks && run.further === undefined;
    const began = context.clock();
    const deadline = began + (limits.timeout ?? Number.POSITIVE_INFINITY);
    const given = new Map<string, unknown>(job.parameters);
    if (limits.timeout !== undefined) {
        const late = report('RT031', { remedy: translated(LIMIT_REMEDIES.time) }, 'time', '', undefined);
        context.send({ kind: 'reading', milliseconds: limits.timeout, words: toldText(reportNotice(late), context) });
    }
    const source = jobSource(job, given);
    const queries = askedQueries(source, run ?? { queries: [], format: 'table' });
    const whole = await loadProgram(queries.source, new SourceLookup({ tellsMissing: true }));
    const reported = reportedTo(project, whole, context);
    context.endReading();
    const isTold = ({ severity }: Notice): boolean => severity === 'error' || severity === 'warning';
    const isMoot = ({ code, severity, place }: Notice): boolean =>
        (job.known === true && severity !== 'error' && place?.file === job.file) ||
        // If a model may be asked, the call that needs it reports missing settings.
        (code === 'RL5021' && job.modelCalls !== undefined) ||
        (asks && UNUSED.has(code));
    const problems = reported.filter(notice => isTold(notice) && !isMoot(notice));
    for (const [file, text] of whole.texts) context.texts.set(file, text);
    const isFailed = problems.some(({ severity }) => severity === 'error');
    // A missing file is reported by the run that ends at it, or else after the run.
    const awaitsRun = ({ code }: Notice): boolean => !isFailed && code === NOT_FOUND;
    sayNotices(
        problems.filter(one => !awaitsRun(one)),
        context,
    );
    if (isFailed) {
        sayCounts(problems, context);
        return { ok: false, exitCode: EXIT.failed };
    }
    const shown = asks ? whole : withCellOutputs(whole, run?.further);
    const refusal = precheck(shown, queries);
    if (refusal !== undefined) {
        context.say(`${refusal}\n`);
        return { ok: false, exitCode: EXIT.usage };
    }
    const loaded = askedAlone(shown, queries, run?.outputs ?? []);
    const { program } = loaded;
    for (const { message, remedy } of unknownParameters(program, given))
        context.say(say`warning: ${message}${remedy === undefined ? '' : `; ${remedy}`}\n\n`);

    const asked = goal !== undefined && program.predicates.has(goal) ? goal : undefined;
    const progress = context.streams.errorWidth === undefined ? undefined : progressSender(context.clock, context.send);
    const prepared = await prepareRun(
        loaded,
        {
            shown: program.outputs,
            ...(asked !== undefined && { also: [asked] }),
            writes,
            heights: explains,
            constraints: job.kind !== 'explain',
            goalsOnly: !explains,
            readsAll: run?.strict === true,
            profile: run?.profile !== undefined,
            limits,
            began,
            python: job.python,
            providers: providersOf(job),
            ...(surroundings.seed !== undefined && { seed: surroundings.seed }),
            ...(surroundings.now !== undefined && { now: () => surroundings.now ?? 0 }),
        },
        { ...context, ...(progress && { progress }) },
    );
    const again: Evaluation['again'] = async (goals, milliseconds) => {
        const end = Math.min(deadline, context.clock() + milliseconds);
        const repeated = await prepared.evaluate({ goals, profile: false, constraints: false, deadline: end });
        return repeated.ok ? repeated.database : undefined;
    };
    const isLate = (): boolean => context.clock() >= deadline;
    const mayRepeat = (): boolean => context.cancelled() === undefined && !isLate();
    const answered = hold && (await prepared.hold({ edited: hold.edited(program) }));
    const held = typeof answered === 'string' ? undefined : answered;
    const outcome = held?.outcome ?? (await evaluated(prepared, loaded, run === undefined ? asked : undefined, mayRepeat));
    if (held !== undefined) hold?.held(held);
    const reports = missingToldOnce(
        problems.filter(awaitsRun),
        outcome.reports.map(report => reportNotice(run?.strict ? strictly(report) : report)),
    );
    sayNotices(reports, context);
    for (const words of prepared.notes) context.say(say`warning: ${words}\n\n`);
    if (outcome.ok && !reports.some(({ severity }) => severity === 'error')) {
        return {
            ok: true,
            loaded,
            outcome,
            write: prepared.write,
            notes: reported.filter(notice => !isTold(notice)),
            again,
            checkpoint: checkpointOf(context, isLate),
            isLate,
            explaining: facts => progress?.({ phase: 'explaining', stratum: 0, strata: 0, round: 0, facts }),
        };
    }
    if (writes && writtenBinds(program, program.outputs).length > 0)
        context.say(say`Nothing was written; every output file is as it was.\n`);
    else if (context.cancelled() !== undefined) context.say(say`Nothing was printed or written.\n`);
    return { ok: false, exitCode: context.stoppedCode() };
}

function isRun(job: ProgramJob): job is RunJob {
    return job.kind === 'run';
}

/** The text of a job, or another one in its place. */
export function jobSource(job: ProgramJob, given: ReadonlyMap<string, unknown>, text = job.text) {
    return fileSource(text ?? readProgramText(job.file).text, job.file, job, given);
}

/**
 * The outcome of a run. Where it fails and a question is about one predicate, what this one rests on is evaluated alone; then the
 * failure, which lies elsewhere, is but a note.
 */
async function evaluated(
    { evaluate }: PreparedRun,
    { program }: LoadedProgram,
    asked: PredicateKey | undefined,
    mayRepeat: () => boolean,
): Promise<RunOutcome> {
    const outcome = await evaluate();
    if (outcome.ok || asked === undefined || !mayRepeat()) return outcome;
    const own = await evaluate({ goals: new Set([asked]) }, { ...program, outputs: [] });
    if (!own.ok) return own;
    const elsewhere = outcome.reports.filter(({ severity }) => severity === 'error');
    return { ...own, reports: [...own.reports, ...elsewhere.map(report => ({ ...report, severity: 'information' as const }))] };
}

/** Reports the problems that a check would. If a project makes a warning an error, its programs still run. */
function reportedTo({ severities, complaints, missing }: ProjectSettings, loaded: LoadedProgram, context: JobContext): Notice[] {
    const { file, source, program, problems } = loaded;
    for (const complaint of [...complaints, ...missing]) context.say(say`warning: ${visible(complaint)}\n\n`);
    const milder = new Map([...severities].filter(([, severity]) => severity !== 'error'));
    const own = problems.filter(({ place }) => place.file === file);
    const told = reportedProblems({ ...program.program, text: source.text, problems: own }, milder).map(problemNotice);
    return [...told, ...checkedModules(loaded, milder).flatMap(({ notices }) => notices)];
}

function strictly(report: Report): Report {
    return STRICT.has(report.code) ? { ...report, severity: 'error' } : report;
}
