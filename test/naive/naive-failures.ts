import type { Test } from '#engine/evaluate/scope.ts';
import { isOfValues, RunStopped } from '#engine/reports/reports.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';

/** What has failed for a match: the first failure, and the variables without a value. It counts where all else holds. */
export interface Failed {
    readonly first: RunStopped;
    readonly variables: ReadonlySet<string>;
}

/** A condition with the variables that it needs. */
export interface NaiveCondition {
    readonly test: Test;
    readonly needs: readonly string[];
}

export function conditionOf(expression: Expression, test: Test): NaiveCondition {
    return { test, needs: variablesOf(expression) };
}

/** A value that needs these variables, or that there is none. */
export function attempt<T>(
    needs: readonly string[],
    failed: Failed | undefined,
    compute: () => T,
): { readonly value: T } | { readonly failed: Failed } {
    if (failed !== undefined && needs.some(name => failed.variables.has(name))) return { failed };
    try {
        return { value: compute() };
    } catch (thrown) {
        if (!(thrown instanceof RunStopped) || !isOfValues(thrown.report)) throw thrown;
        return { failed: failed ?? { first: thrown, variables: new Set() } };
    }
}

/** Whether all conditions hold that have a value, and what has failed by then. */
export function judge(
    conditions: readonly NaiveCondition[],
    registers: Int32Array,
    before: Failed | undefined,
): { readonly holds: boolean; readonly failed: Failed | undefined } {
    let failed = before;
    for (const { test, needs } of conditions) {
        const result = attempt(needs, failed, () => test(registers));
        if ('failed' in result) failed = result.failed;
        else if (!result.value) return { holds: false, failed };
    }
    return { holds: true, failed };
}

export function without(failed: Failed, variable: string): Failed {
    return { first: failed.first, variables: new Set([...failed.variables, variable]) };
}
