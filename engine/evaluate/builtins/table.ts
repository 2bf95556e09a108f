import type { Builtin } from './builtin.ts';
import { CAST_FUNCTIONS } from './casts.ts';
import { COLLECTION_FUNCTIONS } from './collections.ts';
import { DATE_FUNCTIONS } from './dates.ts';
import { INTERVAL_FUNCTIONS, LOGICAL_FUNCTIONS } from './logic.ts';
import { MATH_FUNCTIONS } from './mathematics.ts';
import { NULL_FUNCTIONS } from './nulls.ts';
import { STRING_FUNCTIONS } from './strings.ts';

/** Every function of the catalogue that this version evaluates, by its name in the catalogue. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
    ...STRING_FUNCTIONS,
    ...MATH_FUNCTIONS,
    ...LOGICAL_FUNCTIONS,
    ...INTERVAL_FUNCTIONS,
    ...NULL_FUNCTIONS,
    ...CAST_FUNCTIONS,
    ...DATE_FUNCTIONS,
    ...COLLECTION_FUNCTIONS,
]);
