interface LambdaFunction {
    /** The function of the rule language that it is. */
    readonly name: string;
    readonly least: number;
    readonly most: number;
}

function fixed(name: string, least: number, most = least): LambdaFunction {
    return { name, least, most };
}

/** The functions of lambdas (D-56) but for `array`, which is a list. */
export const LAMBDA_FUNCTIONS: ReadonlyMap<string, LambdaFunction> = new Map([
    ['abs', fixed('math:abs', 1)],
    ['lower', fixed('to_lower', 1)],
    ['upper', fixed('to_upper', 1)],
    ['length', fixed('string_length', 1)],
    ['concat', fixed('concat', 1, Number.POSITIVE_INFINITY)],
    ['coalesce', fixed('nullManagement:coalesce', 1, Number.POSITIVE_INFINITY)],
    ['round', fixed('math:round', 1, 2)],
    ['struct', fixed('struct', 2, Number.POSITIVE_INFINITY)],
    ['size', fixed('collections:size', 1)],
    ['trim', fixed('strip', 1)],
]);

export const ARRAY = 'array';
