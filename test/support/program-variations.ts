import { printProgram } from '#language/program/print.ts';
import type { Clause } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';

/** A generator of numbers from 0 to below 1 that a seed determines (mulberry32). */
export function seededRandom(seed: number): () => number {
    let state = seed | 0;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

/** The seed of this run: `CONFORMANCE_SEED`, or always the same one, so that a failure belongs to a change. */
export function conformanceSeed(): number {
    return Number(process.env.CONFORMANCE_SEED ?? 20_777);
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        const swapped = result[i] as T;
        result[i] = result[j] as T;
        result[j] = swapped;
    }
    return result;
}

/** The program with its facts and rules in another order; annotations stay where they are, because theirs may matter. */
export function shuffledProgram(text: string, random: () => number): string {
    const program = readProgram(text, 'shuffled').value;
    const { clauses } = program;
    const moving = shuffled(
        clauses.filter(clause => clause.kind !== 'annotation'),
        random,
    );
    const next = (clause: Clause): Clause => (clause.kind === 'annotation' ? clause : (moving.shift() ?? clause));
    return printProgram({ ...program, clauses: clauses.map(next) });
}
