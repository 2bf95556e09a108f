import { l10n } from '#extension/surfaces/l10n.ts';
import type { ShownNotice, ShownRun } from '#extension/webviews/results/messages.ts';
import { shownEnd, shownNotice, shownProgress, starting } from '#extension/webviews/results/shown-run.ts';
import type { ProcessQuestion, ProgramRun, ReportedPlace } from '#server/protocol/run-process.ts';
import type { FileBytes } from '../run/messages.ts';
import { type RunEvents, type RunWorker, startRunWorker } from './run-worker.ts';

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

export function createProgramRuns(events: ProgramRunEvents): ProgramRuns {
    return new PageRuns(events);
}

class PageRuns implements ProgramRuns {
    serial = 0;
    shown: ShownRun = { kind: 'none' };
    stale = false;
    readonly #events: ProgramRunEvents;
    readonly #workers = new Map<number, RunWorker>();
    #startedAt = 0;
    #places: readonly ReportedPlace[] = [];
    #ticking: ReturnType<typeof setInterval> | undefined;

    constructor(events: ProgramRunEvents) {
        this.#events = events;
    }

    start(run: ProgramRun, files: readonly FileBytes[]): void {
        if (this.shown.kind === 'running') this.#workers.get(this.serial)?.close();
        const mine = ++this.serial;
        this.#startedAt = Date.now();
        this.stale = false;
        this.#places = [];
        clearInterval(this.#ticking);
        this.#ticking = setInterval(() => {
            if (this.shown.kind === 'running') this.#show({ ...this.shown, milliseconds: this.#milliseconds() });
        }, SHOWN_EVERY);
        this.#workers.set(mine, startRunWorker(run, files, this.#workerEvents(mine)));
        this.#show(starting());
    }

    stop(): void {
        if (this.shown.kind !== 'running') return;
        this.#keepOnly(undefined);
        this.#show({ kind: 'stopped', milliseconds: this.#milliseconds() });
    }

    discard(): void {
        this.#keepOnly(undefined);
        this.serial++;
        this.stale = false;
        this.#show({ kind: 'none' });
    }

    age(): void {
        if (this.stale) return;
        this.stale = true;
        this.#events.changed();
    }

    ask(serial: number, question: ProcessQuestion, signal?: AbortSignal): Promise<unknown> {
        const gone = (): Promise<never> => Promise.reject(new Error(l10n.t('The rows of this run are gone.')));
        return this.#workers.get(serial)?.ask(question, signal) ?? gone();
    }

    place(notice: number): ReportedPlace | undefined {
        return this.#places.find(place => place.notice === notice);
    }

    #workerEvents(mine: number): RunEvents {
        const isMine = (): boolean => mine === this.serial;
        return {
            progress: progress => {
                if (isMine()) this.#show(shownProgress(progress, this.#startedAt));
            },
            ended: end => {
                if (!isMine()) return;
                this.#keepOnly(mine);
                this.#places = end.reported ?? [];
                this.#show(shownEnd(end, end.notices.map(shownNotice)));
            },
            crashed: message => {
                if (!isMine() || this.shown.kind !== 'running') return;
                this.#keepOnly(undefined);
                this.#show({ kind: 'failed', notices: [crash(message)], milliseconds: this.#milliseconds() });
            },
            written: this.#events.written,
        };
    }

    #show(shown: ShownRun): void {
        this.shown = shown;
        if (shown.kind !== 'running') clearInterval(this.#ticking);
        this.#events.changed();
    }

    /** Closes all runs but that of a number. */
    #keepOnly(kept: number | undefined): void {
        for (const [number, worker] of this.#workers) {
            if (number === kept) continue;
            worker.close();
            this.#workers.delete(number);
        }
    }

    #milliseconds(): number {
        return Date.now() - this.#startedAt;
    }
}

/** The notice for a run whose worker ended, as browsers end one without memory. */
function crash(message: string): ShownNotice {
    return { code: '', severity: 'error', message: l10n.t('The run ended before it was done'), details: [message] };
}
