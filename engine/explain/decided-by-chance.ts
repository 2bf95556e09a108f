import { functionNamed, type LibraryPrefixes } from '#language/library/function-catalogue.ts';
import { variesByMatch } from '#language/library/non-deterministic.ts';
import type { AnalysedRule } from '#language/program/analysed-program.ts';
import type { Call, Expression } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';

/** Tells which expressions of a rule have a value that chance or the host has decided: it is not computed again. */
export function decidedByChance(rule: AnalysedRule, prefixes?: LibraryPrefixes): (expression: Expression) => boolean {
    const variables = new Set<string>();
    const isDecided = (expression: Expression): boolean => {
        if (expression.kind === 'variable') return variables.has(expression.name);
        return (
            (expression.kind === 'call' && (variesByMatch(expression) || isProvided(expression, prefixes))) ||
            partsOf(expression).some(isDecided)
        );
    };
    let before: number;
    do {
        before = variables.size;
        for (const { variable, value } of rule.assignments) if (isDecided(value)) variables.add(variable.name);
    } while (variables.size > before);
    return isDecided;
}

function isProvided(call: Call, prefixes: LibraryPrefixes | undefined): boolean {
    return functionNamed(call.name, prefixes)?.provider !== false;
}
