import { isNonDeterministic } from '#language/library/non-deterministic.ts';
import type { AnalysedRule } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';

/** Tells which expressions of a rule have a value that chance, or the time, has decided: computed again, it would be another. */
export function decidedByChance(rule: AnalysedRule): (expression: Expression) => boolean {
    const variables = new Set<string>();
    const isDecided = (expression: Expression): boolean => {
        if (expression.kind === 'variable') return variables.has(expression.name);
        return (expression.kind === 'call' && isNonDeterministic(expression)) || partsOf(expression).some(isDecided);
    };
    let before: number;
    do {
        before = variables.size;
        for (const { variable, value } of rule.assignments) if (isDecided(value)) variables.add(variable.name);
    } while (variables.size > before);
    return isDecided;
}
