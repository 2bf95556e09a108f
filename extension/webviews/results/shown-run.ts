import type { ProcessEnd } from '#server/protocol/run-process.ts';
import type { RunEnd, RunNotice, RunProgress } from '#server/protocol/runs.ts';
import type { Progress, ShownLive, ShownNotice, ShownRun } from './messages.ts';

/** A run that has only begun. */
export function starting(phase: Progress['phase'] = 'starting'): ShownRun {
    return { kind: 'running', phase, stratum: 0, strata: 0, facts: 0, milliseconds: 0 };
}

/** How far a run is that began then. */
export function shownProgress({ phase, stratum, strata, facts, filling }: Omit<RunProgress, 'run'>, startedAt: number): ShownRun {
    return { kind: 'running', phase, stratum, strata, facts, ...(filling && { filling }), milliseconds: Date.now() - startedAt };
}

/** Values of parameters come from a form or a setting. */
export function shownNotice(notice: RunNotice): ShownNotice {
    const isGiven = notice.parameter !== undefined || notice.code === 'RT080';
    return isGiven ? { ...notice, setting: true } : notice;
}

/** A run that has rows. */
export function shownFinished(
    { outputs, facts, milliseconds, parameters = [], live }: Extract<RunEnd | ProcessEnd, { outcome: 'finished' }>,
    notices: readonly ShownNotice[],
): Extract<ShownRun, { kind: 'finished' }> {
    const shownLive: ShownLive | undefined = live && (live.why === undefined ? { kind: 'follows' } : { kind: 'off', why: live.why });
    return { kind: 'finished', outputs, facts, milliseconds, notices, parameters, ...(shownLive && { live: shownLive }) };
}

/** How a run ended. */
export function shownEnd(end: RunEnd | ProcessEnd, notices: readonly ShownNotice[]): ShownRun {
    const { milliseconds } = end;
    switch (end.outcome) {
        case 'finished':
            return shownFinished(end, notices);
        case 'failed':
            return { kind: 'failed', notices, milliseconds };
        case 'stopped':
            return { kind: 'stopped', milliseconds };
        case 'crashed':
            return { kind: 'crashed', message: end.message };
    }
}
