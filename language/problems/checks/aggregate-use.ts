import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { Assignment } from '#language/program/analysed-program.ts';
import { printAtomText, printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate, Variable } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, withForm, withRemedy } from '../catalogue.ts';
import { COMPARISONS } from './constant-order.ts';

/** Aggregates that do less than they seem to: RL3005, RL3007, RL3032 to RL3035. */
export function* checkAggregateUse(facts: RuleFacts): Iterable<Problem> {
    const { resolved, occurrences, place } = facts;
    for (const assignment of resolved.assignments) {
        const { variable, aggregates, value } = assignment;
        for (const aggregate of aggregates) {
            yield* checkContributors(aggregate, facts);
            yield* checkCount(aggregate, facts);
            yield* checkCondition(aggregate, assignment, facts);
            if (!isHeadColumn(variable.name, facts)) yield* checkGroupValue(aggregate, variable, facts);
        }
        const isUnused = occurrences.get(variable.name)?.length === 1;
        if (value.kind === 'aggregate' && isUnused) yield problem('RL3032', place, variable.span, variable.name);
        else if (isUnused || (NUMBER_NAME.test(variable.name) && isHeadColumn(variable.name, facts)))
            yield* checkComparison(assignment, isUnused, facts);
    }
}

/** Usual names of numbers. */
const NUMBER_NAME = /^(?:[a-z]|.*(?:cnt|count|num|number|total|sum|max|min|avg|mean))\d*$/iu;

/** `N = count() > 1` where nothing uses N, or the head gives it like a number. */
function* checkComparison({ variable, value, aggregates }: Assignment, isUnused: boolean, { place }: RuleFacts): Iterable<Problem> {
    if (aggregates.length === 0 || value.kind !== 'binary' || !COMPARISONS.has(value.operator)) return;
    const { left, right, operator } = value;
    const [aggregate, other] = left.kind === 'aggregate' ? [left, right] : [right, left];
    const found = problem('RL3033', place, value.span, variable.name, isUnused);
    if (aggregate.kind !== 'aggregate' || other.kind === 'aggregate') {
        yield found;
        return;
    }
    const sides = aggregate === left ? [variable.name, printExpression(right)] : [printExpression(left), variable.name];
    yield withRemedy(found, say`write '${variable.name} = ${printExpression(aggregate)}, ${sides.join(` ${operator} `)}'`);
}

/** `N = count(A > 1)`. */
function* checkCondition(aggregate: Aggregate, { variable, value }: Assignment, { place }: RuleFacts): Iterable<Problem> {
    const [counted] = aggregate.arguments;
    if (AGGREGATES[aggregate.name].domain !== 'rows' || counted?.kind !== 'binary' || !COMPARISONS.has(counted.operator)) return;
    const isAll = value === aggregate;
    const found = problem('RL3035', place, isAll ? { start: variable.span.start, end: value.span.end } : counted.span, aggregate.name);
    yield isAll ? withForm(found, `${printExpression(counted)}, ${variable.name} = ${aggregate.name}()`) : found;
}

/** RL3034 for what the head of the only rule of a predicate gives: where others aggregate a column, each has to (D-38). */
export function* checkGroupValues(facts: RuleFacts): Iterable<Problem> {
    for (const { variable, aggregates } of facts.resolved.assignments) {
        if (!isHeadColumn(variable.name, facts)) continue;
        for (const aggregate of aggregates) yield* checkGroupValue(aggregate, variable, facts);
    }
}

/** The greatest of a group that has one value. */
function* checkGroupValue({ name, arguments: [argument] }: Aggregate, result: Variable, facts: RuleFacts): Iterable<Problem> {
    if (argument?.kind !== 'variable' || AGGREGATES[name].chooses === undefined || !isGroupColumn(argument.name, facts)) return;
    const { resolved, place } = facts;
    const [head, ...others] = resolved.heads;
    const keys = (head?.atom.arguments ?? []).filter(term => term.kind !== 'variable' || !facts.aggregated.has(term.name));
    const found = problem('RL3034', place, argument.span, name, argument.name);
    const groups = keys.filter(term => term.kind !== 'variable' || term.name !== argument.name).map(printExpression);
    if (head === undefined || others.length > 0) {
        yield found;
        return;
    }
    const body = resolved.literals.map(({ atom, negated }) => `${negated ? 'not ' : ''}${printAtomText(atom)}`).join(', ');
    const group = groups.length === 1 ? groups[0] : groups.length === 0 ? '' : '…';
    const terms = [...(group === '' ? [] : [group]), result.name].join(', ');
    const rule = `best(${terms}) <- ${body}, ${result.name} = ${name}(${argument.name}).`;
    const join = [...(group === '' ? [] : [group]), argument.name].join(', ');
    const which = group === '…' ? say`, where … is what the group has in common` : '';
    yield withRemedy(found, say`write a rule '${rule}' and here 'best(${join})' in place of the aggregate and its comparison${which}`);
}

/** Contributors that are the same for the whole group. */
function* checkContributors({ contributors, name }: Aggregate, facts: RuleFacts): Iterable<Problem> {
    if (name === 'maxcount') return;
    for (const variable of contributors ?? []) {
        if (isGroupColumn(variable.name, facts)) yield problem('RL3005', facts.place, variable.span, variable.name);
    }
}

/** A count of rows that names a variable with other values in other rows. */
function* checkCount({ name, arguments: [argument], contributors }: Aggregate, facts: RuleFacts): Iterable<Problem> {
    if ((name !== 'mcount' && name !== 'count') || argument?.kind !== 'variable' || contributors !== undefined) return;
    const others = facts.resolved.literals.some(({ atom, negated }) => !negated && atom.arguments.length > 1);
    if (others && !isGroupColumn(argument.name, facts)) yield problem('RL3007', facts.place, argument.span, argument.name);
}

function isGroupColumn(name: string, facts: RuleFacts): boolean {
    return !facts.aggregated.has(name) && isHeadColumn(name, facts);
}

function isHeadColumn(name: string, { resolved }: RuleFacts): boolean {
    return resolved.heads.some(({ atom }) => atom.arguments.some(term => term.kind === 'variable' && term.name === name));
}
