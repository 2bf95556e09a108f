import type { Expression } from '#language/program/program.ts';
import { compileCondition, compileExpression } from '../evaluate/expression.ts';
import type { Evaluate, Scope, Test } from '../evaluate/scope.ts';
import { isOfValues, RunStopped } from '../reports/reports.ts';

/**
 * An expression of a rule that is matched again. A run ends where one fails in a match in which all else holds; in other matches,
 * which are met here as well, it has an unknown value.
 */
export function compileLeniently(expression: Expression, scope: Scope): Evaluate {
    const evaluate = compileExpression(expression, scope);
    return registers => {
        try {
            return evaluate(registers);
        } catch (thrown) {
            expectFailure(thrown);
            return scope.dictionary.freshNull('failed');
        }
    };
}

/** The same for a condition, which does not hold then. */
export function testLeniently(expression: Expression, scope: Scope): Test {
    const test = compileCondition(expression, scope);
    return registers => {
        try {
            return test(registers);
        } catch (thrown) {
            expectFailure(thrown);
            return false;
        }
    };
}

function expectFailure(thrown: unknown): void {
    if (!(thrown instanceof RunStopped) || !isOfValues(thrown.report)) throw thrown;
}
