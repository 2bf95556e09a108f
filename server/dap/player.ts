import type { Replay } from '#engine/explain/replay.ts';
import { type ActiveBreakpoint, momentAt } from './breakpoints.ts';

/** How far one step goes. */
export const STRIDES = ['match', 'rule', 'round', 'stratum'] as const;
export type Stride = (typeof STRIDES)[number];

/** Why going through a derivation has stopped. */
export type Stop =
    | { readonly kind: 'breakpoints'; readonly hit: readonly ActiveBreakpoint[] }
    | { readonly kind: 'step' | 'pause' }
    /** Before the first step, or after the last one. */
    | { readonly kind: 'start' | 'end' };

export interface PlayerHost {
    /** True if the client has asked for a pause since the last call. */
    readonly takePause: () => boolean;
    /** Logs the text of a breakpoint at a step. */
    readonly log: (text: string, step: number) => void;
}

/** Goes through a derivation, both ways. */
export class Player {
    readonly replay: Replay;
    breakpoints: readonly ActiveBreakpoint[] = [];
    readonly #host: PlayerHost;
    #position = 0;

    constructor(replay: Replay, host: PlayerHost) {
        this.replay = replay;
        this.#host = host;
    }

    /** The number of the step that is made next; that of all steps at the end. */
    get position(): number {
        return this.#position;
    }

    get isAtEnd(): boolean {
        return this.#position >= this.replay.count;
    }

    /** Stops at the first step if a breakpoint is there, else goes on. */
    begin(): Stop {
        this.#position = -1;
        return this.goOn();
    }

    /** Goes to the next breakpoint. */
    goOn(): Stop {
        return this.#forward(this.replay.count);
    }

    /** Goes back to the breakpoint before. */
    goBack(): Stop {
        return this.#backward(0);
    }

    /** One stride on: to the next match, or to the first one of the next rule, round or stratum. Breakpoints on the way stop. */
    step(stride: Stride): Stop {
        return this.#forward(this.#next(stride));
    }

    /** One stride back: to the match before, or to the first one of its rule, round or stratum. */
    stepBack(stride: Stride): Stop {
        return this.#backward(this.#previous(stride));
    }

    jump(step: number): void {
        this.#position = step;
    }

    #forward(target: number): Stop {
        const { replay } = this;
        for (let index = this.#position + 1; index < replay.count; index++) {
            const round = replay.rounds[replay.roundAt(index)];
            if (this.#host.takePause()) {
                this.#position = index;
                return { kind: 'pause' };
            }
            if (round !== undefined && !this.breakpoints.some(one => one.mayStopIn(round))) {
                const next = round.from + round.steps;
                if (target >= next) {
                    index = next - 1;
                    continue;
                }
                index = target;
            }
            const hit = this.#hitAt(index);
            if (hit.length === 0 && index < target) continue;
            this.#position = index;
            return hit.length > 0 ? { kind: 'breakpoints', hit } : { kind: 'step' };
        }
        this.#position = replay.count;
        return { kind: 'end' };
    }

    #backward(target: number): Stop {
        const { replay } = this;
        for (let index = this.#position - 1; index > target; index--) {
            if (this.#host.takePause()) {
                this.#position = index;
                return { kind: 'pause' };
            }
            const round = replay.rounds[replay.roundAt(index)];
            if (round !== undefined && !this.breakpoints.some(one => one.mayStopIn(round))) {
                index = Math.max(target + 1, round.from);
                continue;
            }
            const hit = this.breakpoints.filter(one => one.log === undefined && one.isHit(index));
            if (hit.length === 0) continue;
            this.#position = index;
            return { kind: 'breakpoints', hit };
        }
        this.#position = Math.max(0, Math.min(target, this.#position));
        return { kind: this.#position === 0 ? 'start' : 'step' };
    }

    /** The breakpoints that stop at a step; those that log do so. */
    #hitAt(index: number): ActiveBreakpoint[] {
        const hit = this.breakpoints.filter(one => one.isHit(index));
        for (const one of hit) if (one.log !== undefined) this.#host.log(one.log(momentAt(this.replay, index)), index);
        return hit.filter(one => one.log === undefined);
    }

    #next(stride: Stride): number {
        const { replay } = this;
        if (stride === 'match' || this.isAtEnd) return this.#position + 1;
        const at = replay.roundAt(this.#position);
        const round = replay.rounds[at];
        if (round === undefined) return replay.count;
        const end = round.from + round.steps;
        switch (stride) {
            case 'rule': {
                const { rule } = replay.step(this.#position);
                let next = this.#position + 1;
                while (next < end && replay.step(next).rule === rule) next++;
                return next;
            }
            case 'round':
                return end;
            case 'stratum':
                return replay.rounds.slice(at).find(({ stratum }) => stratum !== round.stratum)?.from ?? replay.count;
        }
    }

    #previous(stride: Stride): number {
        const { replay } = this;
        const before = this.#position - 1;
        if (stride === 'match' || before <= 0) return before;
        const round = replay.rounds[replay.roundAt(before)];
        if (round === undefined) return 0;
        switch (stride) {
            case 'rule': {
                const { rule } = replay.step(before);
                let first = before;
                while (first > round.from && replay.step(first - 1).rule === rule) first--;
                return first;
            }
            case 'round':
                return round.from;
            case 'stratum':
                return replay.rounds.find(({ stratum }) => stratum === round.stratum)?.from ?? 0;
        }
    }
}
