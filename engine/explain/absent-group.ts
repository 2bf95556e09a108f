import { AGGREGATES } from '#language/program/aggregates.ts';
import type { AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { printExpression } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { compareValues } from '../values/order.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Absence, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import type { Cause } from './cause.ts';
import { DISTANCE } from './distances.ts';
import { conditionCause, shortness } from './failed-condition.ts';
import { type GroupMatch, groupMatch, groupRegisters } from './group-values.ts';
import { compileLeniently, testLeniently } from './lenient-expression.ts';
import type { HeadPattern } from './match-rule.ts';
import type { PartialMatch, PartialMatcher } from './partial-match.ts';
import { patternRows } from './pattern-rows.ts';
import { type Remedy, withoutCondition } from './remedy.ts';
import { UNBOUND } from './rule-scope.ts';
import { endsSearch } from './steps.ts';
import { suspectsOf } from './suspects.ts';
import { trySuspect } from './try-suspect.ts';
import { valuelessAggregate } from './valueless-aggregate.ts';
import { matchesOf } from './weakened-matches.ts';

/** Contributions that show how a group would have to change; it is shared with the rule that makes the group. */
export const CONTRIBUTIONS = 10_000;
/** Groups that are looked at of those that fit. */
const GROUPS = 3;
/** Facts of contributions that are told. */
const NAMED = 10;

/** What stops the groups that have contributions; `open` are the columns of their keys that nobody asks for a value of. */
export function tryGroups(search: RuleSearch, asked: HeadPattern, open: readonly number[], contributions: readonly PartialMatch[]): void {
    if (contributions.length === CONTRIBUTIONS || search.absence.isSpent()) {
        largeGroup(search, asked);
        return;
    }
    const keyOf = ({ registers }: PartialMatch): [number, ValueId][] =>
        open.flatMap((column): [number, ValueId][] => {
            const term = search.matcher.head[column];
            return term !== undefined && 'slot' in term ? [[column, registers[term.slot]!]] : [];
        });
    const groups = new Map<string, PartialMatch[]>();
    for (const match of contributions) append(groups, keyOf(match).join(';'), match);
    for (const matches of [...groups.values()].slice(0, GROUPS)) {
        if (search.absence.isSpent()) return;
        const key = new Map(keyOf(matches[0]!));
        const within = (pattern: HeadPattern): HeadPattern => pattern.map((value, column) => key.get(column) ?? value);
        tryGroup({ ...search, pattern: within(search.pattern) }, within(asked), matches);
    }
}

/** What stops a group that has contributions: its value, or a condition on it. */
function tryGroup(search: RuleSearch, asked: HeadPattern, contributions: readonly PartialMatch[]): void {
    const { rule, matcher, found } = search;
    const registers = contributions.map(groupMatch);
    const known = new Set(registers.map(match => match.registers.join()));
    const failing = groupFailure(search, asked, registers);
    if (failing === undefined) return;
    const premises = [...new Set(contributions.slice(0, NAMED).flatMap(match => premisesOf(search, match)))];
    const { remedies } = failing;
    const decides = failing.cause.kind === 'aggregate' && isPassed(search, asked, registers);
    found.push({
        ...reasonIn(rule, failing.cause, failing.span, premises.slice(0, NAMED), failing.distance),
        ...(remedies === undefined ? { needed: true } : { remedies }),
        ...(decides ? { decides } : {}),
    });
    if (failing.cause.kind === 'valueless') return;
    for (const suspect of suspectsOf(matcher, [])) {
        if (suspect.kind === 'exchange' && suspect.item === undefined) continue;
        const more = matchesOf(search, [suspect], CONTRIBUTIONS).map(groupMatch);
        const bound = more.filter(match => !known.has(match.registers.join()) && contributionsAreBound(rule, matcher, match.registers));
        if (bound.length === 0 || groupFailure(search, asked, [...registers, ...bound]) !== undefined) continue;
        trySuspect(search, suspect, 2 * DISTANCE.idle);
    }
    if (decides) return;
    for (const bound of neededContributions(search, asked, registers)) {
        for (const suspect of suspectsOf(
            matcher,
            search.pattern.map(value => value !== undefined),
        ))
            trySuspect({ ...search, bound }, suspect, DISTANCE.contribution);
    }
    for (const item of matcher.items) {
        if (item.kind === 'atom') trySuspect({ ...search, further: true }, { kind: 'item', item }, DISTANCE.contribution);
    }
}

/** Whether a minimum or maximum is beyond the wanted value: further contributions do not bring it back. */
function isPassed({ absence, rule, head, matcher }: RuleSearch, asked: HeadPattern, matches: readonly GroupMatch[]): boolean {
    const { database } = absence;
    const results = groupResult(absence, rule, matcher, matches);
    return rule.assignments.some(({ variable, value }) => {
        const column = head.atom.arguments.findIndex(term => term.kind === 'variable' && term.name === variable.name);
        const wanted = asked[column];
        const given = results?.[matcher.scope.slot(variable.name)] ?? UNBOUND;
        if (wanted === undefined || given === UNBOUND || value.kind !== 'aggregate') return false;
        const order = compareValues(database.dictionary, given, wanted);
        switch (AGGREGATES[value.name].family) {
            case 'mmin':
                return order < 0;
            case 'mmax':
                return order > 0;
            default:
                return false;
        }
    });
}

/** The registers of a group with its results; undefined if computing them fails. */
function groupResult(
    { database }: Absence,
    rule: AnalysedRule,
    { scope }: PartialMatcher,
    matches: readonly GroupMatch[],
): Int32Array | undefined {
    try {
        return groupRegisters(database, rule, scope, matches);
    } catch (error) {
        if (endsSearch(error)) throw error;
        return undefined;
    }
}

/** The value that a further contribution would need: the wanted one of a minimum or maximum, the difference of a sum. */
function neededContributions(
    { absence, rule, head, matcher }: RuleSearch,
    asked: HeadPattern,
    matches: readonly GroupMatch[],
): NonNullable<RuleSearch['bound']>[] {
    const { dictionary } = absence.database;
    return rule.assignments.flatMap(({ variable, value }) => {
        const column = head.atom.arguments.findIndex(term => term.kind === 'variable' && term.name === variable.name);
        const wanted = asked[column];
        if (wanted === undefined || value.kind !== 'aggregate') return [];
        const [argument] = value.arguments;
        if (argument?.kind !== 'variable' || !dictionary.isNumber(wanted)) return [];
        const slot = matcher.scope.slot(argument.name);
        switch (AGGREGATES[value.name].family) {
            case 'mmin':
            case 'mmax':
                return [[[slot, wanted]] as const];
            case 'msum': {
                const given = groupRegisters(absence.database, rule, matcher.scope, matches)?.[matcher.scope.slot(variable.name)];
                if (given === undefined || !dictionary.isNumber(given)) return [];
                const difference = Number((dictionary.numberOf(wanted) - dictionary.numberOf(given)).toPrecision(12));
                return difference > 0 ? [[[slot, dictionary.number(difference)]] as const] : [];
            }
            default:
                return [];
        }
    });
}

/** A group with more contributions than are looked at: what its facts say, or else that its conditions do not all hold. */
function largeGroup({ absence, rule, head, pattern, found }: RuleSearch, asked: HeadPattern): void {
    const given = valueOfGroup(absence, head.predicate, pattern, asked);
    if (given !== undefined) {
        const term = head.atom.arguments[given.column]!;
        const assigned = rule.assignments.find(({ variable }) => term.kind === 'variable' && variable.name === term.name);
        const cause: Cause = {
            kind: 'aggregate',
            aggregate: printExpression(term),
            wanted: absence.words.valueAt(head.predicate, given.column, asked[given.column]!),
            given: absence.words.valueAt(head.predicate, given.column, given.value),
        };
        found.push({ ...reasonIn(rule, cause, assigned?.value.span ?? term.span, [], DISTANCE.aggregate), needed: true });
        return;
    }
    const conditions = rule.conditions.filter(({ afterAggregation }) => afterAggregation);
    const [first] = conditions;
    if (first === undefined) return;
    const condition = conditions.map(({ expression }) => printExpression(expression)).join(', ');
    const reason = reasonIn(rule, { kind: 'condition', condition, values: [] }, first.expression.span, [], DISTANCE.condition);
    found.push({ ...reason, remedies: conditions.map(one => withoutCondition(rule, one)) });
}

/** The value that the only fact of a group has where another one is asked for. */
function valueOfGroup(
    { database, steps }: Absence,
    key: PredicateKey,
    pattern: HeadPattern,
    asked: HeadPattern,
): { readonly column: number; readonly value: ValueId } | undefined {
    const rows = database.relation(key);
    const column = asked.findIndex((value, at) => value !== undefined && pattern[at] === undefined);
    if (rows === undefined || column < 0) return undefined;
    const [value, ...others] = new Set(patternRows(rows, pattern, steps.pause).map(row => rows.columns[column]![row]!));
    return value === undefined || others.length > 0 || value === asked[column] ? undefined : { column, value };
}

/** Why a group does not give a fact; without remedies where it cannot, as long as this is so. */
interface GroupFailure {
    readonly cause: Cause;
    readonly span: Span;
    readonly distance: number;
    readonly remedies?: readonly Remedy[];
}

function groupFailure(
    { absence, rule, head, matcher, pattern }: RuleSearch,
    asked: HeadPattern,
    matches: readonly GroupMatch[],
): GroupFailure | undefined {
    const { scope } = matcher;
    const valueless = valuelessAggregate(absence.database, rule, matcher, matches);
    if (valueless !== undefined) return { ...valueless, distance: DISTANCE.condition };
    const registers = groupResult(absence, rule, matcher, matches);
    if (registers === undefined) {
        const [assigned] = rule.assignments.filter(({ aggregates }) => aggregates.length > 0);
        const column = asked.findIndex((_, at) => variablesOf(head.atom.arguments[at]!).includes(assigned?.variable.name ?? ''));
        const wanted = asked[column];
        if (assigned === undefined || wanted === undefined) return undefined;
        const given = valueOfGroup(absence, head.predicate, pattern, asked);
        const cause: Cause = {
            kind: 'aggregate',
            aggregate: printExpression(assigned.value),
            wanted: absence.words.valueAt(head.predicate, column, wanted),
            given: given?.column === column ? absence.words.valueAt(head.predicate, column, given.value) : say`another value`,
            contributions: matches.length,
        };
        return { cause, span: assigned.value.span, distance: DISTANCE.aggregate };
    }
    const values = registers;
    for (const condition of rule.conditions) {
        const { expression, afterAggregation } = condition;
        if (!afterAggregation || testLeniently(expression, scope)(values)) continue;
        const distance = DISTANCE.condition + shortness(absence, expression, matcher, values);
        const remedies = [withoutCondition(rule, condition)];
        return { cause: conditionCause(absence, expression, matcher, values), span: expression.span, distance, remedies };
    }
    for (const [column, term] of head.atom.arguments.entries()) {
        const wanted = asked[column];
        if (wanted === undefined || term.kind === 'anonymous') continue;
        const computed = compileLeniently(term, scope)(values);
        if (computed === wanted || computed === UNBOUND) continue;
        // Other rules may contribute to the same group.
        const actual = valueOfGroup(absence, head.predicate, pattern, asked);
        const given = actual?.column === column ? actual.value : computed;
        const cause: Cause = {
            kind: 'aggregate',
            aggregate: printExpression(term),
            wanted: absence.words.valueAt(head.predicate, column, wanted),
            given: absence.words.valueAt(head.predicate, column, given),
            ...(given === computed ? { contributions: matches.length } : {}),
        };
        const assigned = rule.assignments.find(({ variable }) => term.kind === 'variable' && variable.name === term.name);
        return { cause, span: assigned?.value.span ?? term.span, distance: DISTANCE.aggregate };
    }
    return undefined;
}

/** Whether a match gives each aggregate of its rule a value. */
function contributionsAreBound(rule: AnalysedRule, { scope }: PartialMatcher, registers: Int32Array): boolean {
    const needs = rule.assignments.flatMap(({ aggregates }) =>
        aggregates.flatMap(({ arguments: args, contributors = [] }) => [
            ...args.flatMap(argument => variablesOf(argument)),
            ...contributors.map(({ name }) => name),
        ]),
    );
    return needs.every(name => (registers[scope.slot(name)] ?? UNBOUND) !== UNBOUND);
}
