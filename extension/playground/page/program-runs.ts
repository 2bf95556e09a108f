import { l10n } from '#extension/surfaces/l10n.ts';
import type { ShownNotice, ShownRun } from '#extension/webviews/results/messages.ts';
import { shownEnd, shownNotice, shownProgress, starting } from '#extension/webviews/results/shown-run.ts';
import type { ProcessQuestion, ProgramRun, ReportedPlace } from '#server/protocol/run-process.ts';
import type { FileBytes } from '../run/messages.ts';
import { type RunWorker, startRunWorker } from './run-worker.ts';

/** The runs of the program of the page: the last one, and while that goes on the one before, whose rows are shown. */
export interface ProgramRuns {
    start(run: ProgramRun, files: readonly FileBytes[]): void;
    stop(): void;
    /** Gives up all rows: another program is there. */
    discard(): void;
    /** The program or its data have changed. */
    age(): void;
    /** Asks the run of a number; refused where its rows are gone. */
    ask(serial: number, question: ProcessQuestion, signal?: AbortSignal): Promise<unknown>;
    /** The number of the last run. */
    readonly serial: number;
    readonly shown: ShownRun;
    readonly stale: boolean;
    /** Returns the place of a notice of the last run, by its position in the list. */
    place(notice: number): ReportedPlace | undefined;
}

export interface ProgramRunEvents {
    /** Called when the state to show has changed. */
    changed(): void;
    /** A run has written files. */
    written(files: readonly FileBytes[]): void;
}

/** Milliseconds between two looks at how long a run takes. */
const SHOWN_EVERY = 500;

export function createProgramRuns({ changed, written }: ProgramRunEvents): ProgramRuns {
    const workers = new Map<number, RunWorker>();
    let serial = 0;
    let shown: ShownRun = { kind: 'none' };
    let stale = false;
    let startedAt = 0;
    let places: readonly ReportedPlace[] = [];
    let ticking: ReturnType<typeof setInterval> | undefined;

    const show = (now: ShownRun): void => {
        shown = now;
        if (now.kind !== 'running') clearInterval(ticking);
        changed();
    };
    /** Closes all runs but that of a number. */
    const keepOnly = (kept: number | undefined): void => {
        for (const [number, worker] of workers) {
            if (number === kept) continue;
            worker.close();
            workers.delete(number);
        }
    };
    const milliseconds = (): number => Date.now() - startedAt;
    return {
        start(run, files) {
            if (shown.kind === 'running') workers.get(serial)?.close();
            const mine = ++serial;
            startedAt = Date.now();
            stale = false;
            places = [];
            clearInterval(ticking);
            ticking = setInterval(() => {
                if (shown.kind === 'running') show({ ...shown, milliseconds: milliseconds() });
            }, SHOWN_EVERY);
            const isMine = (): boolean => mine === serial;
            workers.set(
                mine,
                startRunWorker(run, files, {
                    progress(progress) {
                        if (isMine()) show(shownProgress(progress, startedAt));
                    },
                    ended(end) {
                        if (!isMine()) return;
                        keepOnly(mine);
                        places = end.reported ?? [];
                        show(shownEnd(end, end.notices.map(shownNotice)));
                    },
                    crashed(message) {
                        if (!isMine() || shown.kind !== 'running') return;
                        keepOnly(undefined);
                        show({ kind: 'failed', notices: [crash(message)], milliseconds: milliseconds() });
                    },
                    written,
                }),
            );
            show(starting());
        },
        stop() {
            if (shown.kind !== 'running') return;
            keepOnly(undefined);
            show({ kind: 'stopped', milliseconds: milliseconds() });
        },
        discard() {
            keepOnly(undefined);
            serial++;
            stale = false;
            show({ kind: 'none' });
        },
        age() {
            if (stale) return;
            stale = true;
            changed();
        },
        ask: (number, question, signal) =>
            workers.get(number)?.ask(question, signal) ?? Promise.reject(new Error(l10n.t('The rows of this run are gone.'))),
        get serial() {
            return serial;
        },
        get shown() {
            return shown;
        },
        get stale() {
            return stale;
        },
        place: notice => places.find(place => place.notice === notice),
    };
}

/** The notice for a run whose worker ended, as browsers end one without memory. */
function crash(message: string): ShownNotice {
    return { code: '', severity: 'error', message: l10n.t('The run ended before it was done'), details: [message] };
}
