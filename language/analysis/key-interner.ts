import type { PredicateKey } from '#language/program/analysed-program.ts';

/** Gives equal keys as one string, so that the many maps over them hash it once. */
export type KeyInterner = (name: string, arity: number) => PredicateKey;
