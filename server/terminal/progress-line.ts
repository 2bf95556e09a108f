import fs from 'node:fs';
import { counted, countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { visible } from '#server/notices/visible-text.ts';
import { CONTROL, type JobProgress, TERMINAL } from '#server/protocol/jobs.ts';

const FIRST_AFTER = 1000;
const NEXT_AFTER = 100;
const STANDARD_ERROR = 2;
/** How much of the shown rate is the rate since the last drawing. */
const NEW_SHARE = 0.2;

export interface ProgressLine {
    show(progress: JobProgress): void;
}

/**
 * Draws how far a run is on one line of the terminal, from its second second on. The worker takes the terminal when it
 * has something to say; from then on nothing is drawn.
 */
export function progressLine(control: Int32Array, width: number, clock: () => number): ProgressLine {
    const started = clock();
    let drawn = started + FIRST_AFTER - NEXT_AFTER;
    let last: { at: number; facts: number; rate?: number } | undefined;
    return {
        show: progress => {
            const now = clock();
            if (now < drawn + NEXT_AFTER) return;
            const current = last === undefined ? undefined : Math.max(0, ((progress.facts - last.facts) / (now - last.at)) * 1000);
            const rate = current === undefined ? undefined : current * NEW_SHARE + (last?.rate ?? current) * (1 - NEW_SHARE);
            last = { at: now, facts: progress.facts, ...(rate === undefined ? {} : { rate }) };
            drawn = now;
            if (Atomics.compareExchange(control, CONTROL.terminal, TERMINAL.free, TERMINAL.progress) !== TERMINAL.free) return;
            try {
                fs.writeSync(STANDARD_ERROR, `\r${progressText(progress, rate).slice(0, width - 1)}\u001b[K`);
                Atomics.store(control, CONTROL.progressShown, 1);
            } catch {
                // A terminal that cannot take the line now gets the next one.
            } finally {
                Atomics.store(control, CONTROL.terminal, TERMINAL.free);
                Atomics.notify(control, CONTROL.terminal);
            }
        },
    };
}

export function progressText({ phase, stratum, strata, round, facts, filling }: JobProgress, rate: number | undefined): string {
    const all = countText(facts);
    const rows =
        filling === undefined
            ? [say`${all} rows`]
            : [say`${visible(filling.name)}: ${countText(filling.rows)} rows`, ...(facts > filling.rows ? [say`${all} in all`] : [])];
    const speed = rate === undefined ? [] : [say`${countText(Math.round(rate))} rows/s`];
    switch (phase) {
        case 'loading':
            return [say`reading sources`, ...rows, ...speed].join(' · ');
        case 'evaluating':
            return [say`stratum ${stratum} of ${strata}`, say`round ${countText(round)}`, ...rows, ...speed].join(' · ');
        case 'writing':
            return [say`writing`, ...rows].join(' · ');
        case 'explaining':
            return facts === 0 ? say`looking for what is missing` : say`explaining · ${counted(facts, 'fact')}`;
    }
}
