export interface OperatorEntry {
    /** How it is written; several that mean the same are separated by blanks. */
    readonly operator: string;
    readonly documentation: string;
    /** An expression, and its value as a term. */
    readonly example: { readonly call: string; readonly value: string };
}

/** The operators of expressions; those of one group bind alike, the first group tightest (2.2). */
export const OPERATOR_GROUPS: readonly (readonly OperatorEntry[])[] = [
    [{ operator: '-', documentation: 'The number with the other sign.', example: { call: '-(2 + 3)', value: '-5' } }],
    [
        { operator: '*', documentation: 'Product.', example: { call: '6 * 7', value: '42' } },
        { operator: '/', documentation: 'Quotient, always with a fraction.', example: { call: '7 / 2', value: '3.5' } },
    ],
    [
        {
            operator: '+',
            documentation: 'Sum; texts and lists are put together, whatever stands beside a text becomes text.',
            example: { call: '"no. " + 7', value: '"no. 7"' },
        },
        { operator: '-', documentation: 'Difference.', example: { call: '7 - 2.5', value: '4.5' } },
    ],
    [{ operator: '&', documentation: 'What both collections have.', example: { call: '{1, 2} & {2, 3}', value: '{2}' } }],
    [
        {
            operator: '|',
            documentation: 'A collection with the elements of another, or one element more.',
            example: { call: '{1, 2} | 3', value: '{1,2,3}' },
        },
    ],
    [
        {
            operator: '==',
            documentation: 'Equal. `=` means the same where the variable before it has a value already.',
            example: { call: '1 == 1.0', value: '#T' },
        },
        { operator: '!= <>', documentation: 'Not equal.', example: { call: '"a" != "b"', value: '#T' } },
        {
            operator: '< <= > >=',
            documentation: 'Order of two numbers, texts, dates, or lists.',
            example: { call: '"ab" < "b"', value: '#T' },
        },
        { operator: 'in', documentation: 'Is an element.', example: { call: '2 in [1, 2]', value: '#T' } },
        { operator: '!in', documentation: 'Is no element.', example: { call: '2 !in {1, 2}', value: '#F' } },
    ],
    [{ operator: '!', documentation: 'Not.', example: { call: '!(1 == 2)', value: '#T' } }],
    [{ operator: '&&', documentation: 'And.', example: { call: '1 < 2 && 2 < 1', value: '#F' } }],
    [{ operator: '||', documentation: 'Or.', example: { call: '1 < 2 || 2 < 1', value: '#T' } }],
];
