import { AGGREGATES } from '#language/program/aggregates.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { BinaryOperator, Expression } from '#language/program/program.ts';
import { MIXED } from '#language/program/types.ts';
import { startsWithFacts } from '../facts-relation.ts';
import type { PlanLiteral, PlanOutput, PlanRelation, PlanRule, PlanStratum } from '../plan.ts';
import { variablesIn } from './value-flow.ts';

/** A rule that answers a demand to its head, and whether one of its own literals has answers to that demand only. */
export interface Answer {
    readonly rule: PlanRule;
    readonly demand?: PlanLiteral;
    readonly isImplied: boolean;
}

export interface RangeRules {
    /** Fill a relation without columns where a contribution is out of range. */
    readonly checks: readonly PlanRule[];
    /** Ask for everything where that is so. */
    readonly everything: readonly PlanRule[];
}

/** A column that contributions are taken from, and the largest of them that only lets results move their way. */
interface Source {
    readonly relation: PredicateKey;
    readonly column: number;
    readonly most: number | undefined;
}

/**
 * A recursive sum reports contributions that are negative, and a product those above one too, and then is looked at once more
 * (D-37). Where only part of the recursion is evaluated, that must not depend on which part: rules here ask for all of it when a
 * column that contributions come from holds such a value. Undefined where they do not come from columns of lower strata, or
 * where not all of the recursion follows from what its rules start with.
 */
export function sumsInRange(
    answers: readonly Answer[],
    { relations: own, recursive }: PlanStratum,
    relations: Map<PredicateKey, PlanRelation>,
): RangeRules | undefined {
    const none = { checks: [], everything: [] };
    const rules = answers.map(({ rule }) => rule);
    const limited = rules.flatMap(rule => contributedNumbers(rule, relations).map(one => ({ ...one, rule })));
    if (!recursive || limited.length === 0 || answers.every(({ demand }) => demand === undefined)) return none;
    const ownKeys = new Set(own);
    const isOwn = ({ relation }: PlanLiteral): boolean => ownKeys.has(relation);
    const starting = answers.filter(({ rule }) => !rule.literals.some(isOwn));
    const recurring = answers.filter(({ rule }) => rule.literals.some(isOwn));
    if (!recurring.every(({ isImplied }) => isImplied)) return undefined;
    const sources = sourcesOf(limited, rules, isOwn, relations);
    if (sources === undefined) return undefined;
    const outside = outsideRelation(relations.get(own[0]!)!);
    relations.set(outside.key, outside);
    const everything = starting.flatMap(({ rule, demand }) => (demand === undefined ? [] : [askingAll(rule, demand, outside)]));
    return { checks: sources.map(source => check(source, rules[0]!, outside, relations)), everything };
}

/** A variable of a rule whose values are to be in a range. */
interface Limited {
    readonly value: string;
    readonly most: number | undefined;
    readonly rule: PlanRule;
}

/** Follows variables through the stratum to columns of lower ones; undefined where they come from elsewhere. */
function sourcesOf(
    limited: readonly Limited[],
    rules: readonly PlanRule[],
    isOwn: (literal: PlanLiteral) => boolean,
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): Source[] | undefined {
    const filling = new Map<PredicateKey, [rule: PlanRule, output: PlanOutput][]>();
    for (const rule of rules) {
        for (const output of rule.outputs) {
            append(filling, output.relation, [rule, output]);
        }
    }
    const sources: Source[] = [];
    const seen = new Set<string>();
    const open = [...limited].reverse();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const { value: name, most, rule } = next;
        const constant = rule.constants.find(({ variable }) => variable === name)?.value;
        if (constant !== undefined) {
            if (!isWithin(constant, most)) return undefined;
            continue;
        }
        const literal = rule.literals.find(one => !one.negated && variablesIn(one).includes(name));
        if (literal === undefined) return undefined;
        const column = literal.terms.findIndex(term => term.kind === 'variable' && term.name === name);
        const { relation } = literal;
        const isKnown = seen.has(`${relation} ${column}`);
        seen.add(`${relation} ${column}`);
        if (!isOwn(literal)) {
            if (!isKnown) sources.push({ relation, column, most });
            continue;
        }
        const read = relations.get(relation)!;
        if (read.groups !== undefined || startsWithFacts(read, relations)) return undefined;
        if (isKnown) continue;
        for (const [filler, output] of [...(filling.get(relation) ?? [])].reverse()) {
            if (output.kind === 'contribute') return undefined;
            open.push({ value: output.terms[column]!, most, rule: filler });
        }
    }
    return sources;
}

function contributedNumbers(
    rule: PlanRule,
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
): { value: string; most: number | undefined }[] {
    return rule.outputs.flatMap(output => {
        if (output.kind !== 'contribute') return [];
        const { aggregates } = relations.get(output.relation)!.groups!;
        return output.contributions.flatMap(({ value, counts }, i) => {
            const { family } = aggregates[i]!;
            const { range } = AGGREGATES[family];
            return value === undefined || counts === 'one' || range === undefined ? [] : [{ value, most: range.most }];
        });
    });
}

function isWithin(value: Expression, most: number | undefined): boolean {
    if (value.kind !== 'integer' && value.kind !== 'double') return false;
    return value.value >= 0 && (most === undefined || value.value <= most);
}

function outsideRelation({ key, predicate }: PlanRelation): PlanRelation {
    const name = `out of range in ${key}` as PredicateKey;
    return { key: name, arity: 0, columns: [], predicate, internal: true, level: 'predicates' };
}

function check(
    { relation, column, most }: Source,
    rule: PlanRule,
    outside: PlanRelation,
    relations: Map<PredicateKey, PlanRelation>,
): PlanRule {
    const { arity, columns } = relations.get(relation)!;
    const { span } = rule;
    const name = '$value';
    const compared = (operator: BinaryOperator, value: number): Expression => ({
        kind: 'binary',
        operator,
        left: { kind: 'variable', name, span },
        right: { kind: 'integer', value, span },
        operatorSpan: span,
        span,
    });
    const negative = compared('<', 0);
    const condition: Expression =
        most === undefined
            ? negative
            : { kind: 'binary', operator: '||', left: negative, right: compared('>', most), operatorSpan: span, span };
    return {
        ...rule,
        literals: [
            {
                relation,
                negated: false,
                recursive: false,
                terms: Array.from({ length: arity }, (_, i) => (i === column ? { kind: 'variable', name } : { kind: 'anonymous' })),
            },
        ],
        constants: [],
        filters: [condition],
        assignments: [],
        constantsOnly: [],
        outputs: [{ kind: 'emit', relation: outside.key, terms: [] }],
        types: new Map([[name, columns[column]?.type ?? MIXED]]),
    };
}

/** Asks for everything that a rule starts with. */
function askingAll(rule: PlanRule, demand: PlanLiteral, outside: PlanRelation): PlanRule {
    const literals = rule.literals.filter(({ negated }) => !negated);
    const bound = new Set([...literals.flatMap(variablesIn), ...rule.constants.map(({ variable }) => variable)]);
    return {
        ...rule,
        literals: [{ relation: outside.key, negated: false, terms: [], recursive: false }, ...literals],
        filters: rule.filters.filter(filter => variablesOf(filter).every(name => bound.has(name))),
        assignments: [],
        constantsOnly: [],
        outputs: [{ kind: 'emit', relation: demand.relation, terms: variablesIn(demand) }],
    };
}
