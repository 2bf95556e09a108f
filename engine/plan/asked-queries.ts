import type { AnalysedProgram, AnalysedRule, Predicate, PredicateKey, Stratum } from '#language/program/analysed-program.ts';
import { type Asking, askedWithin, askingOrder } from '#language/program/asking-order.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { say } from '#language/program/say.ts';
import { stop } from '../reports/reports.ts';
import { IN_ROUNDS, type PlanRelation, type PlanRule, type PlanStratum } from './plan.ts';
import { RuleParts } from './rule-parts.ts';
import { isSilent } from './silent-expression.ts';

/** The columns, counted from 0, whose values the queries of a predicate are asked for. */
export function askedColumns({ inputBinds, arity }: Predicate): number[] {
    const columns = new Set(inputBinds.flatMap(queryParameters));
    return [...columns].map(column => column - 1).filter(column => column >= 0 && column < arity);
}

/** The relation of a predicate that queries are asked for, and that of the values; only rules that ask fill the two. */
export function askedRelations(relation: PlanRelation): readonly PlanRelation[] {
    const { predicate } = relation;
    const columns = askedColumns(predicate);
    const input = `asked of ${predicate.key} by queries` as PredicateKey;
    const binds = predicate.inputBinds.filter(bind => queryParameters(bind).length > 0);
    return [
        { ...relation, call: { function: 'qbind', input, columns, binds } },
        {
            key: input,
            arity: columns.length,
            columns: columns.map((column, i) => ({ name: `c_${i}`, type: predicate.columns[column]!.type, cast: false })),
            predicate,
            internal: true,
            level: 'predicates',
        },
    ];
}

/** The queries that the rules of a stratum ask. */
export interface PlannedAsking {
    /** Strata before the rules run: for each literal one with the values to ask for, and one with the answers. */
    readonly before: readonly PlanStratum[];
    /** The predicates that the rules of a recursion ask for what it finds itself, with the rules that find the values. */
    readonly within: readonly PredicateKey[];
    readonly rules: readonly PlanRule[];
}

/** Plans what the rules of a stratum ask of predicates whose `relations` have such queries. */
export function planAsking(
    program: AnalysedProgram,
    { predicates, rules, recursive }: Stratum,
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): PlannedAsking {
    const own = new Set(recursive ? predicates : []);
    const asked = rules.flatMap(index => askingsOf(program.rules[index]!, relations));
    const within = askedWithin(
        asked.map(({ asking }) => asking),
        own,
    );
    const before: PlanStratum[] = [];
    const inside: PlanRule[] = [];
    for (const { rule, asking } of asked) {
        const { predicate } = asking.literal;
        const call = callOf(predicate, relations)!;
        const isRecursive = (key: PredicateKey): boolean => own.has(key) || within.has(key);
        const finding = findingRule(program, rule, asking, call.input, isRecursive);
        if (within.has(predicate)) {
            refuseUnordered(rule, asking, own, program);
            inside.push(finding);
        } else before.push(plain(call.input, [finding]), plain(predicate, []));
    }
    return { before, within: [...within], rules: inside };
}

function plain(key: PredicateKey, rules: readonly PlanRule[]): PlanStratum {
    return { relations: [key], rules, recursive: false, growing: false, finalPass: 'none', execution: IN_ROUNDS };
}

export function callOf(key: PredicateKey, relations: ReadonlyMap<PredicateKey, PlanRelation>) {
    const call = relations.get(key)?.call;
    return call?.function === 'qbind' ? call : undefined;
}

function askingsOf(rule: AnalysedRule, relations: ReadonlyMap<PredicateKey, PlanRelation>) {
    const { order } = askingOrder(rule, ({ predicate }) => callOf(predicate, relations)?.columns ?? []);
    return order.map(asking => ({ rule, asking }));
}

/** Answers that come while a recursion goes on may only add to it. */
function refuseUnordered({ rule }: AnalysedRule, { literal }: Asking, own: ReadonlySet<PredicateKey>, program: AnalysedProgram): void {
    const aggregates = [...own].some(key => (program.predicates.get(key)?.aggregatedColumns.length ?? 0) > 0);
    if (!literal.negated && !aggregates) return;
    const location = { place: rule.place, span: literal.atom.nameSpan };
    const construct = aggregates
        ? say`A query that a recursion with aggregates asks for values which it finds itself`
        : say`A query that a recursion asks, behind 'not', for values which it finds itself`;
    stop('RT065', { location }, construct);
}

/** The rule that finds the values for a literal: what can bring them, and the conditions that are known to hold or not by then. */
function findingRule(
    program: AnalysedProgram,
    rule: AnalysedRule,
    { literal, columns, after, bound, equations }: Asking,
    input: PredicateKey,
    isRecursive: (key: PredicateKey) => boolean,
): PlanRule {
    const parts = new RuleParts(program, rule.types);
    const isKnown = (expression: Expression): boolean => variablesOf(expression).every(name => bound.has(name));
    for (const { predicate, atom } of after) {
        const terms = atom.arguments.map(term => (isKnown(term) ? term : ({ kind: 'anonymous', name: '_', span: term.span } as const)));
        const arity = program.predicates.get(predicate)?.arity ?? terms.length;
        parts.literal(predicate, false, terms, arity, isRecursive(predicate));
    }
    const values = columns.map(column => literal.atom.arguments[column]!);
    const needed = new Set(values.flatMap(variablesOf));
    for (const { variable, value } of [...equations].reverse()) {
        if (needed.has(variable)) for (const name of variablesOf(value)) needed.add(name);
    }
    for (const { variable, value } of equations) if (needed.has(variable)) parts.assignments.push(parts.definition(variable, value));
    const computed = new Set(equations.map(({ variable }) => variable));
    const isFound = (name: string): boolean => bound.has(name) && (needed.has(name) || !computed.has(name));
    for (const { expression, afterAggregation } of rule.conditions) {
        if (!afterAggregation && variablesOf(expression).every(isFound) && isSilent(expression, one => parts.typeOf(one)))
            parts.filters.push(expression);
    }
    const terms = values.map(value => parts.valueOf(value));
    return { ...parts.rule(rule, rule.rule, [{ kind: 'emit', relation: input, terms }]), constantsOnly: [] };
}
