import type { RunOutcome } from '#engine/contracts/database.ts';
import type { RuleProfile } from '#engine/contracts/run-statistics.ts';
import { atomProfiles, profileReports } from '#engine/explain/profile-reports.ts';
import { RunStopped } from '#engine/reports/reports.ts';
import { UnusualTarget } from '#server/files/write-granted.ts';
import { type Notice, problemNotice, reportNotice } from '#server/notices/notice.ts';
import type { AskedTarget, AtomFigures, FromProcess, ReportedPlace } from '#server/protocol/run-process.ts';
import type { RunNotice } from '#server/protocol/runs.ts';
import { KeptTarget } from '#server/sources/kept-target.ts';
import type { LoadedProgram } from './load-program.ts';
import { type PreparedRun, prepareRun, progressSender, type RunHost, type RunRequest } from './prepare-run.ts';
import { type Results, resultsOf } from './results.ts';
import { remark, reportedPlaces, wireNotices } from './wire-notice.ts';

/** The end of an evaluation in a process of its own, in notices for the process that started it. */
export type Evaluated = {
    readonly notices: readonly RunNotice[];
    readonly reported: readonly ReportedPlace[];
} & (
    | { readonly ok: true; readonly results: Results; readonly facts: number; readonly atoms?: readonly AtomFigures[] }
    /** `askedTarget` is one that it may only write once it is granted by name. */
    | { readonly ok: false; readonly askedTarget?: AskedTarget }
);

/** Notices of one program at most; an editor shows its problems anyway. */
const NOTICES = 100;

/** Atoms of one program at most whose figures are sent. */
const ATOMS = 10_000;

/** The errors that keep a program from being evaluated. */
export function errorsOf(loaded: LoadedProgram): RunNotice[] {
    const errors = loaded.problems.filter(({ severity }) => severity === 'error').slice(0, NOTICES);
    return wireNotices(errors.map(problemNotice), loaded);
}

/** Evaluates a program without errors, in the way that is given, and puts the files of its output binds in place. */
export async function evaluateLoaded(
    loaded: LoadedProgram,
    request: RunRequest,
    host: RunHost,
    evaluate: (prepared: PreparedRun) => Promise<RunOutcome> = prepared => prepared.evaluate(),
): Promise<Evaluated> {
    const told: Notice[] = [];
    let prepared: PreparedRun | undefined;
    const noticed = (said: readonly string[] = []): Pick<Evaluated, 'notices' | 'reported'> => {
        const notices = told.slice(0, NOTICES);
        const notes = Array.from(prepared?.notes ?? [], words => remark(words, 'warning'));
        return {
            notices: [...wireNotices(notices, loaded), ...notes, ...said.map(words => remark(words))],
            reported: reportedPlaces(notices),
        };
    };
    try {
        prepared = await prepareRun(loaded, request, host);
        const outcome = await evaluate(prepared);
        told.push(...outcome.reports.map(reportNotice));
        if (!outcome.ok) return { ok: false, ...noticed() };
        const { database, statistics } = outcome;
        const { rules } = statistics;
        if (rules !== undefined) told.push(...profileReports(rules, key => database.relation(key)?.count).map(reportNotice));
        const results = resultsOf(database, request.shown);
        const { sentences, console } = request.writes ? await prepared.write(results) : { sentences: [], console: '' };
        const said = [...sentences, ...(console === '' ? [] : [console.trimEnd()])];
        return { ok: true, ...noticed(said), results, facts: statistics.facts, ...(rules && { atoms: atomFigures(rules) }) };
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        told.push(reportNotice(error.report));
        const askedTarget = askedTargetOf(error);
        return { ok: false, ...noticed(), ...(askedTarget && { askedTarget }) };
    }
}

function askedTargetOf(error: RunStopped): AskedTarget | undefined {
    if (error instanceof KeptTarget) return { path: error.path, kept: error.reason };
    return error instanceof UnusualTarget ? { path: error.path } : undefined;
}

function atomFigures(rules: readonly RuleProfile[]): AtomFigures[] {
    return atomProfiles(rules)
        .slice(0, ATOMS)
        .map(({ text: _, location: { place, span }, ...figures }) => ({
            file: place.file,
            start: place.offset + span.start,
            end: place.offset + span.end,
            ...figures,
        }));
}

/**
 * Builds the host of a run in a process of its own. The process ends when its parent is gone: a loop that runs on would hear no message.
 */
export function processHost(send: (message: FromProcess) => void): RunHost {
    const clock = (): number => performance.now();
    const parent = process.ppid;
    let next = clock();
    return {
        clock,
        send,
        progress: progressSender(clock, send),
        cancelled: () => {
            if (clock() < next) return undefined;
            next = clock() + LOOK_EVERY;
            if (process.ppid !== parent) process.exit();
            return undefined;
        },
    };
}

/** Milliseconds between two looks at the process that started this one. */
const LOOK_EVERY = 100;
