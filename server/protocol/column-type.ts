import { either, isText, listOf, object, oneOf, optional, type Shape } from './shape.ts';

/** The type of a column, as the language has them. */
export type ColumnType =
    | { readonly kind: ScalarKind }
    | { readonly kind: 'list' | 'set'; readonly element: ColumnType }
    | { readonly kind: 'map'; readonly key: ColumnType; readonly value: ColumnType }
    | { readonly kind: 'struct'; readonly fields?: readonly { readonly name: string; readonly type: ColumnType }[] };

const SCALAR_KINDS = ['string', 'int', 'long', 'double', 'float', 'boolean', 'date', 'timestamp', 'json', 'unknown', 'mixed'] as const;
type ScalarKind = (typeof SCALAR_KINDS)[number];

/** Types within types. */
const DEEPEST = 64;

export const isColumnType: Shape<ColumnType> = isTypeOf(DEEPEST);

function isTypeOf(levels: number): Shape<ColumnType> {
    if (levels === 0) return object({ kind: oneOf(...SCALAR_KINDS) });
    const inner: Shape<ColumnType> = (value): value is ColumnType => isTypeOf(levels - 1)(value);
    return either(
        object({ kind: oneOf(...SCALAR_KINDS) }),
        object({ kind: oneOf('list', 'set'), element: inner }),
        object({ kind: oneOf('map'), key: inner, value: inner }),
        object({ kind: oneOf('struct'), fields: optional(listOf(object({ name: isText, type: inner }))) }),
    );
}
