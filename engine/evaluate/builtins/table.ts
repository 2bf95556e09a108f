import type { Builtin } from './builtin.ts';
import { NULL_FUNCTIONS } from './nulls.ts';

/** Every function of the catalogue that this version evaluates, by its name in the catalogue. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([...NULL_FUNCTIONS]);
