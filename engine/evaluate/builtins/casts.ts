import type { ScalarKind } from '#language/program/types.ts';
import { castValue } from '../../values/cast.ts';
import { type Builtin, eager, type Family } from './builtin.ts';

/** An impossible conversion gives an unknown value and RT021 (D-49). */
function cast(kind: ScalarKind): Builtin {
    return eager(
        ({ dictionary, types, unreadable }) =>
            args =>
                castValue(dictionary, args[0]!, { kind }, types[0]!) ?? unreadable(args, kind),
    );
}

/** Casts to scalar types (6.7). */
export const CAST_FUNCTIONS: Family = [
    ['as_string', cast('string')],
    ['as_int', cast('int')],
    ['as_long', cast('long')],
    ['as_double', cast('double')],
    ['as_float', cast('float')],
    ['as_boolean', cast('boolean')],
    ['as_date', cast('date')],
    ['as_timestamp', cast('timestamp')],
];
