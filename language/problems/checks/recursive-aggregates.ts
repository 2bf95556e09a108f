import { variablesIn } from '#language/analysis/occurrences.ts';
import type { AggregatedColumns, RuleFacts } from '#language/analysis/program-facts.ts';
import { AGGREGATES, type Direction } from '#language/library/aggregates.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate, BinaryOperator, Expression } from '#language/program/program.ts';
import { problem } from '../catalogue.ts';

/** The predicates of a recursive component with the columns that their rules aggregate. */
export type ComponentColumns = ReadonlyMap<PredicateKey, AggregatedColumns>;

/** Aggregates inside recursion: RL3011 when they are part of an expression, RL3012 for conditions that can turn false. */
export function* checkRecursiveAggregates(facts: RuleFacts, members: ComponentColumns): Iterable<Problem> {
    for (const { value, aggregates } of facts.resolved.assignments) {
        if (aggregates.length > 0 && value.kind !== 'aggregate') yield problem('RL3011', facts.place, value.span);
    }
    const directions = improvingVariables(facts, members);
    if (directions.size === 0) return;
    for (const { expression } of facts.resolved.conditions) {
        const name = canBecomeFalse(expression, directions);
        if (name !== undefined) yield problem('RL3012', facts.place, expression.span, name);
    }
}

/** Variables that carry the value of an aggregate of the same component, and the way in which it moves. */
function improvingVariables(facts: RuleFacts, members: ComponentColumns): Map<string, Direction> {
    const directions = new Map<string, Direction>();
    const add = (name: string, aggregate: Aggregate | undefined): void => {
        const direction = aggregate && AGGREGATES[AGGREGATES[aggregate.name].family].direction;
        if (direction !== undefined) directions.set(name, direction);
    };
    for (const literal of facts.resolved.literals) {
        const columns = members.get(literal.predicate);
        if (literal.negated || columns === undefined) continue;
        literal.atom.arguments.forEach((term, column) => {
            if (term.kind === 'variable') add(term.name, columns.get(column)?.find(source => source.aggregate !== undefined)?.aggregate);
        });
    }
    for (const { variable, value } of facts.resolved.assignments) if (value.kind === 'aggregate') add(variable.name, value);
    return directions;
}

function canBecomeFalse(expression: Expression, directions: ReadonlyMap<string, Direction>): string | undefined {
    if (expression.kind !== 'binary') return undefined;
    const { left, right, operator } = expression;
    if (left.kind === 'variable' && !mentions(right, directions)) return threatened(left.name, operator, directions);
    if (right.kind === 'variable' && !mentions(left, directions)) return threatened(right.name, mirrored(operator), directions);
    return undefined;
}

function mentions(expression: Expression, directions: ReadonlyMap<string, Direction>): boolean {
    return variablesIn(expression).some(name => directions.has(name));
}

function threatened(name: string, operator: BinaryOperator, directions: ReadonlyMap<string, Direction>): string | undefined {
    const direction = directions.get(name);
    if (direction === undefined) return undefined;
    switch (operator) {
        case '>':
        case '>=':
            return direction === 'increasing' ? undefined : name;
        case '<':
        case '<=':
            return direction === 'decreasing' ? undefined : name;
        case '==':
        case '=':
        case '!in':
            return name;
        default:
            return undefined;
    }
}

function mirrored(operator: BinaryOperator): BinaryOperator {
    switch (operator) {
        case '<':
            return '>';
        case '<=':
            return '>=';
        case '>':
            return '<';
        case '>=':
            return '<=';
        default:
            return operator;
    }
}
