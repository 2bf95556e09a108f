import type { AnalysedProgram, AnalysedRule, Predicate, PredicateKey, Stratum } from '#language/program/analysed-program.ts';
import type { PassName } from '../run-options.ts';
import { inventsNulls } from './inventions.ts';
import { dropDeadColumns } from './passes/dead-columns.ts';
import { withFactsApart } from './passes/facts-apart.ts';
import { finalPassOf } from './passes/final-pass.ts';
import { addHelperRelations } from './passes/helper-relations.ts';
import { dropIdleCasts } from './passes/idle-casts.ts';
import { hasOrders } from './passes/live-cardinalities.ts';
import { addParts, forgetParts } from './passes/parts.ts';
import { answerQuestions } from './passes/point-questions.ts';
import { inlineRules } from './passes/rule-inlining.ts';
import { sharePrefixes } from './passes/shared-prefixes.ts';
import { uniteStrata } from './passes/unite-strata.ts';
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
    /** True where nobody will look at other predicates than these. */
    readonly goalsOnly?: boolean;
    /** True where every fact may have to be explained: then no fact that a predicate has is left out. */
    readonly heights?: boolean;
    /** True where every rule is to be seen as it is written. */
    readonly profile?: boolean;
    /** Called between pieces of work; it may throw to end the planning. */
    readonly look?: () => void;
}

/** The strata that the goals depend on, with their rules in normal form (5.2), and what the passes make of them. */
export function planProgram(program: AnalysedProgram, options: PlanOptions = {}): Plan {
    const disabled = options.disabledPasses ?? new Set();
    const look = options.look ?? (() => {});
    const normal = normalForm(program, options, disabled);
    const { relations } = normal;
    const isPlain = options.heights !== true && !normal.strata.some(({ equalities }) => equalities !== undefined);
    const complete = options.goals ?? (program.outputs.length > 0 ? new Set(program.outputs) : undefined);
    const unseen = options.goalsOnly === true && options.heights !== true ? complete : undefined;
    if (isPlain && !disabled.has('idle-casts')) dropIdleCasts(normal.strata, relations);
    const isInlined = unseen !== undefined && isPlain && options.profile !== true && !disabled.has('rule-inlining');
    look();
    const inlined = isInlined ? inlineRules(normal.strata, normal, unseen) : normal.strata;
    const isNarrowed = unseen !== undefined && isPlain && !disabled.has('dead-columns');
    look();
    const narrowed = isNarrowed ? dropDeadColumns(inlined, normal, unseen) : { strata: inlined, narrow: NONE };
    look();
    const apart =
        isPlain && !disabled.has('parts') ? narrowed.strata.map(stratum => withFactsApart(stratum, program, relations)) : narrowed.strata;
    const isAsked = complete !== undefined && isPlain && !disabled.has('point-questions');
    const asked = isAsked ? answerQuestions(apart, { ...normal, look }, complete) : { strata: apart, partial: NONE };
    look();
    const isShared = isPlain && !disabled.has('shared-prefixes');
    const shared = isShared ? uniteStrata(sharePrefixes(asked.strata, relations, normal.trees), relations) : asked.strata;
    look();
    const strata = shared.map(stratum => {
        look();
        return planEvaluation(stratum, relations, disabled);
    });
    const forgetting = unseen === undefined ? strata : forgetParts(strata, normal.constraints, unseen, relations);
    const forgotten = forgetting.flatMap(({ parts }) => [...(parts?.forgotten ?? [])]);
    return { ...normal, strata: forgetting, partial: new Set([...narrowed.narrow, ...asked.partial, ...forgotten]) };
}

const NONE: ReadonlySet<PredicateKey> = new Set();

/** A plan whose strata are not optimised yet. */
type NormalForm = Omit<Plan, 'partial' | 'relations'> & { readonly relations: Map<PredicateKey, PlanRelation> };

function normalForm(program: AnalysedProgram, options: PlanOptions, disabled: ReadonlySet<PassName>): NormalForm {
    const checks = program.rules.filter(
        ({ rule }) => rule.head.kind === 'equality' || (rule.head.kind === 'falsity' && options.constraints !== false),
    );
    const needed = neededPredicates(program, options.goals, checks);
    const trees = treePredicates(program);
    const relations = new Map<PredicateKey, PlanRelation>();
    const strata: PlanStratum[] = [];
    for (const key of needed) {
        const predicate = program.predicates.get(key);
        if (predicate !== undefined && predicate.rules.length === 0) relations.set(key, extensional(predicate));
    }
    const addComponent = (component: Stratum): void => {
        options.look?.();
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
        const places = new Map<Stratum, readonly number[]>();
        const planned = new Map<number, readonly PlanRule[]>();
        const numbersFrom = (first: number): number[] => Array.from({ length: strata.length - first }, (_, i) => first + i);
        for (const { components, equalities, again } of program.levels) {
            for (const component of components) {
                const first = strata.length;
                addComponent(component);
                places.set(component, numbersFrom(first));
            }
            if (equalities.length === 0) continue;
            const first = strata.length;
            for (const index of equalities) if (!planned.has(index)) planned.set(index, addChecks([index]));
            const rules = equalities.flatMap(index => planned.get(index) ?? []);
            strata.push({
                relations: [],
                rules: [],
                recursive: false,
                growing: false,
                finalPass: 'none',
                equalities: { rules, strata: [...again.flatMap(component => places.get(component) ?? []), ...numbersFrom(first)] },
            });
        }
    } else {
        program.strata.forEach(addComponent);
    }
    const constraints = addChecks(checks.filter(({ rule }) => rule.head.kind === 'falsity').map(({ index }) => index));
    return { program, relations, strata, constraints, trees };
}

function planStratum(
    { recursive, growing }: Stratum,
    { relations: own, rules }: { readonly relations: readonly PredicateKey[]; readonly rules: readonly PlanRule[] },
    relations: Map<PredicateKey, PlanRelation>,
    disabled: ReadonlySet<PassName>,
): PlanStratum {
    const grouped = recursive ? own.flatMap(key => relations.get(key) ?? []).filter(({ groups }) => groups !== undefined) : [];
    const finalPass = grouped.length > 0 ? finalPassOf(rules, relations, disabled) : 'none';
    const totals = disabled.has('running-totals') ? 'recomputed' : 'running';
    for (const relation of grouped) relations.set(relation.key, { ...relation, groups: { ...relation.groups!, totals } });
    return { relations: own, rules, recursive, growing, finalPass };
}

/** How a recursion is evaluated: with parts of joins kept, or some values at a time. */
function planEvaluation(stratum: PlanStratum, relations: Map<PredicateKey, PlanRelation>, disabled: ReadonlySet<PassName>): PlanStratum {
    if (!stratum.recursive) return stratum;
    const isSplit = !disabled.has('helper-relations');
    const { rules, helpers } = isSplit ? addHelperRelations(stratum.rules, relations) : { rules: stratum.rules, helpers: [] };
    const inParts = !stratum.growing && helpers.length === 0 && !disabled.has('parts');
    const parts = inParts ? addParts(rules, stratum.relations, relations) : undefined;
    const ordersAnew = hasOrders(rules) && !disabled.has('live-cardinalities') && !disabled.has('join-order');
    return {
        ...stratum,
        relations: [...helpers, ...stratum.relations],
        rules,
        ...(ordersAnew ? { ordersAnew } : {}),
        ...(parts === undefined ? {} : { parts }),
    };
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
