import { mentions, variablesIn } from '#language/analysis/occurrences.ts';
import type { AggregatedColumns, RuleFacts } from '#language/analysis/program-facts.ts';
import { AGGREGATES, type Direction } from '#language/program/aggregates.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate, BinaryOperator, Expression } from '#language/program/program.ts';
import { translated } from '#language/program/say.ts';
import { problem } from '../catalogue.ts';
import { conjunctsOf } from './constant-conditions.ts';

/** The predicates of a recursive component with the columns that their rules aggregate. */
export type ComponentColumns = ReadonlyMap<PredicateKey, AggregatedColumns>;

/** Aggregates inside recursion: RL3011 when they are part of an expression, RL3012 for conditions that can turn false; RL3013, RL3014. */
export function* checkRecursiveAggregates(facts: RuleFacts, members: ComponentColumns): Iterable<Problem> {
    for (const { value, aggregates } of facts.resolved.assignments) {
        if (aggregates.length > 0 && value.kind !== 'aggregate') yield problem('RL3011', facts.place, value.span);
    }
    const directions = improvingVariables(facts, members);
    if (directions.size === 0) return;
    yield* checkRanges(facts);
    yield* checkConvergence(facts, members);
    for (const { expression } of facts.resolved.conditions) {
        const name = canBecomeFalse(expression, directions);
        if (name !== undefined) yield problem('RL3012', facts.place, expression.span, name);
    }
}

/** Sums of what may be negative and products of what may be larger than 1: RL3013, as far as the rule itself shows. */
function* checkRanges({ resolved, place }: RuleFacts): Iterable<Problem> {
    for (const { value } of resolved.assignments) {
        if (value.kind !== 'aggregate') continue;
        const { range } = AGGREGATES[value.name];
        const [argument] = value.arguments;
        if (argument === undefined || range === undefined) continue;
        const limits = limitsOf(resolved.conditions.map(({ expression }) => expression));
        if (isNonNegative(argument, limits) && (range.most === undefined || isAtMostOne(argument, limits))) continue;
        yield problem('RL3013', place, argument.span, value.name, translated(range.words));
    }
}

/** Variables that conditions keep at zero or above, and at one or below. */
interface Limits {
    readonly nonNegative: ReadonlySet<string>;
    readonly atMostOne: ReadonlySet<string>;
}

function limitsOf(conditions: readonly Expression[]): Limits {
    const nonNegative = new Set<string>();
    const atMostOne = new Set<string>();
    for (const condition of conditions.flatMap(conjunctsOf)) {
        if (condition.kind === 'call' && /^_?between_?$/u.test(condition.name)) {
            const [value, low, high] = condition.arguments;
            if (value?.kind !== 'variable') continue;
            if (low !== undefined && numberOf(low) >= 0) nonNegative.add(value.name);
            if (high !== undefined && numberOf(high) <= 1) atMostOne.add(value.name);
        }
        if (condition.kind !== 'binary') continue;
        const { left, right, operator } = condition;
        const sides = left.kind === 'variable' ? [left.name, operator, right] : [];
        const [name, relation, limit] = sides.length > 0 ? sides : right.kind === 'variable' ? [right.name, mirrored(operator), left] : [];
        if (typeof name !== 'string' || limit === undefined || typeof limit === 'string') continue;
        const number = numberOf(limit);
        if ((relation === '>' || relation === '>=') && number >= 0) nonNegative.add(name);
        if ((relation === '<' || relation === '<=') && number <= 1) atMostOne.add(name);
    }
    return { nonNegative, atMostOne };
}

function numberOf(expression: Expression): number {
    return expression.kind === 'integer' || expression.kind === 'double' ? Number(expression.value) : Number.NaN;
}

function isNonNegative(expression: Expression, limits: Limits): boolean {
    switch (expression.kind) {
        case 'integer':
        case 'double':
            return expression.value >= 0;
        case 'variable':
            return limits.nonNegative.has(expression.name);
        case 'binary':
            return '+*/'.includes(expression.operator) && isNonNegative(expression.left, limits) && isNonNegative(expression.right, limits);
        case 'call':
            return expression.name === 'math:abs' || expression.name === 'string_length';
        default:
            return false;
    }
}

function isAtMostOne(expression: Expression, limits: Limits): boolean {
    switch (expression.kind) {
        case 'integer':
        case 'double':
            return expression.value <= 1;
        case 'variable':
            return limits.atMostOne.has(expression.name);
        case 'binary':
            return expression.operator === '*' && [expression.left, expression.right].every(side => isAtMostOne(side, limits));
        default:
            return false;
    }
}

/** Sums of sums of the same predicates: RL3014, unless each group has one contributor (5.5). */
function* checkConvergence(facts: RuleFacts, members: ComponentColumns): Iterable<Problem> {
    const { resolved, place } = facts;
    const fed = new Set<string>();
    for (const { atom, predicate, negated } of resolved.literals) {
        const columns = negated ? undefined : members.get(predicate);
        atom.arguments.forEach((term, column) => {
            if (term.kind === 'variable' && columns?.has(column)) fed.add(term.name);
        });
    }
    for (const { value } of resolved.assignments) {
        if (value.kind !== 'aggregate' || AGGREGATES[value.name].family !== 'msum') continue;
        if (!value.arguments.some(argument => variablesIn(argument).some(name => fed.has(name)))) continue;
        const group = new Set(resolved.heads.flatMap(({ atom }) => atom.arguments.flatMap(variablesIn)));
        const contributors = value.contributors?.map(({ name }) => name) ?? [...facts.positive].filter(name => !fed.has(name));
        if (!contributors.every(name => group.has(name))) yield problem('RL3014', place, value.nameSpan);
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
