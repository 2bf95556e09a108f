import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { variableNames } from '#language/program/variable-names.ts';
import { startsWithFacts } from '../facts-relation.ts';
import { decidesMatch } from '../injective-heads.ts';
import type { PlanLiteral, PlanRelation, PlanRule, PlanStratum } from '../plan.ts';
import type { ProgramPass } from '../program-pass.ts';
import { RuleParts } from '../rule-parts.ts';
import { isSilent, mayOverflow, reportsEarly } from '../silent-expression.ts';
import { countsMatches } from './counts-matches.ts';
import { type ProgramPlan, seenRelations } from './seen-relations.ts';
import { unfolded } from './unfolding.ts';

/** Rules with more literals are joined in two steps as they are written: a good order among so many is hard to find. */
const MOST_LITERALS = 8;

/** A predicate that one rule defines, and what decides where the body of this rule may stand for it. */
interface Definition {
    readonly rule: PlanRule;
    /** Its rows are those of another relation, with the columns in another order at most. */
    readonly isRenaming: boolean;
    /** Each match is a row of its own. */
    readonly isInjective: boolean;
    /** The number of literals that read it. */
    readonly uses: number;
}

/**
 * Puts the body of a rule in the place of the predicate that it alone defines, so that the rows of the predicate are never stored.
 *
 * Renamings are put everywhere, other bodies into one rule alone, which is not recursive and would not look at a row more often for
 * that: it has no other literal, or rows of the predicate come from one match each. The same is asked of rules that count matches. What has
 * rows that could be seen, reported or numbered stays: goals, facts, what constraints and relation functions read, nulls.
 */
export const ruleInlining: ProgramPass<'rule-inlining'> = {
    name: 'rule-inlining',
    needs: ({ isPlain, wanted, isProfiled }) => isPlain && wanted !== undefined && !isProfiled,
    run: (plan, { wanted = new Set() }) => ({ strata: inlineRules(plan.strata, plan, wanted) }),
};

function inlineRules(strata: readonly PlanStratum[], plan: ProgramPlan, wanted: ReadonlySet<PredicateKey>): readonly PlanStratum[] {
    const definitions = definitionsOf(strata, plan, wanted);
    if (definitions.size === 0) return strata;
    const inlined = strata.map(stratum => ({
        ...stratum,
        rules: stratum.rules.map(written => {
            let rule = written;
            for (const literal of written.literals) {
                const definition = definitions.get(literal.relation);
                if (definition === undefined || !pays(definition, literal, rule, stratum, plan)) continue;
                rule = unfolded(rule, literal, definition.rule) ?? rule;
            }
            for (const { relation } of rule.outputs) {
                const definition = definitions.get(relation);
                if (definition !== undefined) definitions.set(relation, { ...definition, ...shapeOf(rule, plan) });
            }
            return rule;
        }),
    }));
    const read = new Set(inlined.flatMap(({ rules }) => rules.flatMap(({ literals }) => literals.map(({ relation }) => relation))));
    const isGone = (key: PredicateKey): boolean => definitions.has(key) && !read.has(key);
    for (const key of definitions.keys()) if (isGone(key)) plan.relations.delete(key);
    return inlined.flatMap(stratum => {
        const relations = stratum.relations.filter(key => !isGone(key));
        if (relations.length === 0) return [];
        return [
            { ...stratum, relations, rules: stratum.rules.filter(({ outputs }) => !outputs.every(({ relation }) => isGone(relation))) },
        ];
    });
}

function definitionsOf(
    strata: readonly PlanStratum[],
    plan: ProgramPlan,
    wanted: ReadonlySet<PredicateKey>,
): Map<PredicateKey, Definition> {
    const seen = seenRelations(plan, wanted);
    const rules = strata.flatMap(stratum => stratum.rules);
    const uses = new Map<PredicateKey, number>();
    for (const { relation } of rules.flatMap(({ literals }) => literals)) uses.set(relation, (uses.get(relation) ?? 0) + 1);
    const found = new Map<PredicateKey, Definition>();
    for (const stratum of strata) {
        if (stratum.recursive || stratum.relations.length > 1) continue;
        const [rule, ...others] = stratum.rules;
        const key = stratum.relations[0];
        if (rule === undefined || key === undefined || others.length > 0 || seen.has(key) || !uses.has(key)) continue;
        const relation = plan.relations.get(key)!;
        if (!isRows(relation, plan) || !isPlain(rule, plan.program)) continue;
        found.set(key, { ...shapeOf(rule, plan), uses: uses.get(key)! });
    }
    return found;
}

function shapeOf(rule: PlanRule, { relations }: ProgramPlan): Omit<Definition, 'uses'> {
    return { rule, isRenaming: isRenaming(rule), isInjective: decidesMatch(rule, relations) };
}

/** Whether rules alone fill a relation, with rows as they are. */
function isRows(relation: PlanRelation, { relations }: ProgramPlan): boolean {
    const { groups, call, internal, columns } = relation;
    return (
        groups === undefined &&
        call === undefined &&
        !internal &&
        !startsWithFacts(relation, relations) &&
        !columns.some(({ cast }) => cast)
    );
}

/** Whether a rule may be run for more or fewer matches than it has: it adds rows, reports nothing and makes no value of its own. */
function isPlain(rule: PlanRule, program: AnalysedProgram): boolean {
    const { filters, assignments, inventions, outputs, types } = rule;
    const [output, ...others] = outputs;
    if (output?.kind !== 'emit' || others.length + inventions.length + rule.constantsOnly.length > 0 || rule.parent !== undefined)
        return false;
    if (!rule.literals.some(({ negated }) => !negated)) return false;
    const parts = new RuleParts(program, types);
    const isQuiet = (expression: PlanRule['filters'][number]): boolean => isSilent(expression, one => parts.typeOf(one));
    return (
        filters.every(filter => isQuiet(filter) && !mayOverflow(filter) && parts.typeOf(filter).kind === 'boolean') &&
        assignments.every(({ value, exploded }) => !exploded && isQuiet(value))
    );
}

function isRenaming({ literals, filters, assignments, constants, outputs }: PlanRule): boolean {
    const [literal, ...others] = literals;
    const [output] = outputs;
    if (literal === undefined || output?.kind !== 'emit') return false;
    if (others.length + filters.length + assignments.length + constants.length > 0) return false;
    const read = new Set(variableNames(literal.terms));
    const given = new Set(output.terms);
    const isWhole = read.size === literal.terms.length && given.size === output.terms.length && given.size === read.size;
    return isWhole && output.terms.every(name => read.has(name));
}

function pays(definition: Definition, literal: PlanLiteral, reader: PlanRule, { recursive }: PlanStratum, plan: ProgramPlan): boolean {
    if (reader.parent !== undefined) return false;
    if (definition.isRenaming) return true;
    const { rule, isInjective, uses } = definition;
    if (literal.negated || recursive || uses > 1 || rule.literals.length + reader.literals.length > MOST_LITERALS) return false;
    const isAlone = !reader.literals.some(one => !one.negated && one !== literal);
    return (isInjective || (isAlone && !countsMatches(reader, plan.relations))) && !reportsEarly(reader, plan.program);
}
