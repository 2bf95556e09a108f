import type { NameFacts, RuleHead } from './program-facts.ts';

/** Whether a predicate has one fact at most, whatever the data are: its only rule aggregates all that it gives. */
export function hasOneFact({ definitions, binds, input, supplied, possiblyDefined }: NameFacts): boolean {
    const [definition, another] = definitions.values();
    if (definition === undefined || another !== undefined || binds.length > 0 || possiblyDefined) return false;
    if (input !== undefined || supplied !== undefined) return false;
    const { facts, rules } = definition;
    const [head] = rules;
    if (head === undefined || rules.length > 1 || facts.length > 0) return false;
    return head.atom.arguments.every((_term, column) => isAggregated(head, column));
}

/** Whether a rule gives a column the value of an aggregate. `column` counts from zero. */
export function isAggregated({ rule: { body }, atom }: RuleHead, column: number): boolean {
    const term = atom.arguments[column];
    if (body.kind !== 'items' || term?.kind !== 'variable') return false;
    return body.items.some(item => {
        if (item.kind !== 'expression' || item.expression.kind !== 'binary' || item.expression.operator !== '=') return false;
        const { left, right } = item.expression;
        return left.kind === 'variable' && left.name === term.name && right.kind === 'aggregate';
    });
}
