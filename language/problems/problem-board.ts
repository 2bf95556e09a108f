import type { ClauseState } from '#language/analysis/clause-state.ts';
import { append } from '#language/program/append.ts';
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
        const gone = new Map<ClauseState, Set<Problem>>();
        for (const { state, problem } of before ?? []) {
            const known = gone.get(state);
            if (known === undefined) gone.set(state, new Set([problem]));
            else known.add(problem);
        }
        for (const [state, problems] of gone) {
            state.others = state.others.filter(other => !problems.has(other));
            state.problems = undefined;
        }
        const pinned: Pinned[] = [];
        const added = new Map<ClauseState, Problem[]>();
        for (const problem of found) {
            const state = stateAt(problem.place);
            if (state === undefined) continue;
            append(added, state, problem);
            pinned.push({ state, problem });
        }
        for (const [state, problems] of added) {
            state.others = [...state.others, ...problems];
            state.problems = undefined;
        }
        if (pinned.length > 0) this.#pinned.set(owner, pinned);
        else this.#pinned.delete(owner);
    }
}

/** All problems of a program, file by file in text order. */
export function problemsOf(states: readonly ClauseState[]): Problem[] {
    const all: Problem[] = [];
    for (const state of states) {
        state.problems ??= state.others.length === 0 ? state.own : inTextOrder([...state.own, ...state.others]);
        for (const problem of state.problems) all.push(problem);
    }
    return all;
}
