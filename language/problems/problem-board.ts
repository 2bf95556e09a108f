import type { ClauseState } from '#language/analysis/clause-state.ts';
import type { Problem } from '#language/program/problem.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { inTextOrder } from './find-problems.ts';

interface Pinned {
    readonly state: ClauseState;
    readonly problem: Problem;
}

/** Remembers whose problems stand at which clauses, so that they can be replaced together. */
export class ProblemBoard {
    readonly #pinned = new Map<object | string, readonly Pinned[]>();

    /** Replaces the problems of an owner. */
    pin(owner: object | string, problems: Iterable<Problem>, stateAt: (place: ClausePlace) => ClauseState | undefined): void {
        const before = this.#pinned.get(owner);
        const found = Array.isArray(problems) ? problems : [...problems];
        if (before === undefined && found.length === 0) return;
        for (const { state, problem } of before ?? []) {
            state.others?.delete(problem);
            state.problems = undefined;
        }
        const pinned: Pinned[] = [];
        for (const problem of found) {
            const state = stateAt(problem.place);
            if (state === undefined) continue;
            state.others ??= new Set();
            state.others.add(problem);
            state.problems = undefined;
            pinned.push({ state, problem });
        }
        if (pinned.length > 0) this.#pinned.set(owner, pinned);
        else this.#pinned.delete(owner);
    }
}

/** All problems of a program, file by file in text order. */
export function problemsOf(states: readonly ClauseState[]): Problem[] {
    const all: Problem[] = [];
    for (const state of states) {
        state.problems ??= state.others?.size ? inTextOrder([...state.own, ...state.others]) : state.own;
        for (const problem of state.problems) all.push(problem);
    }
    return all;
}
