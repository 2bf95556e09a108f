import type { Filling, Progress, RunOptions } from '../contracts/run-options.ts';
import { type Growing, stopAtLimit } from '../reports/limit-reached.ts';
import { stop } from '../reports/reports.ts';
import type { Memory } from '../values/memory.ts';

/** Rows that a loop may enumerate between two checks. */
const BATCH = 4096;
/** Checks between two messages of progress inside a round. */
const CHECKS_PER_MESSAGE = 64;

/** Counts of a run for its limits. */
export interface Counts {
    /** Facts of all predicates so far. */
    facts(): number;
    /** The predicate with the most new facts since the stratum began. */
    growing(): Growing | undefined;
    filling(): Filling | undefined;
    readonly memory: Memory;
}

/** Ends a run that is cancelled or late. */
export function stopIfAsked(
    { cancelled, deadline, clock }: Pick<RunOptions, 'cancelled' | 'deadline' | 'clock'>,
    growing: () => Growing | undefined = () => undefined,
): void {
    const reason = cancelled();
    if (reason !== undefined) stop('RT032', {}, reason);
    if (deadline !== undefined && clock() >= deadline) stopAtLimit('time', 0, growing());
}

/** Ends a run that is cancelled, late or over a limit. Loops count down `left` and call `check` once per batch. */
export class Checkpoint {
    left = BATCH;
    readonly #options: RunOptions;
    readonly #counts: Counts;
    #position: Omit<Progress, 'facts'> = { phase: 'loading', stratum: 0, strata: 0, round: 0 };
    #checks = 0;

    constructor(options: RunOptions, counts: Counts) {
        this.#options = options;
        this.#counts = counts;
    }

    /** Says where the run is, and checks. */
    enter(position: Omit<Progress, 'facts'>): void {
        this.#position = position;
        this.#checks = 0;
        this.check();
    }

    check(): void {
        this.left = BATCH;
        const { limits, progress } = this.#options;
        stopIfAsked(this.#options, () => this.#counts.growing());
        const facts = this.#counts.facts();
        if (limits.maxFacts !== undefined && facts > limits.maxFacts) {
            stopAtLimit('facts', limits.maxFacts, this.#counts.growing());
        }
        this.#counts.memory.check();
        if (progress !== undefined && this.#checks++ % CHECKS_PER_MESSAGE === 0)
            progress({ ...this.#position, facts }, () => this.#counts.filling());
    }

    /** Ends a run whose nulls are nested too deeply. */
    checkNullDepth(depth: number): void {
        const { maxNullDepth } = this.#options.limits;
        if (depth > maxNullDepth) stopAtLimit('nested unknown values', maxNullDepth, this.#counts.growing());
    }

    /**
     * Ends a run that has used up its rounds. A recursion may go on for as many more as it has facts to walk over: what is long because
     * its data are ends by itself, and what goes around in them is ended by what it makes.
     */
    checkRounds(rounds: number, facts = 0): void {
        const { maxRounds } = this.#options.limits;
        if (rounds > maxRounds + facts) stopAtLimit('rounds', maxRounds, this.#counts.growing());
    }
}
