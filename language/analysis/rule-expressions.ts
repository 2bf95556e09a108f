import type { Assignment } from '#language/program/analysed-program.ts';
import type { Expression, Rule } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import type { ReadItem, RuleExpression } from './program-facts.ts';

/** The expressions of a rule that have parts, in text order. */
export function compoundExpressions(rule: Rule, items: readonly ReadItem[], assignments: readonly Assignment[]): RuleExpression[] {
    const found: RuleExpression[] = [];
    const assigning = new Set(assignments.map(({ variable }) => variable));
    const add = (expression: Expression, where: RuleExpression['where'], assigned = false): void => {
        if (isCompound(expression)) found.push({ expression, where, assigned });
    };
    if (rule.head.kind === 'atoms') for (const atom of rule.head.atoms) for (const term of atom.arguments) add(term, 'head');
    if (rule.head.kind === 'equality') add(rule.head.right, 'head');
    for (const item of items) {
        switch (item.kind) {
            case 'literal':
                for (const term of item.atom.arguments) add(term, 'atom');
                break;
            case 'condition':
            case 'negated-condition':
                add(item.expression, 'condition');
                break;
            case 'equation':
                add(item.value, 'value', assigning.has(item.variable));
                break;
            case 'joined-atoms':
            case 'domain':
                break;
        }
    }
    return found;
}

function isCompound(expression: Expression): boolean {
    return expression.kind === 'aggregate' || expression.kind === 'call' || expression.kind === 'skolem' || partsOf(expression).length > 0;
}
