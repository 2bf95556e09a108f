import type { ColumnKind, Dialect } from '../contracts/compute.ts';
import { isInteger, isNumber } from './column-kinds.ts';
import { asLong, type SqlValue } from './encoded.ts';

/** Writes a call with values, none of them unknown; undefined where the engine would give another value, or none. */
export type SqlFunction = (values: readonly SqlValue[], dialect: Dialect) => SqlValue | undefined;

/** Tests of texts. */
const ofTexts =
    (kind: ColumnKind, write: (values: readonly string[], dialect: Dialect) => string): SqlFunction =>
    (values, dialect) =>
        values.every(value => value.kind === 'string')
            ? {
                  sql: write(
                      values.map(({ sql }) => sql),
                      dialect,
                  ),
                  kind,
              }
            : undefined;

/** Truth values of truth values. */
const ofBooleans =
    (write: (values: readonly string[]) => string): SqlFunction =>
    values =>
        values.every(({ kind }) => kind === 'boolean') ? { sql: `(${write(values.map(({ sql }) => sql))})`, kind: 'boolean' } : undefined;

/** The least or greatest of values of one kind. */
const extreme =
    (name: string): SqlFunction =>
    (values, { byCodePoint }) => {
        const kind = values[0]!.kind;
        if (values.some(value => value.kind !== kind)) return undefined;
        return { sql: `${name}(${values.map(({ sql }) => (kind === 'string' ? byCodePoint(sql) : sql)).join(', ')})`, kind };
    };

const same = (values: readonly string[]): string => values.join(' = ');

/** The functions that engines compute as the language does. All others differ somewhere: in letters beyond ASCII, in rounding, in texts of numbers. */
export const SQL_FUNCTIONS: ReadonlyMap<string, SqlFunction> = new Map<string, SqlFunction>([
    ['contains', ofTexts('boolean', ([text = '', part = ''], { contains }) => contains(text, part))],
    ['starts_with', ofTexts('boolean', ([text = '', part = '']) => `starts_with(${text}, ${part})`)],
    ['ends_with', ofTexts('boolean', ([text = '', part = '']) => `(right(${text}, length(${part})) = ${part})`)],
    ['string_length', ofTexts('int', ([text = ''], { types }) => `CAST(length(${text}) AS ${types.int})`)],
    [
        'math:abs',
        ([value], dialect) => {
            if (value === undefined || !isNumber(value.kind)) return undefined;
            if (value.kind === 'double') return { sql: `abs(${value.sql})`, kind: 'double' };
            return { sql: `abs(${asLong(value, dialect)})`, kind: 'long' };
        },
    ],
    [
        'math:mod',
        ([left, right], dialect) =>
            left !== undefined && right !== undefined && isInteger(left.kind) && isInteger(right.kind)
                ? { sql: dialect.remainder(asLong(left, dialect), asLong(right, dialect)), kind: 'long' }
                : undefined,
    ],
    ['math:min', extreme('least')],
    ['math:max', extreme('greatest')],
    ['and', ofBooleans(values => values.join(' and '))],
    ['or', ofBooleans(values => values.join(' or '))],
    ['nand', ofBooleans(values => `not (${values.join(' and ')})`)],
    ['nor', ofBooleans(values => `not (${values.join(' or ')})`)],
    ['not', ofBooleans(([value = '']) => `not ${value}`)],
    ['xor', ofBooleans(([left = '', right = '']) => `${left} <> ${right}`)],
    ['xnor', ofBooleans(same)],
    ['iff', ofBooleans(same)],
    ['implies', ofBooleans(([left = '', right = '']) => `not ${left} or ${right}`)],
    [
        'if',
        ([condition, then, otherwise]) =>
            condition?.kind === 'boolean' && then !== undefined && then.kind === otherwise?.kind
                ? { sql: `case when ${condition.sql} then ${then.sql} else ${otherwise.sql} end`, kind: then.kind }
                : undefined,
    ],
    // The value is computed: where the language has none, the statement fails.
    ['is_null', ([value]) => value && { sql: `(${value.sql} is null)`, kind: 'boolean' }],
    ['is_not_null', ([value]) => value && { sql: `(${value.sql} is not null)`, kind: 'boolean' }],
]);
