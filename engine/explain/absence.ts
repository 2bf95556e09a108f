import type { AnalysedRule, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { printRuleText } from '#language/program/print.ts';
import type { Span } from '#language/program/span.ts';
import type { Database } from '../contracts/database.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Cause, type Given, isEdit, type Reason, type WhyNot } from './cause.ts';
import type { FactNode } from './explanation.ts';
import type { FactWords } from './fact-words.ts';
import type { GivenFacts } from './given-facts.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import type { BoundRegisters, PartialMatch, PartialMatcher } from './partial-match.ts';
import type { AtomItem } from './rule-body.ts';
import type { Steps } from './steps.ts';

/** What all parts of one search for causes share. */
export interface Absence {
    readonly database: Database;
    readonly words: FactWords;
    readonly facts: GivenFacts;
    readonly steps: Steps;
    /** The values of the question. */
    readonly asked: ReadonlySet<ValueId>;
    isSpent(): boolean;
    /** Why no fact fits a pattern; undefined where that is being looked for already, or too deep. */
    absent(key: PredicateKey, pattern: HeadPattern, depth: number, further: boolean): WhyNot | undefined;
    /** Whether equality heads may make unknown values equal. */
    readonly hasEqualities: boolean;
    /** How a fact is derived; undefined where the run kept no heights. */
    proof(fact: FactRow): FactNode | undefined;
    /** Why two unknown values are not made equal. */
    unequal(left: ValueId, right: ValueId, depth: number): WhyNot | undefined;
    /** Why a fact is there that a negation does not want. */
    present(fact: FactRow, depth: number): WhyNot | undefined;
    /** An answer that is looked for once; undefined where it needs itself, or is too deep. */
    once(name: string, depth: number, find: () => WhyNot): WhyNot | undefined;
    matcher(rule: AnalysedRule, head: ResolvedAtom): PartialMatcher;
    /** The values that the variables of a changed rule have where it gives the fact asked about; none where it gives others. */
    bindings(rule: AnalysedRule): readonly Given[];
    /** Whether a rule derives nothing at all, as far as a few steps tell. */
    isIdle(rule: AnalysedRule, head: ResolvedAtom): boolean;
}

/** A rule that is weakened until it gives the wanted fact. */
export interface RuleSearch {
    readonly absence: Absence;
    readonly rule: AnalysedRule;
    readonly head: ResolvedAtom;
    readonly matcher: PartialMatcher;
    readonly pattern: HeadPattern;
    readonly depth: number;
    readonly found: Reason[];
    /** Facts beyond those that are there would help: the rule gives groups, or more of its facts are asked for. */
    readonly further?: boolean;
    /** Registers that have a value before the match. */
    readonly bound?: BoundRegisters;
}

/** Reasons that are kept for a fact. */
export const KEPT = 12;

/** A reason that lies in a rule. */
export function reasonIn({ rule }: AnalysedRule, cause: Cause, span: Span, premises: readonly string[], distance: number): Reason {
    const { place } = rule;
    return {
        cause,
        rule: { text: printRuleText(rule), place, span: rule.span },
        place: { kind: 'clause', place, span },
        premises,
        distance,
    };
}

/** Whether rules give facts of the predicate of an atom. */
export function isDerived({ database }: Absence, { literal }: AtomItem): boolean {
    return (database.program.predicates.get(literal.predicate)?.rules.length ?? 0) > 0;
}

/** The facts of a match as text, in body order, but for that of an item which is looked at itself. */
export function premisesOf({ absence: { words }, matcher: { items } }: RuleSearch, { facts }: PartialMatch, besides?: AtomItem): string[] {
    return items.flatMap(item => {
        const fact = item.kind === 'atom' && item !== besides ? facts.get(item) : undefined;
        return fact === undefined ? [] : [words.row(fact)];
    });
}

/** What is said about the data, and what about rules. */
export function inSections(reasons: readonly Reason[]): Pick<WhyNot, 'reasons' | 'edits'> {
    const isOfRule = ({ cause }: Reason): boolean => isEdit(cause);
    return { reasons: reasons.filter(reason => !isOfRule(reason)), edits: reasons.filter(isOfRule) };
}

/** Each cause of each rule once; that a fact is there, and what would keep it from being there, are two. */
export function distinct(reasons: readonly Reason[]): Reason[] {
    const isFollowed = ({ cause, because }: Reason): boolean => cause.kind === 'negation' && because !== undefined;
    return firstOfEach(reasons, reason => JSON.stringify([reason.cause, reason.rule?.text, isFollowed(reason)]));
}

/** The first of those that have the same name. */
export function firstOfEach<T>(all: readonly T[], name: (one: T) => string): T[] {
    const found = new Map<string, T>();
    for (const one of all) if (!found.has(name(one))) found.set(name(one), one);
    return [...found.values()];
}
