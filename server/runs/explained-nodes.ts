import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';
import type { ExplainingMethods, ProcessPlace } from '#server/protocol/explaining.ts';
import type { Handlers } from '#server/protocol/methods.ts';
import type { ExplainedDerivation } from '#server/protocol/runs.ts';
import type { Absence } from '#server/protocol/why-not.ts';

/** A part of an explanation that an editor can ask about by its number. */
export interface ExplainedNode {
    expand?(all: boolean): readonly ExplainedDerivation[];
    reveal?(derivation: number | undefined): ProcessPlace | null;
    absence?(): Absence;
}

/** Nodes that can be asked about; the oldest are forgotten first. */
const NODES = 100_000;

/** The parts of all explanations of a run by their numbers. */
export class ExplainedNodes {
    readonly #nodes = new Map<number, ExplainedNode>();
    readonly #numbers = new WeakMap<object, number>();
    #last: number;

    /** The nodes get numbers above `last`. */
    constructor(last = 0) {
        this.#last = last;
    }

    /** The number of what is explained; it keeps it, though the node may be forgotten and made again. */
    number(explained: object, make: () => ExplainedNode): number {
        const number = this.#numbers.get(explained) ?? ++this.#last;
        this.#numbers.set(explained, number);
        if (!this.#nodes.has(number)) this.#nodes.set(number, make());
        if (this.#nodes.size > NODES) for (const oldest of this.#nodes.keys()) if (this.#nodes.delete(oldest)) break;
        return number;
    }

    /** Answers to questions about the nodes. */
    readonly answers: Pick<Handlers<ExplainingMethods>, 'rulelang/expand' | 'rulelang/reveal' | 'rulelang/absence'> = {
        'rulelang/expand': ({ node, all }) => this.expand(node, all),
        'rulelang/reveal': ({ node, derivation }) => this.reveal(node, derivation),
        'rulelang/absence': ({ node }) => this.absence(node),
    };

    expand(number: number, all: boolean): readonly ExplainedDerivation[] {
        return this.#known(number).expand?.(all) ?? [];
    }

    reveal(number: number, derivation: number | undefined): ProcessPlace | null {
        return this.#known(number).reveal?.(derivation) ?? null;
    }

    absence(number: number): Absence {
        return this.#known(number).absence?.() ?? refuse(say`This part of the explanation is not about a missing fact`);
    }

    #known(number: number): ExplainedNode {
        return this.#nodes.get(number) ?? refuse(say`This part of the explanation is no longer kept. Ask for the explanation again`);
    }
}
