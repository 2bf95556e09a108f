/**
 * Interns every value to an int32 id, so that equality of ids is equality of values (3.4: numbers by mathematical
 * value). Integers from -2^30 to 2^30-1 are ids of their own, negative range and need no entry; every other value is an
 * entry, numbered from 0. Whether a number prints as int or double is a property of its column, not of the value.
 */
export type ValueId = number;
