import type { PredicateKey } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { PlanLiteral, PlanRelation, PlanRule, PlanStratum } from '../plan.ts';
import { mayFork } from './fork-variants.ts';

/** Each two literals are looked at, of which longer rules have too many. */
const MOST_LITERALS = 32;

/** Makes one stratum of those without recursion whose rules may begin with the same join and do not wait for each other. */
export function uniteStrata(strata: readonly PlanStratum[], relations: ReadonlyMap<PredicateKey, PlanRelation>): readonly PlanStratum[] {
    const united: (PlanStratum & { readonly relations: PredicateKey[]; readonly rules: PlanRule[] })[] = [];
    const madeIn = new Map<PredicateKey, number>();
    const joinedIn = new Map<string, number>();
    for (const stratum of strata) {
        const isPlain = !stratum.recursive && stratum.relations.every(key => relations.get(key)?.call === undefined);
        const joins = isPlain ? stratum.rules.flatMap(joinsOf) : [];
        const earliest = latestOf(stratum.rules.flatMap(({ literals }) => literals.map(({ relation }) => madeIn.get(relation)))) + 1;
        const latest = latestOf(joins.map(join => joinedIn.get(join)));
        const index = latest < earliest ? united.length : latest;
        if (index === united.length) united.push({ ...stratum, relations: [], rules: [] });
        const { relations: made, rules } = united[index]!;
        for (const relation of stratum.relations) {
            made.push(relation);
            madeIn.set(relation, index);
        }
        for (const rule of stratum.rules) rules.push(rule);
        for (const join of joins) joinedIn.set(join, index);
    }
    return united.length === strata.length ? strata : united;
}

function latestOf(indexes: readonly (number | undefined)[]): number {
    return indexes.reduce<number>((latest, index) => Math.max(latest, index ?? -1), -1);
}

/** Each two literals of a rule that have variables in common, as text without the names of the variables. */
function joinsOf(rule: PlanRule): string[] {
    if (rule.literals.length > MOST_LITERALS || !mayFork(rule)) return [];
    const constants = new Map(rule.constants.map(({ variable, value }) => [variable, printExpression(value)]));
    const variableAt = ({ terms }: PlanLiteral, column: number): string | undefined => {
        const term = terms[column]!;
        return term.kind === 'variable' && !constants.has(term.name) ? term.name : undefined;
    };
    const shapeOf = ({ relation, negated, terms }: PlanLiteral): unknown[] => [
        relation,
        negated,
        ...terms.map(term => (term.kind === 'variable' ? (constants.get(term.name) ?? '') : '')),
    ];
    return rule.literals.flatMap(first =>
        rule.literals.flatMap(second => {
            if (first === second || first.negated) return [];
            const links = [...first.terms.keys()].flatMap(column => {
                const variable = variableAt(first, column);
                const met = [...second.terms.keys()].filter(other => variable !== undefined && variableAt(second, other) === variable);
                return met.map(other => [column, other]);
            });
            return links.length === 0 ? [] : [JSON.stringify([shapeOf(first), shapeOf(second), links])];
        }),
    );
}
