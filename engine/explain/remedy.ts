import type { AnalysedRule, Assignment, Condition, Literal, ResolvedAtom } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { AbsentFact } from './cause.ts';
import type { HeadPattern } from './match-rule.ts';
import { checked } from './rule-repairs.ts';

/** What is done to try out whether a cause is one. */
export type Remedy =
    /** A fact is given, perhaps in place of another one; `variables` are the names of its open columns. */
    | {
          readonly kind: 'fact';
          readonly fact: AbsentFact;
          readonly variables?: readonly (string | undefined)[];
          readonly insteadOf?: readonly ValueId[];
      }
    /** A rule is written otherwise; undefined where it cannot be. */
    | { readonly kind: 'rule'; readonly index: number; readonly change: (rule: AnalysedRule) => AnalysedRule | undefined }
    /** Another fact is asked for. */
    | { readonly kind: 'question'; readonly values: HeadPattern };

export function withoutCondition({ index }: AnalysedRule, condition: Condition): Remedy {
    return { kind: 'rule', index, change: rule => ({ ...rule, conditions: rule.conditions.filter(one => one !== condition) }) };
}

/** The rule without a negated literal. */
export function withoutLiteral({ index }: AnalysedRule, literal: Literal): Remedy {
    return { kind: 'rule', index, change: rule => ({ ...rule, literals: rule.literals.filter(one => one !== literal) }) };
}

/** The rule with a body that nothing fits. */
export function neverFiring({ index }: AnalysedRule, span: Span): Remedy {
    const [left, right] = [1, 0].map((value): Expression => ({ kind: 'integer', value, span })) as [Expression, Expression];
    const expression: Expression = { kind: 'binary', operator: '<', left, right, operatorSpan: span, span };
    const change = (rule: AnalysedRule): AnalysedRule => ({
        ...rule,
        conditions: [...rule.conditions, { expression, afterAggregation: false }],
    });
    return { kind: 'rule', index, change };
}

/** The rule with a constant in place of what an assignment computes. */
export function withValue({ index }: AnalysedRule, assignment: Assignment, value: Expression): Remedy {
    const change = (rule: AnalysedRule): AnalysedRule => ({
        ...rule,
        assignments: rule.assignments.map(one => (one === assignment ? { ...one, value } : one)),
    });
    return { kind: 'rule', index, change };
}

/** The rule with other terms in a literal of its body. */
export function withTerms({ index }: AnalysedRule, literal: Literal, terms: readonly Expression[]): Remedy {
    const changed = (one: Literal): Literal => ({ ...one, atom: { ...one.atom, arguments: terms } });
    const change = (rule: AnalysedRule): AnalysedRule | undefined =>
        checked(rule, { ...rule, literals: rule.literals.map(one => (one === literal ? changed(one) : one)) });
    return { kind: 'rule', index, change };
}

/** The rule with other terms in a head. */
export function withHead({ index }: AnalysedRule, head: ResolvedAtom, terms: readonly Expression[]): Remedy {
    const changed = (one: ResolvedAtom): ResolvedAtom => ({ ...one, atom: { ...one.atom, arguments: terms } });
    const change = (rule: AnalysedRule): AnalysedRule | undefined =>
        checked(rule, { ...rule, heads: rule.heads.map(one => (one === head ? changed(one) : one)) });
    return { kind: 'rule', index, change };
}

/** A value as the term that says it; undefined for values that no simple term says. */
export function termOf(dictionary: Dictionary, value: ValueId, span: Span): Expression | undefined {
    switch (dictionary.kind(value)) {
        case 'number': {
            const number = dictionary.numberOf(value);
            if (!dictionary.isInteger(value)) return { kind: 'double', value: number, span };
            return Number.isSafeInteger(number) ? { kind: 'integer', value: number, span } : undefined;
        }
        case 'string': {
            const text = dictionary.stringOf(value);
            return text.includes('$') ? undefined : { kind: 'string', value: text, span };
        }
        case 'boolean':
            return { kind: 'boolean', value: value === dictionary.boolean(true), span };
        default:
            return undefined;
    }
}
