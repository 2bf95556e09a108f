import { printExpression } from '#language/program/print.ts';
import type { PlanLiteral, PlanRule } from '../plan.ts';

/** The names that the variables of one rule have in another rule. */
export type Names = ReadonlyMap<string, string>;

/**
 * The names for which the positive literals of two rules are the same, in any order: each variable has one name, of its own,
 * and constants are equal. Undefined where there are none.
 */
export function equalBodies(one: PlanRule, other: PlanRule): Names | undefined {
    const ownValues = constantTexts(one);
    const otherValues = constantTexts(other);
    const positive = (rule: PlanRule): PlanLiteral[] => rule.literals.filter(literal => !literal.negated);

    const withLiteral = (names: Names, from: PlanLiteral, to: PlanLiteral): Names | undefined => {
        if (from.relation !== to.relation) return undefined;
        const next = new Map(names);
        const taken = new Set(names.values());
        for (const [column, term] of from.terms.entries()) {
            const same = to.terms[column]!;
            if (term.kind === 'anonymous' || same.kind === 'anonymous') {
                if (term.kind !== same.kind) return undefined;
                continue;
            }
            const value = ownValues.get(term.name);
            const otherValue = otherValues.get(same.name);
            if (value !== otherValue) return undefined;
            if (value !== undefined || next.get(term.name) === same.name) continue;
            if (next.has(term.name) || taken.has(same.name)) return undefined;
            next.set(term.name, same.name);
            taken.add(same.name);
        }
        return next;
    };
    const match = (names: Names, [literal, ...rest]: readonly PlanLiteral[], open: readonly PlanLiteral[]): Names | undefined => {
        if (literal === undefined) return open.length === 0 ? names : undefined;
        for (const candidate of open) {
            const next = withLiteral(names, literal, candidate);
            const all =
                next === undefined
                    ? undefined
                    : match(
                          next,
                          rest,
                          open.filter(other => other !== candidate),
                      );
            if (all !== undefined) return all;
        }
        return undefined;
    };
    return match(new Map(), positive(one), positive(other));
}

/** The same text for all rules whose positive literals may be the same but for the names of variables. */
export function bodySignature(rule: PlanRule): string {
    const values = constantTexts(rule);
    const literals = rule.literals.filter(({ negated }) => !negated);
    const shapes = literals.map(({ relation, terms }) => [
        relation,
        ...terms.map(term => (term.kind === 'anonymous' ? '_' : (values.get(term.name) ?? ''))),
    ]);
    return JSON.stringify(shapes.map(shape => JSON.stringify(shape)).sort());
}

function constantTexts({ constants }: PlanRule): ReadonlyMap<string, string> {
    return new Map(constants.map(({ variable, value }) => [variable, printExpression(value)]));
}
