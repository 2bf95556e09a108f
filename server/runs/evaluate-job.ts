import { dirname, resolve } from 'node:path';
import type { Database, RunOutcome } from '#engine/database.ts';
import type { Providers } from '#engine/providers.ts';
import { LIMIT_REMEDIES, type Report, report } from '#engine/reports.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { say, translated } from '#language/program/say.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import { commandModel } from '#server/model/machine-model.ts';
import { modelFunctions, withoutModel } from '#server/model/model-functions.ts';
import { EXIT, type ExplainJob, type RunJob, type ValidateJob } from '#server/protocol/jobs.ts';
import { type Notice, problemNotice, reportNotice } from '#server/terminal/notice.ts';
import { visible } from '#server/terminal/visible-text.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import { checkedModules } from './checked-modules.ts';
import { fileSource } from './file-source.ts';
import { unknownParameters } from './given-parameters.ts';
import type { JobContext } from './job-context.ts';
import { type LoadedProgram, loadProgram } from './load-program.ts';
import { missingToldOnce, NOT_FOUND } from './missing-files.ts';
import { type PreparedRun, prepareRun, progressSender, writtenBinds } from './prepare-run.ts';
import { sayCounts, sayNotices, toldText } from './say-notices.ts';
import { checkpointOf } from './write-outputs.ts';

export interface Evaluation extends Pick<PreparedRun, 'write'> {
    readonly ok: true;
    readonly loaded: LoadedProgram;
    readonly outcome: Extract<RunOutcome, { ok: true }>;
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

const STRICT = new Set(['RT021', 'RT071', 'RT073']);

/** What decides before a run whether it makes sense: words for the user, or nothing. */
export type Precheck = (loaded: LoadedProgram) => string | undefined;

/** Reads, checks and evaluates the program of a job, with a goal that need not be an output, and tells its problems and reports. Nothing is written yet. */
export async function evaluateJob(
    job: RunJob | ExplainJob | ValidateJob,
    context: JobContext,
    precheck: Precheck,
    goal?: PredicateKey,
): Promise<Evaluated> {
    const { limits, surroundings } = job;
    const isRun = job.kind === 'run';
    const began = context.clock();
    const deadline = began + (limits.timeout ?? Number.POSITIVE_INFINITY);
    const given = new Map<string, unknown>(job.parameters);
    if (limits.timeout !== undefined) {
        const late = report('RT031', { remedy: translated(LIMIT_REMEDIES.time) }, 'time', '', undefined);
        context.send({ kind: 'reading', milliseconds: limits.timeout, words: toldText(reportNotice(late), context) });
    }
    const source = fileSource(readNamedText(job.file).text, job.file, job, given);
    const loaded = await loadProgram(source, new SourceLookup({ tellsMissing: true }));
    const { program } = loaded;
    const reported = reportedTo(job, loaded, context);
    context.endReading();
    const isTold = ({ severity }: Notice): boolean => severity === 'error' || severity === 'warning';
    // Where a model may be asked, what is missing for it is told at the call that needs it.
    const isMoot = ({ code }: Notice): boolean => code === 'RL5021' && job.modelCalls !== undefined;
    const problems = reported.filter(notice => isTold(notice) && !isMoot(notice));
    for (const [file, text] of loaded.texts) context.texts.set(file, text);
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
    for (const { message, remedy } of unknownParameters(program, given))
        context.say(say`warning: ${message}${remedy === undefined ? '' : `; ${remedy}`}\n\n`);

    const asked = goal !== undefined && program.predicates.has(goal) ? goal : undefined;
    const progress = context.streams.errorWidth === undefined ? undefined : progressSender(context.clock, context.send);
    const prepared = await prepareRun(
        loaded,
        {
            shown: program.outputs,
            ...(asked !== undefined && { also: [asked] }),
            writes: isRun,
            heights: job.kind === 'explain',
            constraints: job.kind !== 'explain',
            goalsOnly: job.kind !== 'explain',
            readsAll: isRun && job.strict,
            profile: isRun && job.profile !== undefined,
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
    const outcome = await evaluated(prepared, loaded, isRun ? undefined : asked, mayRepeat);
    const reports = missingToldOnce(
        problems.filter(awaitsRun),
        outcome.reports.map(report => reportNotice(isRun && job.strict ? strictly(report) : report)),
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
    if (isRun && writtenBinds(program, program.outputs).length > 0)
        context.say(say`Nothing was written; every output file is as it was.\n`);
    else if (context.cancelled() !== undefined) context.say(say`Nothing was printed or written.\n`);
    return { ok: false, exitCode: context.stoppedCode() };
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

/** What a check tells, too. A project that finds a warning as bad as an error still has its programs run. */
function reportedTo({ currentFolder }: Pick<RunJob, 'currentFolder'>, loaded: LoadedProgram, context: JobContext): Notice[] {
    const { file, source, program, problems } = loaded;
    const { severities, complaints } = projectSettings(dirname(resolve(currentFolder, file)));
    for (const complaint of complaints) context.say(say`warning: ${visible(complaint)}\n\n`);
    const milder = new Map([...severities].filter(([, severity]) => severity !== 'error'));
    const own = problems.filter(({ place }) => place.file === file);
    const told = reportedProblems({ ...program.program, text: source.text, problems: own }, milder).map(problemNotice);
    return [...told, ...checkedModules(loaded, milder).flatMap(({ notices }) => notices)];
}

function providersOf({ modelCalls, allowNet: hosts }: Pick<RunJob, 'modelCalls' | 'allowNet'>): Providers {
    if (modelCalls === undefined)
        return withoutModel(
            () =>
                say`Run the program with rulelang run --allow-model: it then asks the model that LLM_PROVIDER, LLM_API_KEY and LLM_BASE_URL name.`,
        );
    return modelFunctions(commandModel(process.env, hosts, modelCalls));
}

function strictly(report: Report): Report {
    return STRICT.has(report.code) ? { ...report, severity: 'error' } : report;
}
