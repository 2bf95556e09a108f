import { expect } from 'vitest';
import type { Database } from '#engine/contracts/database.ts';
import type { DerivationNode, FactNode, GroupNode } from '#engine/explain/explanation.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { dependentVariables, withoutAggregates } from '#engine/plan/rule-parts.ts';
import { castValue } from '#engine/values/cast.ts';
import { explodedCollection } from '#language/library/exploded-collection.ts';
import { typeOfExpression } from '#language/library/expression-type.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { AnalysedRule, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Aggregate } from '#language/program/program.ts';
import { MIXED } from '#language/program/types.ts';
import { combine, contribute } from '../naive/combine.ts';
import { isSame, RuleInstance, UNBOUND } from './proof-instance.ts';

/** The matches of one rule that a group states. */
interface Part {
    readonly instance: RuleInstance;
    readonly head: ResolvedAtom;
    readonly matches: { readonly registers: Int32Array; readonly facts: string }[];
}

/**
 * Aggregates the contributions that an explanation states and demands the value of the fact, whichever rules and facts
 * the group has. The sums and the like are those of the naive evaluator.
 */
export function checkGroup(
    database: Database,
    fact: FactNode,
    group: GroupNode,
    ruleOf: (derivation: DerivationNode) => AnalysedRule | undefined,
    isReplaced: (column: number) => boolean,
): RuleInstance[] {
    const values = rowValues(database, fact.row);
    const parts = new Map<AnalysedRule, Part>();
    const given: FactRow[] = [];
    const stated = new Map<string, { readonly part: Part; readonly facts: readonly FactRow[]; count: number }>();
    for (const contribution of group.contributions) {
        const rule = ruleOf(contribution);
        const facts = contribution.premises.flatMap(premise => (premise.kind === 'fact' && !premise.asMatched ? [premise.row] : []));
        const own = facts.filter(one => isGiven(one, fact));
        given.push(...own);
        if (own.length > 0) continue;
        const head = rule?.heads.find(({ predicate }) => predicate === fact.row.predicate);
        if (rule === undefined || head === undefined) throw new Error(`${contribution.rule} does not give ${fact.fact}`);
        const part = parts.get(rule) ?? { instance: new RuleInstance(database, rule), head, matches: [] };
        parts.set(rule, part);
        const key = `${rule.index} ${facts.map(one => `${one.predicate}:${one.row}`).join()}`;
        const same = stated.get(key) ?? { part, facts, count: 0 };
        same.count++;
        stated.set(key, same);
    }
    for (const [key, { part, facts, count }] of stated) {
        const { instance, head, matches } = part;
        const found = instance.matches(facts).filter(registers => hasKey(database, instance, head, values, registers));
        expect(found.length, `a contribution to ${fact.fact} is a match of its rule`).toBeGreaterThanOrEqual(count);
        matches.push(...found.map((registers, index) => ({ registers, facts: `${key} ${index}` })));
    }
    const instances = [...parts.values()].map(({ instance }) => instance);
    const [only] = parts.values();
    if (given.length === 0 && parts.size === 1 && only !== undefined) checkAlone(database, fact, only, values, isReplaced);
    else checkTogether(database, fact, [...parts.values()], given, values);
    return instances;
}

/** The contributions of one rule: each of its groups passes the conditions, and together they give the head. */
function checkAlone(
    database: Database,
    fact: FactNode,
    part: Part,
    values: readonly number[],
    isReplaced: (column: number) => boolean,
): void {
    const { instance, head } = part;
    const { rule } = instance;
    const groups = finerGroups(part);
    const results = groups.map(matches => ({ matches, registers: resultRegisters(database, instance, matches) }));
    const isExploded = rule.assignments.some(
        one => one.afterAggregation && explodedCollection(one.value, instance.scope.libraryPrefixes) !== undefined,
    );
    for (const { registers } of results)
        if (registers !== undefined && !isExploded)
            expect(instance.holdsAfterwards(registers), `${fact.fact} passes the conditions of its rule`).toBe(true);
    const [only] = results;
    if (results.length === 1 && only?.registers !== undefined && !isExploded)
        expect(instance.gives(head, values, only.registers, isReplaced), `the contributions give ${fact.fact}`).toBe(true);
    else if (results.length > 1 && results.every(({ registers }) => registers !== undefined))
        checkTogether(database, fact, [part], [], values);
}

/** The contributions of several rules, finer groups and facts: what they give for an aggregated column is its value. */
function checkTogether(
    database: Database,
    fact: FactNode,
    parts: readonly Part[],
    given: readonly FactRow[],
    values: readonly number[],
): void {
    const { dictionary, program } = database;
    for (const column of program.predicates.get(fact.row.predicate)?.aggregatedColumns ?? []) {
        const kept: number[] = [];
        let of: ReturnType<typeof site> | undefined;
        for (const part of parts) {
            const term = part.head.atom.arguments[column];
            const assigned = part.instance.rule.assignments.find(
                ({ variable }) => term?.kind === 'variable' && variable.name === term.name,
            );
            if (assigned?.value.kind !== 'aggregate') return;
            const one = site(part.instance, assigned.value);
            of ??= one;
            const groups = finerGroups(part);
            for (const matches of groups) {
                const own = keptValues(database, part.instance, assigned.value, matches);
                kept.push(...(groups.length === 1 ? own : own.length === 0 ? [] : [combine(dictionary, one, own)]));
            }
        }
        if (of === undefined) return;
        kept.push(...given.map(one => rowValues(database, one)[column] ?? UNBOUND).filter(value => !dictionary.isNull(value)));
        const combined = combine(dictionary, of, kept);
        const to = program.predicates.get(fact.row.predicate)?.columns[column];
        const result = to?.cast ? castValue(dictionary, combined, to.type, AGGREGATES[of.name].result(of.type)) : combined;
        expect(isSame(database, result ?? UNBOUND, values[column] ?? UNBOUND), `the contributions give ${fact.fact}`).toBe(true);
    }
}

