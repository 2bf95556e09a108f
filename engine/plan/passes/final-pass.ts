import { AGGREGATES, type Direction } from '#language/program/aggregates.ts';
import type { Column, PredicateKey } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import { isNumeric, MIXED, sameType, type Type } from '#language/program/types.ts';
import type { SwitchedOff } from '../decisions.ts';
import type { PlanRelation, PlanRule, PlanStratum } from '../plan.ts';
import { dependsOn } from '../rule-parts.ts';

/**
 * Whether the final pass of a recursion through groups (5.5.1, step 4) can change anything. It cannot when rules of the
 * component use aggregated values only where an improving value never takes anything back: in a threshold, or as a
 * contribution that improves with it.
 */
export function finalPassOf(
    rules: readonly PlanRule[],
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
    disabled: SwitchedOff,
): PlanStratum['finalPass'] {
    if (disabled.has('skip-final-pass')) return 'needed';
    return rules.every(rule => improvesOnly(rule, relations)) ? 'without effect' : 'needed';
}

function improvesOnly(rule: PlanRule, relations: ReadonlyMap<PredicateKey, PlanRelation>): boolean {
    const moving = new Map<string, Direction>();
    for (const literal of rule.literals) {
        const relation = literal.recursive ? relations.get(literal.relation) : undefined;
        for (const { column, family, type } of relation?.groups?.aggregates ?? []) {
            const term = literal.terms[column]!;
            if (term.kind === 'anonymous') continue;
            const { direction } = AGGREGATES[family];
            if (direction === undefined || moving.has(term.name) || !keepsOrder(relation!.columns[column]!, type)) return false;
            moving.set(term.name, direction);
        }
    }
    if (moving.size === 0) return true;
    if (usedAsTerm(rule, moving, relations)) return false;
    if (rule.inventions.some(({ frontier }) => frontier.some(name => moving.has(name)))) return false;
    for (const { variable, value } of rule.assignments) {
        if (!dependsOn(value, moving)) continue;
        const direction = directionOf(value, moving, rule);
        if (direction === undefined) return false;
        moving.set(variable, direction);
    }
    return (
        rule.filters.every(filter => !dependsOn(filter, moving) || staysTrue(filter, moving, rule)) &&
        rule.outputs.every(output => {
            if (output.kind !== 'contribute') return !output.terms.some(term => moving.has(term));
            const aggregates = relations.get(output.relation)?.groups?.aggregates ?? [];
            return (
                !output.keys.some(key => moving.has(key)) &&
                output.contributions.every(({ value, contributors }, i) => {
                    if (Array.isArray(contributors) && contributors.some(name => moving.has(name))) return false;
                    return value === undefined || !moving.has(value) || moving.get(value) === AGGREGATES[aggregates[i]!.family].direction;
                })
            );
        })
    );
}

/** Whether the column of a model shows values of this type in their order: texts of numbers, or numbers that may not fit, have another one. */
function keepsOrder({ cast, type }: Column, from: Type): boolean {
    if (!cast || sameType(type, from)) return true;
    return isNumeric(from) && (type.kind === 'double' || (type.kind === 'long' && from.kind === 'int'));
}

/** A moving variable that occurs in another place of an atom joins by its value, and a constant there selects by it. */
function usedAsTerm(rule: PlanRule, moving: ReadonlyMap<string, Direction>, relations: ReadonlyMap<PredicateKey, PlanRelation>): boolean {
    return rule.literals.some(literal => {
        const groups = literal.recursive ? relations.get(literal.relation)?.groups : undefined;
        return literal.terms.some((term, column) => {
            if (term.kind === 'anonymous' || !moving.has(term.name)) return false;
            const aggregated = groups?.aggregates.some(aggregate => aggregate.column === column);
            return !aggregated || rule.constants.some(constant => constant.variable === term.name);
        });
    });
}

/** The way an expression moves with its variables: a moving number, a sum of numbers that move one way, one minus what stays. */
function directionOf(expression: Expression, moving: ReadonlyMap<string, Direction>, rule: PlanRule): Direction | undefined {
    if (expression.kind === 'variable') return moving.get(expression.name);
    if (expression.kind !== 'binary') return undefined;
    const { operator, left, right } = expression;
    if (operator === '-') return dependsOn(right, moving) || !isNumber(left, rule) ? undefined : directionOf(left, moving, rule);
    if (operator !== '+' || !isNumber(left, rule) || !isNumber(right, rule)) return undefined;
    const directions = [left, right].filter(part => dependsOn(part, moving)).map(part => directionOf(part, moving, rule));
    return directions.every(direction => direction === directions[0]) ? directions[0] : undefined;
}

function isNumber(expression: Expression, rule: PlanRule): boolean {
    switch (expression.kind) {
        case 'integer':
        case 'double':
            return true;
        case 'variable': {
            const type = rule.types.get(expression.name);
            return type !== undefined && isNumeric(type);
        }
        case 'binary':
            return isNumber(expression.left, rule) && isNumber(expression.right, rule);
        default:
            return false;
    }
}

/**
 * A comparison of an improving value with what stays, which improving values cannot make false. Values of several classes improve in an
 * order that comparisons do not have: a text is larger than every number where the largest is looked for, and not in a condition (D-16).
 */
function staysTrue(filter: Expression, moving: ReadonlyMap<string, Direction>, rule: PlanRule): boolean {
    if (filter.kind !== 'binary') return false;
    const { operator, left, right } = filter;
    if (operator === '&&' || operator === '||') {
        return [left, right].every(side => !dependsOn(side, moving) || staysTrue(side, moving, rule));
    }
    if (operator === 'in') return !dependsOn(left, moving) && directionOf(right, moving, rule) === 'widening';
    const greater = operator === '>' || operator === '>=';
    if (!greater && operator !== '<' && operator !== '<=') return false;
    const [larger, smaller] = greater ? [left, right] : [right, left];
    const moves = (side: Expression, way: Direction): boolean => isOfOneClass(side, rule) && directionOf(side, moving, rule) === way;
    return (!dependsOn(larger, moving) || moves(larger, 'increasing')) && (!dependsOn(smaller, moving) || moves(smaller, 'decreasing'));
}

function isOfOneClass(expression: Expression, rule: PlanRule): boolean {
    if (expression.kind !== 'variable') return isNumber(expression, rule);
    const { kind } = rule.types.get(expression.name) ?? MIXED;
    return kind !== 'mixed' && kind !== 'unknown';
}
