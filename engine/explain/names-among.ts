import type { Database } from '../contracts/database.ts';

/** Those of some words that are texts in the database, or predicates of its program. */
export function namesAmong({ dictionary, program }: Database, words: readonly string[]): string[] {
    const predicates = new Set(Array.from(program.predicates.values(), ({ name }) => name));
    return words.filter(word => predicates.has(word) || dictionary.hasString(word));
}
