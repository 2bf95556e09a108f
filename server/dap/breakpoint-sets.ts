import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Replay } from '#engine/explain/replay.ts';
import { Refusal } from '#server/notices/refusal.ts';
import { ActiveBreakpoint, type SetBreakpoint } from './breakpoints.ts';

/** The breakpoints of a client: those of each file of rules, those of rows, and filters. */
export class BreakpointSets {
    readonly #makers = new Map<string, readonly (() => SetBreakpoint)[]>();
    #set: ReadonlyMap<string, readonly SetBreakpoint[]> = new Map();
    #last = 0;

    /** Replaces one set; returns the client's view of its breakpoints. */
    set<T>(name: string, asked: readonly T[], make: (asked: T, id: number) => SetBreakpoint): DebugProtocol.Breakpoint[] {
        const makers = asked.map(one => {
            const id = ++this.#last;
            return () => make(one, id);
        });
        this.#makers.set(name, makers);
        const made = makers.map(maker => maker());
        this.#set = new Map([...this.#set, [name, made]]);
        return made.map(({ told }) => told);
    }

    /** Makes all of them anew, for a program that has changed. */
    again(): DebugProtocol.Breakpoint[] {
        this.#set = new Map([...this.#makers].map(([name, makers]) => [name, makers.map(maker => maker())]));
        return [...this.#set.values()].flat().map(({ told }) => told);
    }

    /** All of them in a derivation, and those that cannot be there, with the reason. */
    activate(replay: Replay): { readonly active: ActiveBreakpoint[]; readonly refused: DebugProtocol.Breakpoint[] } {
        const active: ActiveBreakpoint[] = [];
        const refused: DebugProtocol.Breakpoint[] = [];
        for (const { told, made } of [...this.#set.values()].flat()) {
            if (made === undefined) continue;
            try {
                active.push(new ActiveBreakpoint(made, replay));
            } catch (error) {
                if (!(error instanceof Refusal)) throw error;
                refused.push({ ...told, verified: false, message: error.message });
            }
        }
        return { active, refused };
    }
}
