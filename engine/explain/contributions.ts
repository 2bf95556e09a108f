import { explodedCollection } from '#language/library/exploded-collection.ts';
import type { AnalysedRule, Predicate, ResolvedAtom } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Database } from '../contracts/database.ts';
import { type AggregateUse, aggregateSignature } from '../plan/aggregate-signature.ts';
import { sharedGroupsKey } from '../plan/plan-rules.ts';
import { dependentVariables, withoutAggregates } from '../plan/rule-parts.ts';
import type { ValueId } from '../values/value-id.ts';
import { decidedByChance } from './decided-by-chance.ts';
import { groupRegisters } from './group-values.ts';
import { testLeniently } from './lenient-expression.ts';
import { type HeadPattern, matchScope } from './match-rule.ts';
import { hasRow } from './pattern-rows.ts';
import { compileHead, UNBOUND } from './rule-scope.ts';

/** A match of an aggregating rule that may contribute to a group. */
export interface GroupedMatch {
    readonly rule: AnalysedRule;
    readonly head: ResolvedAtom;
    readonly registers: Int32Array;
    /** Tells one match from another. */
    readonly facts: string;
}

/**
 * Those matches that contribute to a fact, of all that have its key. Where plain rules or facts are united with the rows
 * of groups, the groups may have another value; and of the finer groups that a condition on a result makes, some may
 * have been left out. In a recursion all of them count, since groups change while rules look at them.
 */
export function contributionsTo<T extends GroupedMatch>(
    database: Database,
    predicate: Predicate,
    values: readonly ValueId[],
    matches: readonly T[],
): readonly T[] {
    const { strata, rules } = database.program;
    if (matches.length === 0 || strata.some(({ recursive, predicates }) => recursive && predicates.includes(predicate.key))) return matches;
    const uses = predicate.rules.flatMap(index => {
        const rule = rules[index];
        return (rule?.heads ?? []).flatMap(head => (rule && head.predicate === predicate.key ? [aggregateSignature(rule, head)] : []));
    });
    const [first] = uses;
    const isShared = first?.signature !== undefined && uses.every(({ signature }) => signature === first.signature) && !first.largestOnly;
    const byHead = new Map<ResolvedAtom, T[]>();
    for (const match of matches) append(byHead, match.head, match);
    return [...byHead.values()].flatMap(same => {
        const { rule, head } = same[0]!;
        const use = aggregateSignature(rule, head);
        const isAlone = !isShared && !isInSharedGroups(database, predicate, use);
        if (!isShared && !isAlone && !hasSharedRow(database, predicate, use, values)) return [];
        if (hasFreshKey(rule)) return groupsThatGive(database, same, values);
        return use.finer || isAlone ? groupsThatGive(database, same, isAlone && !use.finer ? values : undefined) : same;
    });
}

function isInSharedGroups(database: Database, predicate: Predicate, { signature }: AggregateUse): boolean {
    return signature !== undefined && database.relation(sharedGroupsKey(predicate.key, signature)) !== undefined;
}

/** The values of a fact, but for columns that were cast: other relations may have other values there. */
export function withoutCasts({ columns }: Predicate, values: readonly ValueId[]): HeadPattern {
    return values.map((value, column) => (columns[column]!.cast ? undefined : value));
}

/** Whether the groups that rules of one signature share have a row with these values. */
function hasSharedRow(database: Database, predicate: Predicate, { signature }: AggregateUse, values: readonly ValueId[]): boolean {
    return hasRow(database.relation(sharedGroupsKey(predicate.key, signature ?? '')), withoutCasts(predicate, values));
}

/** The matches of the groups that pass the conditions on their results, and give a head these values if there are any. */
function groupsThatGive<T extends GroupedMatch>(
    database: Database,
    matches: readonly T[],
    values: readonly ValueId[] | undefined,
): readonly T[] {
    const { rule, head } = matches[0]!;
    const { dictionary, program } = database;
    // A result that is exploded into rows of its own is not computed again.
    if (rule.assignments.some(one => one.afterAggregation && explodedCollection(one.value, program.libraryPrefixes))) return matches;
    const scope = matchScope(database, rule);
    const byChance = decidedByChance(rule, program.libraryPrefixes);
    const conditions = rule.conditions
        .filter(({ afterAggregation, expression }) => afterAggregation && !byChance(expression))
        .map(({ expression }) => testLeniently(expression, scope));
    const terms = values === undefined ? [] : compileHead(head, rule, database, scope, byChance);
    const isGiven = (registers: Int32Array): boolean =>
        terms.every((term, column) => {
            const given = term === undefined ? UNBOUND : 'slot' in term ? (registers[term.slot] ?? UNBOUND) : term.value(registers);
            return given === UNBOUND || dictionary.isNull(given) || given === values?.[column];
        });
    return groupsOf(database, matches).flatMap(group => {
        const registers = groupRegisters(database, rule, scope, group);
        return registers === undefined || (conditions.every(test => test(registers)) && isGiven(registers)) ? group : [];
    });
}

/** The matches of one rule by the groups that they are in. */
export function groupsOf<T extends GroupedMatch>(database: Database, matches: readonly T[]): T[][] {
    const { rule } = matches[0]!;
    const slots = keyVariables(rule).map(matchScope(database, rule).slot);
    const groups = new Map<string, T[]>();
    const ofOneMatch = hasFreshKey(rule);
    for (const [index, match] of matches.entries()) {
        const key = ofOneMatch ? `${index}` : slots.map(slot => match.registers[slot]).join();
        append(groups, key, match);
    }
    return [...groups.values()];
}

/** A literal `null` in the key is another value in every match, so that each has a group of its own. */
function hasFreshKey(rule: AnalysedRule): boolean {
    const keys = keyVariables(rule);
    return rule.assignments.some(({ variable, value }) => value.kind === 'null' && keys.includes(variable.name));
}

/** The variables that tell the groups of a rule apart: those of its heads, and what is read together with results (5.2). */
export function keyVariables(rule: AnalysedRule): string[] {
    const dependent = dependentVariables(rule);
    const read = [
        ...rule.heads.flatMap(({ atom }) => atom.arguments),
        ...rule.conditions.flatMap(({ expression, afterAggregation }) => (afterAggregation ? [expression] : [])),
        ...rule.literals.flatMap(({ atom, afterAggregation }) => (afterAggregation ? atom.arguments : [])),
        ...rule.assignments.flatMap(({ value, afterAggregation }) => (afterAggregation ? [withoutAggregates(value, () => '')] : [])),
    ];
    return [...new Set(read.flatMap(variablesOf))].filter(name => rule.bound.has(name) && !dependent.has(name));
}
