import type { Expression } from '#language/program/program.ts';
import type { RuleFacts } from './program-facts.ts';

/** An expression of a rule that is not part of another one. */
export interface RuleExpression {
    readonly expression: Expression;
    /** `value` is the right side of `V = e`, whether it assigns or compares. */
    readonly where: 'head' | 'atom' | 'condition' | 'value';
    /** The right side of an equation that assigns. */
    readonly assigned: boolean;
}

/** The expressions of a rule in text order. */
export function* expressionsOf({ rule, items, resolved }: RuleFacts): Iterable<RuleExpression> {
    if (rule.head.kind === 'atoms') {
        for (const atom of rule.head.atoms) for (const expression of atom.arguments) yield { expression, where: 'head', assigned: false };
    }
    if (rule.head.kind === 'equality') yield { expression: rule.head.right, where: 'head', assigned: false };
    for (const item of items) {
        switch (item.kind) {
            case 'literal':
                for (const expression of item.atom.arguments) yield { expression, where: 'atom', assigned: false };
                break;
            case 'condition':
            case 'negated-condition':
                yield { expression: item.expression, where: 'condition', assigned: false };
                break;
            case 'equation': {
                const assigned = resolved.assignments.some(({ variable }) => variable === item.variable);
                yield { expression: item.value, where: 'value', assigned };
                break;
            }
            case 'joined-atoms':
            case 'domain':
                break;
        }
    }
}
