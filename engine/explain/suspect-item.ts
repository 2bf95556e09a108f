import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { printAtomText, printExpression } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { type Absence, isDerived, type RuleSearch, reasonIn } from './absence.ts';
import { type Cause, nearestReason, type Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import type { DerivationNode, FactNode } from './explanation.ts';
import { conditionCause, givens, shortness } from './failed-condition.ts';
import { patternOf } from './item-pattern.ts';
import { furtherGiven, missingReason, oddReasons, toBeGiven } from './missing-fact.ts';
import type { PartialMatch } from './partial-match.ts';
import { hasRow } from './pattern-rows.ts';
import { termOf, withoutCondition, withoutLiteral, withValue } from './remedy.ts';
import { type AssignmentItem, isBound, type RuleItem, valuesOf } from './rule-body.ts';
import { UNBOUND } from './rule-scope.ts';

/** A literal, condition or assignment that was left out of a match, as a cause; undefined where it holds. */
export function suspectItem(
    search: RuleSearch,
    item: RuleItem,
    match: PartialMatch,
    premises: readonly string[],
    idle: number,
    near: number,
): Reason | undefined {
    const { absence, rule, matcher, depth } = search;
    const { registers } = match;
    const holds = matcher.holds(item, registers);
    switch (item.kind) {
        case 'condition': {
            if (holds !== false) return undefined;
            const { expression } = item.condition;
            const distance = DISTANCE.condition + idle + near + shortness(absence, expression, matcher, registers);
            const reason = reasonIn(rule, conditionCause(absence, expression, matcher, registers), expression.span, premises, distance);
            return { ...reason, remedies: [withoutCondition(rule, item.condition)], ...derived(search, item, match) };
        }
        case 'assignment': {
            const { variable, value } = item.assignment;
            const condition = `${variable.name}=${printExpression(value)}`;
            if (holds === undefined && givesNothing(absence, item, registers)) {
                const cause: Cause = {
                    kind: 'condition',
                    condition,
                    values: givens(absence, value, matcher, registers),
                    off: say`it gives no value`,
                };
                return reasonIn(rule, cause, value.span, premises, DISTANCE.condition + idle + near);
            }
            if (holds !== false) return undefined;
            const values = [
                { name: variable.name, value: absence.words.term(registers[item.slot]!) },
                ...givens(absence, value, matcher, registers),
            ];
            const off = item.exploded ? undefined : say`the right side is ${absence.words.term(item.value(registers))}`;
            const cause: Cause = { kind: 'condition', condition, values, ...(off === undefined ? {} : { off }) };
            const term = termOf(absence.database.dictionary, registers[item.slot]!, value.span);
            const remedies = term === undefined || item.exploded ? {} : { remedies: [withValue(rule, item.assignment, term)] };
            return { ...reasonIn(rule, cause, value.span, premises, DISTANCE.computed + idle + near), ...remedies };
        }
        case 'negation': {
            if (holds !== false) return undefined;
            const [row] = matcher.matching(item, registers);
            if (row === undefined) return undefined;
            const fact = { predicate: item.literal.predicate, row };
            const origin = absence.words.origin(fact);
            const proof = isDerived(absence, item) ? absence.proof(fact) : undefined;
            const because = proof === undefined ? [] : premiseTexts(proof);
            const cause: Cause = {
                kind: 'negation',
                literal: printAtomText(item.literal.atom),
                fact: absence.words.row(fact),
                ...(origin === undefined ? {} : { origin }),
                ...(because.length === 0 ? {} : { because }),
            };
            const reason: Reason = {
                ...reasonIn(rule, cause, item.literal.atom.span, premises, DISTANCE.negation + idle + near),
                remedies: [withoutLiteral(rule, item.literal)],
                ...derived(search, item, match),
                ...(proof === undefined ? {} : { proof }),
            };
            const present = absence.present(fact, depth + 1);
            const deeper = present && nearestReason(present);
            if (present !== undefined && deeper !== undefined) {
                const distance = deeper.distance + DISTANCE.step + near / 3 + (idle < 0 ? DISTANCE.idlePremise : 0);
                search.found.push({ ...reason, because: present, distance });
            }
            return reason;
        }
        case 'atom': {
            const predicate = absence.database.program.predicates.get(item.literal.predicate);
            if (predicate === undefined) return undefined;
            const { values: pattern, names, variables } = patternOf(matcher, item, registers, predicate.arity);
            const given = toBeGiven({ predicate: predicate.key, values: pattern, ...(names === undefined ? {} : { names }) }, variables);
            const { span } = item.literal.atom;
            if (!isDerived(absence, item)) {
                if (holds === true) {
                    const further = search.further ? furtherGiven(absence, predicate, pattern, names) : undefined;
                    return further && inRule(rule, span, premises, further);
                }
                search.found.push(...oddReasons(absence, predicate, pattern).map(reason => inRule(rule, span, premises, reason)));
                const missing = missingReason(absence, predicate, pattern, names);
                const data = idle < 0 ? DISTANCE.idleData : 0;
                const reason = reasonIn(rule, missing.cause, span, premises, missing.distance + near + data);
                const isSlip = missing.cause.kind !== 'missing' && missing.remedies !== undefined;
                return { ...reason, ...placeOf(missing), ...(isSlip ? { remedies: missing.remedies } : given) };
            }
            const fitting = hasRow(item.rows, pattern, absence.steps.pause);
            const because = absence.absent(predicate.key, pattern, depth + 1, fitting);
            const first = because && nearestReason(because);
            if (because === undefined || first === undefined) return undefined;
            const further = holds === true ? ({ further: true } as const) : {};
            const fact = absence.words.pattern(predicate, pattern, names);
            const cause: Cause = { kind: 'missing', fact, derivable: true, near: [], ...further };
            const distance =
                first.distance + DISTANCE.step + (holds === true ? DISTANCE.further : 0) + near / 3 + (idle < 0 ? DISTANCE.idlePremise : 0);
            return { ...reasonIn(rule, cause, span, premises, distance), ...(given.remedies && { remedies: given.remedies }), because };
        }
    }
}

/** Whether an exploded collection has no values. */
function givesNothing({ database }: Absence, item: AssignmentItem, registers: Int32Array): boolean {
    if (!item.exploded || !isBound(item.needs, registers)) return false;
    const [any] = valuesOf(item, database.dictionary, registers);
    return any === undefined;
}

/** The fact that a match gives without an item, where nothing else is left out of it; none for a rule whose groups need all of their matches. */
function derived({ rule, head, matcher }: RuleSearch, item: RuleItem, { registers, facts }: PartialMatch): Pick<Reason, 'derives'> {
    if (rule.assignments.some(({ afterAggregation }) => afterAggregation)) return {};
    const isLeftOut = (other: RuleItem): boolean => (other.kind === 'atom' ? !facts.has(other) : matcher.holds(other, registers) === false);
    if (matcher.items.some(other => other !== item && isLeftOut(other))) return {};
    const values = matcher.head.map(term => (term === undefined || !('slot' in term) ? UNBOUND : registers[term.slot]!));
    return values.includes(UNBOUND) ? {} : { derives: { predicate: head.predicate, values } };
}

/** What is said about given facts, told where a rule reads them. */
export function inRule(
    rule: AnalysedRule,
    span: Span,
    premises: readonly string[],
    { cause, distance, place, remedies, missing }: Reason,
): Reason {
    const told = reasonIn(rule, cause, span, premises, distance);
    return {
        ...told,
        ...(place === undefined ? {} : { place }),
        ...(remedies === undefined ? {} : { remedies }),
        ...(missing === undefined ? {} : { missing }),
    };
}

/** Facts that a negation names as what its fact rests on. */
const RESTS_ON = 4;

/** The facts that a fact rests on by its first derivation; of an aggregated fact those of its contributions. */
function premiseTexts(proof: FactNode): string[] {
    const [derivation] = proof.derivations;
    const premises = derivation?.premises ?? [];
    const facts = premises.flatMap(one => (one.kind === 'group' ? one.contributions.flatMap(factsOf) : [one.fact]));
    return [...new Set(facts)].slice(0, RESTS_ON);
}

function factsOf({ premises }: DerivationNode): string[] {
    return premises.flatMap(one => (one.kind === 'fact' ? [one.fact] : []));
}

/** Where a reason stands, if not at its rule. */
export function placeOf({ place }: Reason): Pick<Reason, 'place'> {
    return place === undefined ? {} : { place };
}
