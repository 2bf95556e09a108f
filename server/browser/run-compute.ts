/** A page has no engine beside the evaluator: no run there names one. */
export function runCompute(): undefined {
    return undefined;
}
