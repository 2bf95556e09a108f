import type { AnalysedRule, Predicate, ResolvedAtom } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import type { Database } from '../contracts/database.ts';
import { compileCondition } from '../evaluate/expression.ts';
import type { Scope } from '../evaluate/scope.ts';
import { inBodyOrder, itemSpan, itemText } from './body-order.ts';
import { type GroupMatch, groupMatch, groupRegisters } from './group-values.ts';
import type { HeadPattern } from './match-rule.ts';
import { type PartialMatch, type PartialMatcher, partialMatcher } from './partial-match.ts';
import type { RuleItem } from './rule-body.ts';
import { UNBOUND } from './rule-scope.ts';
import { endsSearch, Steps } from './steps.ts';
import { itemSuspect } from './suspects.ts';
import { type ValuelessAggregate, valuelessAggregate } from './valueless-aggregate.ts';

/** How far the body of a rule that gives no facts comes. */
export interface EmptyRule {
    readonly rule: AnalysedRule;
    /** What holds together with all that stands before it. */
    readonly holds: readonly BodyStep[];
    /** The first premise that holds with none of the matches so far; absent for a rule that is not stopped by a premise. */
    readonly fails?: FailingStep;
    /** A condition on aggregates that stops it. */
    readonly stopsAt?: StoppingCondition;
    /** An aggregate that has no value for all of its matches. */
    readonly valueless?: ValuelessAggregate;
    /** The matches were too many to look through. */
    readonly cutShort: boolean;
}

interface BodyStep {
    readonly text: string;
    /** Matches of the body up to here. */
    readonly matches: Matches;
}

export interface FailingStep {
    readonly item: RuleItem;
    readonly text: string;
    readonly span: Span;
    /** Matches before it. */
    readonly matches: Matches;
    /** The first of these. */
    readonly example: PartialMatch | undefined;
    readonly matcher: PartialMatcher;
}

/** A condition that does not hold for the first group of matches. */
export interface StoppingCondition {
    readonly condition: Expression;
    /** The facts that the group would give. */
    readonly group: HeadPattern;
    readonly registers: Int32Array;
    readonly scope: Scope;
}

/** A number of matches, or that there are more than are counted. */
export interface Matches {
    readonly count: number;
    readonly more: boolean;
}

const COUNTED = 1000;
/** Rows looked at for one rule, about. */
const STEPS = 200_000;

/**
 * Where the rules of a predicate without facts stop, in text order: premises are taken as they are written, a condition as
 * soon as its variables have values.
 */
export function emptyRules(database: Database, predicate: Predicate, checkpoint: () => void = () => undefined): readonly EmptyRule[] {
    return predicate.rules.flatMap(index => {
        const rule = database.program.rules[index];
        const head = rule?.heads.find(one => one.predicate === predicate.key);
        return rule === undefined || head === undefined ? [] : [emptyRule(database, rule, head, checkpoint)];
    });
}

function emptyRule(database: Database, rule: AnalysedRule, head: ResolvedAtom, checkpoint: () => void): EmptyRule {
    if (rule.rule.body.kind !== 'items') return { rule, holds: [], cutShort: false };
    const matcher = partialMatcher(database, rule, head);
    const items = inBodyOrder(matcher.items);
    const steps = new Steps(STEPS, checkpoint);
    const open = head.atom.arguments.map(() => undefined);
    const holds: BodyStep[] = [];
    let before: Matches = { count: 0, more: false };
    let example: PartialMatch | undefined;
    for (const [at, item] of items.entries()) {
        let first: PartialMatch | undefined;
        let count = 0;
        try {
            matcher.run(open, items.slice(at + 1).map(itemSuspect), steps, match => {
                first ??= match;
                return ++count <= COUNTED;
            });
        } catch (error) {
            if (endsSearch(error)) throw error;
            // A computation that fails for some match says nothing about the others.
            return { rule, holds, cutShort: true };
        }
        const spent = steps.left < 0;
        if (spent && first === undefined) return { rule, holds, cutShort: true };
        const text = itemText(item);
        if (first === undefined)
            return { rule, holds, fails: { item, text, span: itemSpan(item), matches: before, example, matcher }, cutShort: false };
        before = { count: Math.min(count, COUNTED), more: spent || count > COUNTED };
        example = first;
        holds.push({ text, matches: before });
    }
    const valueless = example && before.more === false ? valuelessIn(database, rule, matcher, open, checkpoint) : undefined;
    if (valueless !== undefined) return { rule, holds, valueless, cutShort: false };
    const stopsAt = example && stoppingCondition(database, rule, matcher, headOf(matcher, example), checkpoint);
    return { rule, holds, ...(stopsAt === undefined ? {} : { stopsAt }), cutShort: false };
}

function valuelessIn(
    database: Database,
    rule: AnalysedRule,
    matcher: PartialMatcher,
    open: HeadPattern,
    checkpoint: () => void,
): ValuelessAggregate | undefined {
    const matches: GroupMatch[] = [];
    matcher.run(open, [], new Steps(STEPS, checkpoint), match => matches.push(groupMatch(match)) > 0);
    return valuelessAggregate(database, rule, matcher, matches);
}

function stoppingCondition(
    database: Database,
    rule: AnalysedRule,
    matcher: PartialMatcher,
    group: HeadPattern,
    checkpoint: () => void,
): StoppingCondition | undefined {
    const { scope } = matcher;
    const matches: GroupMatch[] = [];
    matcher.run(group, [], new Steps(STEPS, checkpoint), match => matches.push(groupMatch(match)) > 0);
    try {
        const registers = groupRegisters(database, rule, scope, matches);
        const failing =
            registers &&
            rule.conditions.find(({ afterAggregation, expression }) => afterAggregation && !compileCondition(expression, scope)(registers));
        return failing && { condition: failing.expression, group, registers, scope };
    } catch {
        // A value that cannot be computed is no value to tell.
        return undefined;
    }
}

/** The values that a match gives to its head, but for what is computed and for results of aggregates. */
function headOf({ head }: PartialMatcher, { registers }: PartialMatch): HeadPattern {
    return head.map(term => {
        const value = term !== undefined && 'slot' in term ? registers[term.slot] : UNBOUND;
        return value === UNBOUND ? undefined : value;
    });
}
