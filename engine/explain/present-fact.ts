import { printExpression } from '#language/program/print.ts';
import { type Absence, distinct, inSections, isDerived, KEPT, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import { type Cause, nearestReason, type Reason, type WhyNot } from './cause.ts';
import { DISTANCE } from './distances.ts';
import { givens } from './failed-condition.ts';
import { patternOf } from './item-pattern.ts';
import type { FactRow } from './match-rule.ts';
import { toBeGiven } from './missing-fact.ts';
import type { PartialMatch } from './partial-match.ts';
import { hasRow } from './pattern-rows.ts';
import { neverFiring } from './remedy.ts';
import { matchesOf } from './weakened-matches.ts';

/** Matches of a rule among which one is looked for that does not rest on the fact itself. */
const LOOKED_AT = 16;

/** Why a fact is there that a negation does not want: a negation of its own rules, a condition, a premise. */
export function whyPresent(absence: Absence, fact: FactRow, depth: number): WhyNot | undefined {
    const predicate = absence.database.program.predicates.get(fact.predicate);
    const values = absence.database.relation(fact.predicate)?.columns.map(column => column[fact.row]!) ?? [];
    const name = `present ${fact.predicate}:${values.join()}`;
    if (predicate === undefined) return undefined;
    return absence.once(name, depth, () => {
        const found: Reason[] = [];
        for (const index of predicate.rules) {
            const rule = absence.database.program.rules[index];
            for (const head of rule?.heads ?? []) {
                if (rule === undefined || head.predicate !== predicate.key || rule.rule.body.kind !== 'items') continue;
                const matcher = absence.matcher(rule, head);
                const search: RuleSearch = { absence, rule, head, matcher, pattern: values, depth, found };
                const matches = matchesOf(search, [], LOOKED_AT);
                const match = matches.find(one => isEarlier(absence, one, fact)) ?? matches[0];
                if (match !== undefined) presentBy(search, match, fact);
            }
        }
        found.sort((left, right) => left.distance - right.distance);
        return {
            fact: absence.words.row(fact),
            present: true,
            further: false,
            ...inSections(distinct(found).slice(0, KEPT)),
            cutShort: absence.isSpent(),
        };
    });
}

/** Whether the facts of a match came before a fact, where the run kept heights. */
function isEarlier({ database }: Absence, { facts }: PartialMatch, fact: FactRow): boolean {
    const heightOf = ({ predicate, row }: FactRow): number => database.relation(predicate)?.notes?.heights?.[row] ?? 0;
    return [...facts.values()].every(premise => heightOf(premise) < heightOf(fact));
}

function presentBy(search: RuleSearch, match: PartialMatch, fact: FactRow): void {
    const { absence, rule, matcher, depth, found } = search;
    const premises = premisesOf(search, match);
    for (const item of matcher.items) {
        switch (item.kind) {
            case 'condition': {
                const { expression } = item.condition;
                const values = givens(absence, expression, matcher, match.registers);
                const cause: Cause = { kind: 'holds', condition: printExpression(expression), values, fact: absence.words.row(fact) };
                found.push({
                    ...reasonIn(rule, cause, expression.span, premises, DISTANCE.holds),
                    remedies: [neverFiring(rule, expression.span)],
                });
                break;
            }
            case 'negation': {
                const predicate = absence.database.program.predicates.get(item.literal.predicate);
                if (predicate === undefined || item.literal.atom.arguments.length < predicate.arity) break;
                const { values, names } = patternOf(matcher, item, match.registers, predicate.arity);
                const because = absence.absent(predicate.key, values, depth + 1, hasRow(item.rows, values, absence.steps.pause));
                const first = because && nearestReason(because);
                if (because === undefined || first === undefined) break;
                const fact = absence.words.pattern(predicate, values, names);
                const cause: Cause = { kind: 'missing', fact, derivable: predicate.rules.length > 0, near: [] };
                const distance = first.distance + DISTANCE.step;
                const reason = reasonIn(rule, cause, item.literal.atom.span, premises, distance);
                if (predicate.rules.length === 0 && first.cause.kind === 'missing') {
                    found.push({ ...first, ...reason, cause: first.cause });
                    break;
                }
                const { remedies } = toBeGiven({ predicate: predicate.key, values, ...(names === undefined ? {} : { names }) });
                found.push({ ...reason, ...(remedies && { remedies }), because });
                break;
            }
            case 'atom': {
                const premise = match.facts.get(item);
                const because = premise === undefined || !isDerived(absence, item) ? undefined : absence.present(premise, depth + 1);
                const first = because && nearestReason(because);
                if (because === undefined || first === undefined) break;
                const cause: Cause = { kind: 'present', fact: absence.words.row(premise!) };
                found.push({ ...reasonIn(rule, cause, item.literal.atom.span, premises, first.distance + DISTANCE.step), because });
                break;
            }
            case 'assignment':
                break;
        }
    }
}
