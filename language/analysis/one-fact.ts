import type { Item, Rule } from '#language/program/program.ts';
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
export function isAggregated({ rule, atom }: RuleHead, column: number): boolean {
    const term = atom.arguments[column];
    return term?.kind === 'variable' && aggregatedVariables(rule).has(term.name);
}

/** A rule of many heads is asked by each of them. */
const AGGREGATED = new WeakMap<Rule, ReadonlySet<string>>();

function aggregatedVariables(rule: Rule): ReadonlySet<string> {
    const known = AGGREGATED.get(rule);
    if (known !== undefined) return known;
    const names = new Set(rule.body.kind === 'items' ? rule.body.items.map(aggregatedVariable).filter(name => name !== undefined) : []);
    AGGREGATED.set(rule, names);
    return names;
}

function aggregatedVariable(item: Item): string | undefined {
    if (item.kind !== 'expression' || item.expression.kind !== 'binary' || item.expression.operator !== '=') return undefined;
    const { left, right } = item.expression;
    return left.kind === 'variable' && right.kind === 'aggregate' ? left.name : undefined;
}
