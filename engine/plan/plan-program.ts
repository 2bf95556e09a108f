import type { AnalysedProgram, AnalysedRule, Predicate, PredicateKey, Stratum } from '#language/program/analysed-program.ts';
import type { PassName } from '../run-options.ts';
import { inventsNulls } from './inventions.ts';
import { levelsOf } from './levels.ts';
import { finalPassOf } from './passes/final-pass.ts';
import { addHelperRelations } from './passes/helper-relations.ts';
import { addParts } from './passes/parts.ts';
import { restrictParts } from './passes/point-questions.ts';
import type { Plan, PlanRelation, PlanRule, PlanStratum } from './plan.ts';
import { planStratumRules } from './plan-rules.ts';
import { answerRelation } from './relation-call.ts';
import { treePredicates } from './tree-predicates.ts';

export interface PlanOptions {
    /** The predicates that must be complete; without them the outputs, or everything where there is no output. */
    readonly goals?: ReadonlySet<PredicateKey>;
    readonly disabledPasses?: ReadonlySet<PassName>;
    /** False leaves constraints out, so that facts which violate one can be explained. */
    readonly constraints?: boolean;
}

/** The strata that the goals depend on, with their rules in normal form (5.2). */
export function planProgram(program: AnalysedProgram, options: PlanOptions = {}): Plan {
    const checks = program.rules.filter(
        ({ rule }) => rule.head.kind === 'equality' || (rule.head.kind === 'falsity' && options.constraints !== false),
    );
    const needed = neededPredicates(program, options.goals, checks);
    const disabled = options.disabledPasses ?? new Set();
    const trees = treePredicates(program);
    const relations = new Map<PredicateKey, PlanRelation>();
    const strata: PlanStratum[] = [];
    for (const key of needed) {
        const predicate = program.predicates.get(key);
        if (predicate !== undefined && predicate.rules.length === 0) relations.set(key, extensional(predicate));
    }
    const addComponent = (component: Stratum): void => {
        if (!component.predicates.some(key => needed.has(key) && (program.predicates.get(key)?.rules.length ?? 0) > 0)) return;
        strata.push(...planAnswers(program, component, relations));
        for (const layer of planStratumRules(program, component, relations, trees, disabled)) {
            if (layer.relations.length > 0) strata.push(planStratum(limited(program, component), layer, relations, disabled));
        }
    };
    /** Plans groups that rules without a predicate in their head need, and returns these rules. */
    const addChecks = (rules: readonly number[]): readonly PlanRule[] => {
        const check = { predicates: [], rules, recursive: false, growing: false };
        return planStratumRules(program, check, relations, trees, disabled).flatMap(layer => {
            if (layer.relations.length === 0) return layer.rules;
            strata.push(planStratum(check, layer, relations, disabled));
            return [];
        });
    };
    if (checks.some(({ rule }) => rule.head.kind === 'equality')) {
        for (const { components, equalities } of levelsOf(program)) {
            const first = strata.length;
            components.forEach(addComponent);
            if (equalities.length === 0) continue;
            const rules = addChecks(equalities);
            strata.push({
                relations: [],
                rules: [],
                recursive: false,
                growing: false,
                finalPass: 'none',
                equalities: { rules, strata: Array.from({ length: strata.length - first }, (_, i) => first + i) },
            });
        }
    } else {
        program.strata.forEach(addComponent);
    }
    const constraints = addChecks(checks.filter(({ rule }) => rule.head.kind === 'falsity').map(({ index }) => index));
    const complete = options.goals ?? (program.outputs.length > 0 ? new Set(program.outputs) : undefined);
    const isRestricted = complete !== undefined && !disabled.has('point-questions');
    return {
        program,
        relations,
        strata: isRestricted ? restrictParts(strata, { relations, constraints }, complete) : strata,
        constraints,
        trees,
    };
}

function planStratum(
    stratum: Stratum,
    layer: { readonly relations: readonly PredicateKey[]; readonly rules: readonly PlanRule[] },
    relations: Map<PredicateKey, PlanRelation>,
    disabled: ReadonlySet<PassName>,
): PlanStratum {
    const { recursive, growing } = stratum;
    const withGroups = recursive && layer.relations.some(key => relations.get(key)?.groups !== undefined);
    const finalPass = withGroups ? finalPassOf(layer.rules, relations, disabled) : 'none';
    const withHelpers = recursive && !disabled.has('helper-relations');
    const { rules, helpers } = withHelpers ? addHelperRelations(layer.rules, relations) : { rules: layer.rules, helpers: [] };
    const inParts = recursive && !growing && helpers.length === 0 && !disabled.has('parts');
    const parts = inParts ? addParts(rules, layer.relations, relations) : undefined;
    return { relations: [...helpers, ...layer.relations], rules, recursive, growing, finalPass, ...(parts === undefined ? {} : { parts }) };
}

/** Counts the rounds of a recursion that may create nulls for ever, because it is not warded or because of its aggregates (D-29.4). */
function limited({ chase, rules, predicates }: AnalysedProgram, stratum: Stratum): Stratum {
    if (chase.weaklyAcyclic || !stratum.recursive || stratum.growing) return stratum;
    const aggregates = stratum.predicates.some(key => (predicates.get(key)?.aggregatedColumns.length ?? 0) > 0);
    if (chase.warded && !aggregates) return stratum;
    const growing = stratum.rules.some(index => rules[index] !== undefined && inventsNulls(rules[index]));
    return { ...stratum, growing };
}

/** The relation functions in the rules of a stratum, each to be answered before the rules run. */
function planAnswers(program: AnalysedProgram, stratum: Stratum, relations: Map<PredicateKey, PlanRelation>): PlanStratum[] {
    return stratum.rules.flatMap(index => {
        const answer = answerRelation(program, ruleAt(program, index));
        if (answer === undefined) return [];
        relations.set(answer.key, answer);
        return [{ relations: [answer.key], rules: [], recursive: false, growing: false, finalPass: 'none' }];
    });
}

function extensional(predicate: Predicate): PlanRelation {
    return { key: predicate.key, arity: predicate.arity, columns: predicate.columns, predicate, internal: false, level: 'predicates' };
}

/** The goals, and everything that their rules, equality heads and constraints read, directly or not. */
function neededPredicates(
    program: AnalysedProgram,
    goals: ReadonlySet<PredicateKey> | undefined,
    checks: readonly AnalysedRule[],
): ReadonlySet<PredicateKey> {
    const outputs = program.outputs.length > 0 ? program.outputs : program.predicates.keys();
    const needed = new Set<PredicateKey>(goals ?? outputs);
    for (const { literals } of checks) for (const { predicate } of literals) needed.add(predicate);
    for (const key of needed) {
        for (const index of program.predicates.get(key)?.rules ?? []) {
            const { literals, relation } = ruleAt(program, index);
            for (const literal of literals) needed.add(literal.predicate);
            if (relation !== undefined) needed.add(relation);
        }
    }
    return needed;
}

function ruleAt(program: AnalysedProgram, index: number): AnalysedRule {
    const rule = program.rules[index];
    if (rule === undefined) throw new Error(`No rule ${index}`);
    return rule;
}
