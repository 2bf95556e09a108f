export interface OperatorEntry {
    /** How it is written; several that mean the same are separated by blanks. */
    readonly operator: string;
    readonly documentation: string;
    /** An expression, and its value as a term. */
    readonly example: { readonly call: string; readonly value: string };
}

/** The operators of expressions; those of one group bind alike, the first group tightest (2.2). */
export const OPERATOR_GROUPS: readonly (readonly OperatorEntry[])[] = [
    [{ operator: '-', documentation: 'Negates a number.', example: { call: '-(2 + 3)', value: '-5' } }],
    [
        { operator: '*', documentation: 'Product.', example: { call: '6 * 7', value: '42' } },
        { operator: '/', documentation: 'Quotient; the result is always a `double`.', example: { call: '7 / 2', value: '3.5' } },
    ],
    [
        {
            operator: '+',
            documentation: 'Sum of numbers. Concatenates texts and lists; with a text on one side, the other side is converted to text.',
            example: { call: '"no. " + 7', value: '"no. 7"' },
        },
        { operator: '-', documentation: 'Difference.', example: { call: '7 - 2.5', value: '4.5' } },
    ],
    [{ operator: '&', documentation: 'Intersection of two collections.', example: { call: '{1, 2} & {2, 3}', value: '{2}' } }],
    [
        {
            operator: '|',
            documentation: 'Union of two collections, or a collection with one more element.',
            example: { call: '{1, 2} | 3', value: '{1,2,3}' },
        },
    ],
    [
        {
            operator: '==',
            documentation: 'Equal. `=` means the same if the variable on its left already has a value.',
            example: { call: '1 == 1.0', value: '#T' },
        },
        { operator: '!= <>', documentation: 'Not equal.', example: { call: '"a" != "b"', value: '#T' } },
        {
            operator: '< <= > >=',
            documentation: 'Order of two numbers, texts, dates, or lists.',
            example: { call: '"ab" < "b"', value: '#T' },
        },
        { operator: 'in', documentation: 'Is an element.', example: { call: '2 in [1, 2]', value: '#T' } },
        { operator: '!in', documentation: 'Is not an element.', example: { call: '2 !in {1, 2}', value: '#F' } },
    ],
    [{ operator: '!', documentation: 'Not.', example: { call: '!(1 == 2)', value: '#T' } }],
    [{ operator: '&&', documentation: 'And.', example: { call: '1 < 2 && 2 < 1', value: '#F' } }],
    [{ operator: '||', documentation: 'Or.', example: { call: '1 < 2 || 2 < 1', value: '#T' } }],
];
