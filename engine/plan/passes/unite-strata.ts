import type { PredicateKey } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { PlanLiteral, PlanRelation, PlanRule, PlanStratum } from '../plan.ts';
import { mayFork } from './fork-variants.ts';

/** Makes one stratum of those without recursion whose rules may begin with the same join and do not wait for each other. */
export function uniteStrata(strata: readonly PlanStratum[], relations: ReadonlyMap<PredicateKey, PlanRelation>): readonly PlanStratum[] {
    const united: PlanStratum[] = [];
    for (const stratum of strata) {
        const index = united.findLastIndex((one, index) => share(one, stratum) && isReadBy(united.slice(index), stratum) === false);
        const isPlain = (one: PlanStratum): boolean => one.relations.every(key => relations.get(key)?.call === undefined);
        if (index < 0 || !isPlain(stratum) || !isPlain(united[index]!)) {
            united.push(stratum);
            continue;
        }
        const { relations: own, rules, ...rest } = united[index]!;
        united[index] = { ...rest, relations: [...own, ...stratum.relations], rules: [...rules, ...stratum.rules] };
    }
    return united;
}

function isReadBy(strata: readonly PlanStratum[], { rules }: PlanStratum): boolean {
    const made = new Set(strata.flatMap(({ relations }) => relations));
    return rules.some(({ literals }) => literals.some(({ relation }) => made.has(relation)));
}

function share(one: PlanStratum, other: PlanStratum): boolean {
    if (one.recursive || other.recursive) return false;
    const joins = new Set(one.rules.flatMap(joinsOf));
    return other.rules.some(rule => joinsOf(rule).some(join => joins.has(join)));
}

/** Each two literals of a rule that have variables in common, as text without the names of the variables. */
function joinsOf(rule: PlanRule): string[] {
    if (!mayFork(rule)) return [];
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
