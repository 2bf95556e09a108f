import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { factsKey, hasFacts } from '../facts-relation.ts';
import type { PlanRelation, PlanRule, PlanStratum } from '../plan.ts';
import type { ProgramPass } from '../program-pass.ts';
import { RuleParts } from '../rule-parts.ts';
import { addParts } from './parts.ts';

/**
 * Keeps the facts and source rows of recursive predicates in relations of their own, from which rules copy them, where the
 * recursion can then be evaluated in parts: these start from rules, and with nothing in the relations that they fill.
 */
export const factsApart: ProgramPass<'parts'> = {
    name: 'parts',
    needs: ({ isPlain }) => isPlain,
    run: ({ strata, relations, program }) => ({ strata: strata.map(stratum => withFactsApart(stratum, program, relations)) }),
};

function withFactsApart(stratum: PlanStratum, program: AnalysedProgram, relations: Map<PredicateKey, PlanRelation>): PlanStratum {
    const filled = stratum.relations.map(key => relations.get(key)!).filter(({ predicate, internal }) => !internal && hasFacts(predicate));
    const isPlain = filled.every(({ groups, columns }) => groups === undefined && !columns.some(({ cast }) => cast));
    if (!stratum.recursive || stratum.growing || filled.length === 0 || !isPlain) return stratum;
    const rules = [...stratum.rules, ...filled.map(relation => copyOfRows(relation, factsKey(relation.key), program))];
    if (addParts(rules, stratum.relations, new Map(relations)) === undefined) return stratum;
    for (const relation of filled) {
        const key = factsKey(relation.key);
        relations.set(key, { ...relation, key, internal: true });
    }
    return { ...stratum, rules };
}

/** The rule that copies all rows of a relation to that of a predicate. */
export function copyOfRows({ key, columns, predicate }: PlanRelation, from: PredicateKey, program: AnalysedProgram): PlanRule {
    const parts = new RuleParts(program, new Map());
    const variables = columns.map(({ type }) => parts.fresh(type));
    parts.literalOf(from, variables, false);
    const [fact] = predicate.facts;
    const [bind] = predicate.inputBinds;
    const [rule] = predicate.rules;
    const where = fact ?? (bind === undefined ? program.rules[rule!]!.rule : { place: bind.place, span: bind.annotation.span });
    return parts.rule(undefined, { place: where.place, span: where.span }, [{ kind: 'emit', relation: key, terms: variables }]);
}
