import type { Builtin } from './builtin.ts';
import { CAST_FUNCTIONS } from './casts.ts';
import { RANDOM_FUNCTIONS } from './chance.ts';
import { COLLECTION_FUNCTIONS } from './collections.ts';
import { DATE_FUNCTIONS } from './dates.ts';
import { HASH_FUNCTIONS } from './hashes.ts';
import { IDENTITY_FUNCTIONS } from './identity.ts';
import { LAMBDA_FUNCTIONS } from './lambdas.ts';
import { INTERVAL_FUNCTIONS, LOGICAL_FUNCTIONS } from './logic.ts';
import { MASK_FUNCTIONS } from './masks.ts';
import { MATH_FUNCTIONS } from './mathematics.ts';
import { NULL_FUNCTIONS } from './nulls.ts';
import { PHONE_FUNCTIONS } from './phone-numbers.ts';
import { SIMILARITY_FUNCTIONS } from './similarity.ts';
import { STRING_FUNCTIONS } from './strings.ts';
import { STRUCT_FUNCTIONS } from './structs.ts';

/** Every function of the catalogue that this version evaluates, by its name in the catalogue. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
    ...STRING_FUNCTIONS,
    ...MATH_FUNCTIONS,
    ...RANDOM_FUNCTIONS,
    ...LOGICAL_FUNCTIONS,
    ...INTERVAL_FUNCTIONS,
    ...NULL_FUNCTIONS,
    ...CAST_FUNCTIONS,
    ...DATE_FUNCTIONS,
    ...SIMILARITY_FUNCTIONS,
    ...COLLECTION_FUNCTIONS,
    ...LAMBDA_FUNCTIONS,
    ...STRUCT_FUNCTIONS,
    ...IDENTITY_FUNCTIONS,
    ...HASH_FUNCTIONS,
    ...MASK_FUNCTIONS,
    ...PHONE_FUNCTIONS,
]);