/** The rule's variables after aggregation; undefined where a group has no known contribution. */
function resultRegisters(database: Database, instance: RuleInstance, matches: Part['matches']): Int32Array | undefined {
    const registers = matches[0]?.registers.slice();
    if (registers === undefined) return undefined;
    let count = 0;
    const names = new Map<Aggregate, string>();
    for (const { aggregates } of instance.rule.assignments) {
        for (const aggregate of aggregates) {
            const kept = keptValues(database, instance, aggregate, matches);
            if (kept.length === 0) return undefined;
            const name = `$result${count++}`;
            names.set(aggregate, name);
            registers[instance.scope.slot(name)] = combine(database.dictionary, site(instance, aggregate), kept);
        }
    }
    for (const { variable, value, afterAggregation } of instance.rule.assignments) {
        if (!afterAggregation) continue;
        const result = instance.value(
            withoutAggregates(value, aggregate => names.get(aggregate) ?? ''),
            registers,
        );
        if (result !== undefined) registers[instance.scope.slot(variable.name)] = result;
    }
    return registers;
}

/** What each contributor keeps (5.3). */
function keptValues(database: Database, instance: RuleInstance, aggregate: Aggregate, matches: Part['matches']): number[] {
    const { dictionary } = database;
    const { family } = AGGREGATES[aggregate.name];
    const [argument] = aggregate.arguments;
    const kept = new Map<string, number>();
    for (const { registers, facts } of matches) {
        const value = argument === undefined ? dictionary.number(1) : instance.value(argument, registers);
        if (value === undefined) continue;
        const contributor = aggregate.contributors?.map(({ name }) => registers[instance.scope.slot(name)]).join() ?? facts;
        const counts = family === 'mcount' || family === 'maxcount';
        contribute(dictionary, site(instance, aggregate), kept, contributor, counts ? dictionary.number(1) : value);
    }
    return [...kept.values()];
}

function site(instance: RuleInstance, aggregate: Aggregate) {
    const [argument] = aggregate.arguments;
    const { rule } = instance;
    const type =
        argument === undefined
            ? MIXED
            : typeOfExpression(argument, { variable: name => rule.types.get(name) ?? MIXED, parameter: () => MIXED });
    return { name: aggregate.name, type, context: { location: { place: rule.rule.place, span: aggregate.span } } };
}

/** The matches by the variables that are read together with results (5.2). */
function finerGroups({ instance, matches }: Part): Part['matches'][] {
    const { rule, scope } = instance;
    const dependent = dependentVariables(rule);
    const read = [
        ...rule.heads.flatMap(({ atom }) => atom.arguments),
        ...rule.conditions.filter(one => one.afterAggregation).map(({ expression }) => expression),
        ...rule.literals.filter(one => one.afterAggregation).flatMap(({ atom }) => atom.arguments),
        ...rule.assignments.filter(one => one.afterAggregation).map(({ value }) => withoutAggregates(value, () => '')),
    ];
    const names = [...new Set(read.flatMap(variablesOf))].filter(name => rule.bound.has(name) && !dependent.has(name));
    const groups = new Map<string, Part['matches']>();
    for (const match of matches) {
        const key = names.map(name => match.registers[scope.slot(name)]).join();
        groups.set(key, [...(groups.get(key) ?? []), match]);
    }
    return [...groups.values()];
}

/** Whether a match is of the group of these values. */
function hasKey(
    database: Database,
    { scope, rule }: RuleInstance,
    head: ResolvedAtom,
    values: readonly number[],
    registers: Int32Array,
): boolean {
    const dependent = dependentVariables(rule);
    const isNull = (value: number): boolean => value !== UNBOUND && database.dictionary.isNull(value);
    // A literal null of the rule is another one each time.
    const isSameKey = (left: number, right: number): boolean => left === right || (isNull(left) && isNull(right));
    const columns = database.program.predicates.get(head.predicate)?.columns ?? [];
    return head.atom.arguments.every(
        (term, column) =>
            term.kind !== 'variable' ||
            dependent.has(term.name) ||
            !rule.bound.has(term.name) ||
            columns[column]?.cast ||
            isSameKey(registers[scope.slot(term.name)] ?? UNBOUND, values[column] ?? UNBOUND),
    );
}

/** A fact of the aggregated predicate itself, in the relation of its facts. */
function isGiven({ predicate }: FactRow, fact: FactNode): boolean {
    return predicate !== fact.row.predicate && predicate.endsWith(fact.row.predicate);
}

export function rowValues(database: Database, { predicate, row }: FactRow): number[] {
    return (database.relation(predicate)?.columns ?? []).map(column => column[row] ?? UNBOUND);
}
