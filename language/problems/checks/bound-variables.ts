import type { Occurrence, RuleFacts } from '#language/analysis/program-facts.ts';
import { nearestNames } from '#language/library/nearest-name.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, withForm, withMeant, withRelated, withSeverity } from '../catalogue.ts';
import { meantByUnbound } from '../meant-items.ts';

/**
 * Variables that the body uses without binding them: RL2002, RL2004, RL2005, RL2006. One problem for each variable.
 * `@relaxedSafety` lets each negated atom quantify its own variable; a condition on it has still no value to look at.
 */
export function* checkBoundVariables(facts: RuleFacts, relaxed: boolean): Iterable<Problem> {
    const { rule, place, occurrences, resolved } = facts;
    if (rule.body.kind !== 'items') return;
    const reversed = new Set<number>();
    const nearestTo = nearestNames(resolved.bound);
    for (const [name, places] of occurrences) {
        if (resolved.bound.has(name)) continue;
        switch (unboundUse(facts, name)) {
            case 'RL2004':
                yield withSeverity(negatedProblem(name, places, facts), relaxed && !places.some(isUsed) ? 'warning' : 'error');
                break;
            case 'RL2005': {
                const use = places.find(occurrence => comparedAlone(facts, occurrence)) ?? places.find(isUsed);
                if (use !== undefined) yield problem('RL2005', place, use.variable.span, name);
                break;
            }
            case 'RL2006': {
                const use = places.find(occurrence => isReversed(facts, occurrence));
                if (use !== undefined && !reversed.has(use.item)) yield problem('RL2006', place, use.variable.span);
                if (use !== undefined) reversed.add(use.item);
                break;
            }
            case 'RL2002': {
                const use = places.find(isUsed);
                const meant = name.length < 3 ? undefined : nearestTo(name);
                const part = use && meantByUnbound(facts, name, use);
                if (part !== undefined) yield withForm(problem('RL2002', place, part.span, name), part.text);
                else if (use !== undefined && !isInRange(facts, use))
                    yield withMeant(problem('RL2002', place, use.variable.span, name), meant);
                break;
            }
            case undefined:
                break;
        }
    }
}

/** Returns the code for the body's use of an unbound variable, if the use is wrong. */
export function unboundUse(facts: RuleFacts, name: string): 'RL2002' | 'RL2004' | 'RL2005' | 'RL2006' | undefined {
    const places = facts.occurrences.get(name) ?? [];
    const items = new Set(places.filter(({ where }) => where !== 'contributor').map(occurrence => occurrence.item));
    if (places.some(({ where }) => where === 'negated')) return items.size > 1 ? 'RL2004' : undefined;
    if (places.some(occurrence => isReversed(facts, occurrence))) return 'RL2006';
    if (places.some(occurrence => comparedAlone(facts, occurrence))) return 'RL2005';
    return places.some(isUsed) ? 'RL2002' : undefined;
}

/** The call of `range` reports the problem of the item. */
function isInRange({ items }: RuleFacts, { item }: Occurrence): boolean {
    const found = items[item];
    return found?.kind === 'condition' && found.expression.kind === 'binary' && isRange(found.expression.right);
}

function isRange(expression: Expression): boolean {
    return expression.kind === 'call' && expression.name === 'range';
}

/** True if the only use of an unbound variable is reported with its likely meaning. */
export function isMeantOtherwise(facts: RuleFacts, name: string): boolean {
    const use = facts.occurrences.get(name)?.find(isUsed);
    return use !== undefined && (isInRange(facts, use) || meantByUnbound(facts, name, use) !== undefined);
}

function isUsed({ where }: Occurrence): boolean {
    return where === 'condition' || where === 'value';
}

/** `V == e`. */
function comparedAlone({ items }: RuleFacts, { item, variable }: Occurrence): boolean {
    const found = items[item];
    const expression = found?.kind === 'condition' ? found.expression : undefined;
    return expression?.kind === 'binary' && expression.operator === '==' && expression.left === variable;
}

/** `e = V`, or any other equation whose left side is not a variable. */
function isReversed({ items }: RuleFacts, { item }: Occurrence): boolean {
    const found = items[item];
    return found?.kind === 'condition' && found.expression.kind === 'binary' && found.expression.operator === '=';
}

/** Shown at the first use outside the negated atom, with the atom as the related place. */
function negatedProblem(name: string, places: readonly Occurrence[], { place }: RuleFacts): Problem {
    const [negated] = places.filter(({ where }) => where === 'negated');
    const other = places.find(({ item, where }) => item !== negated?.item && where !== 'head' && where !== 'contributor');
    const span = (other ?? negated)?.variable.span ?? { start: 0, end: 0 };
    const found = problem('RL2004', place, span, name);
    if (other === undefined || negated === undefined) return found;
    return withRelated(found, [{ place, span: negated.variable.span, message: say`'${name}' occurs inside negation here` }]);
}
