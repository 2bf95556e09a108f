import type { Database } from '#engine/contracts/database.ts';
import { outputDependencies } from '#engine/explain/chase.ts';
import { type Report, RunStopped } from '#engine/reports/reports.ts';
import { nullLabels } from '#engine/results/listing.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { say } from '#language/program/say.ts';
import { readProgramText } from '#server/files/program-text.ts';
import { type Notice, problemNotice, reportNotice } from '#server/notices/notice.ts';
import { fileSource } from '#server/runs/file-source.ts';
import { type LoadedProgram, loadProgram } from '#server/runs/load-program.ts';
import { providersOf } from '#server/runs/model-providers.ts';
import { prepareRun } from '#server/runs/prepare-run.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import type { DapOptions } from './dap-options.ts';

/** A program to be debugged, and what it is given besides the options of the command line. */
export interface Launched {
    /** An absolute path. */
    readonly file: string;
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly seed?: number;
}

export type Loaded = { readonly ok: true; readonly loaded: LoadedProgram; readonly warnings: readonly Notice[] } | Failed;

/** Why there is nothing to debug. */
export interface Failed {
    readonly ok: false;
    readonly notices: readonly Notice[];
    readonly texts: LoadedProgram['texts'];
}

/** Reads and checks a program. */
export async function loadDebuggee({ file, parameters }: Launched, options: DapOptions): Promise<Loaded> {
    try {
        const given = new Map<string, unknown>([...options.parameters, ...parameters]);
        const source = fileSource(readProgramText(file).text, file, options, given);
        const loaded = await loadProgram(source, new SourceLookup({ tellsMissing: true }));
        const told = (severity: Notice['severity']): Notice[] =>
            loaded.problems.filter(problem => problem.severity === severity).map(problemNotice);
        const errors = told('error');
        if (errors.length > 0) return { ok: false, notices: errors, texts: loaded.texts };
        return { ok: true, loaded, warnings: told('warning') };
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        return { ok: false, notices: [reportNotice(error.report)], texts: new Map() };
    }
}

export type Recorded =
    | { readonly ok: true; readonly database: Database; readonly label: NullLabel; readonly notices: readonly Notice[] }
    | Failed;

/** A constraint that does not hold. */
const VIOLATED = 'RT041';

/**
 * Evaluates a program with heights, so that its derivation can be gone through. What it would write is not written. A program that
 * violates a constraint is evaluated without its constraints, since its rows are what one wants to look at then.
 */
export async function recordRun(
    loaded: LoadedProgram,
    { seed = undefined }: Pick<Launched, 'seed'>,
    options: DapOptions,
    isStopped: () => boolean,
): Promise<Recorded> {
    const { program, texts } = loaded;
    const { surroundings, limits, python } = options;
    const chosen = seed ?? surroundings.seed;
    const { now } = surroundings;
    const failed = (reports: readonly Report[]): Failed => ({ ok: false, notices: reports.map(reportNotice), texts });
    try {
        const prepared = await prepareRun(
            loaded,
            {
                shown: program.outputs,
                also: [...outputDependencies(program)],
                writes: false,
                heights: true,
                limits,
                python,
                providers: providersOf(options),
                ...(chosen !== undefined && { seed: chosen }),
                ...(now !== undefined && { now: () => now }),
            },
            { clock: () => performance.now(), cancelled: () => (isStopped() ? say`the client` : undefined), send: () => undefined },
        );
        const outcome = await prepared.evaluate();
        if (outcome.ok) return recorded(outcome.database, outcome.reports);
        if (outcome.reports.at(-1)?.code !== VIOLATED) return failed(outcome.reports);
        const again = await prepared.evaluate({ constraints: false });
        return again.ok ? recorded(again.database, outcome.reports) : failed(again.reports);
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        return failed([error.report]);
    }
}

function recorded(database: Database, reports: readonly Report[]): Recorded {
    return { ok: true, database, label: nullLabels(database.dictionary), notices: reports.map(reportNotice) };
}
