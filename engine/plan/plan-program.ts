import type { AnalysedProgram, AnalysedRule, Predicate, PredicateKey, Stratum } from '#language/program/analysed-program.ts';
import { predicatesBelow } from '#language/program/predicates-below.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { say } from '#language/program/say.ts';
import { stop } from '../reports/reports.ts';
import { planCalls } from './asked-calls.ts';
import { askedColumns, askedRelations, planAsking } from './asked-queries.ts';
import type { SwitchedOff } from './decisions.ts';
import { inventsNulls } from './inventions.ts';
import { finalPassOf } from './passes/final-pass.ts';
import { withStratumExecution } from './passes/stratum-execution.ts';
import { IN_ROUNDS, type Plan, type PlanRelation, type PlanRule, type PlanStratum } from './plan.ts';
import { planStratumRules } from './plan-rules.ts';
import { type PassName, rewritten } from './program-passes.ts';
import { answerRelations } from './relation-call.ts';
import { treePredicates } from './tree-predicates.ts';

export interface PlanOptions {
    /** The predicates that must be complete; without them the outputs, or everything where there is no output. */
    readonly goals?: ReadonlySet<PredicateKey>;
    readonly disabledPasses?: ReadonlySet<PassName>;
    /** False leaves constraints out, so that facts which violate one can be explained. */
    readonly constraints?: boolean;
    /** True if no other predicates than these will be read. */
    readonly goalsOnly?: boolean;
    /** True where every fact may have to be explained: then no fact that a predicate has is left out. */
    readonly allFacts?: boolean;
    /** True where the run keeps heights, for which it needs all facts. */
    readonly heights?: boolean;
    /** True where every rule is to be seen as it is written. */
    readonly profile?: boolean;
    /** True if sources are read as a whole, so that every problem of their rows is reported. */
    readonly readsAll?: boolean;
    /** Called between pieces of work; it may throw to end the planning. */
    readonly look?: () => void;
}

/** The strata that the goals depend on, with their rules in normal form (5.2), and what the passes make of them. */
export function planProgram(program: AnalysedProgram, options: PlanOptions = {}): Plan {
    const disabled = options.disabledPasses ?? new Set();
    const normal = normalForm(program, options, disabled);
    const complete = options.goals ?? (program.outputs.length > 0 ? new Set(program.outputs) : undefined);
    const isExplained = normal.heights || options.allFacts === true;
    const isProfiled = options.profile === true;
    const planning = {
        isPlain: !isExplained && !normal.rewrites,
        complete,
        wanted: options.goalsOnly === true && !isExplained ? complete : undefined,
        isProfiled,
        readsAll: options.readsAll === true,
        disabled,
        look: options.look ?? (() => {}),
    };
    const plan = rewritten(normal, planning, disabled);
    return withStratumExecution(plan, isProfiled, disabled);
}

/** The plan before its passes. */
function normalForm(program: AnalysedProgram, options: PlanOptions, disabled: SwitchedOff): Plan {
    const checks = program.rules.filter(
        ({ rule }) => rule.head.kind === 'equality' || (rule.head.kind === 'falsity' && options.constraints !== false),
    );
    const needed = neededPredicates(program, options.goals, checks);
    const trees = treePredicates(program);
    const relations = new Map<PredicateKey, PlanRelation>();
    const strata: PlanStratum[] = [];
    for (const key of needed) {
        const predicate = program.predicates.get(key);
        if (predicate === undefined || refuseDerived(predicate)) continue;
        for (const relation of extensional(predicate)) relations.set(relation.key, relation);
    }
    const addComponent = (component: Stratum): void => {
        options.look?.();
        if (!component.predicates.some(key => needed.has(key) && (program.predicates.get(key)?.rules.length ?? 0) > 0)) return;
        const asking = planAsking(program, component, relations);
        strata.push(...planAnswers(program, component, relations), ...asking.before);
        for (const written of planStratumRules(program, component, relations, trees, disabled, asking)) {
            const layer = planCalls(program, component, written, relations);
            strata.push(...layer.before);
            if (layer.relations.length > 0) strata.push(planStratum(limited(program, component), layer, relations, disabled));
        }
    };
    /** Plans groups that rules without a predicate in their head need, and returns these rules. */
    const addChecks = (rules: readonly number[]): readonly PlanRule[] => {
        const check = { predicates: [], rules, recursive: false, growing: false };
        strata.push(...planAsking(program, check, relations).before);
        return planStratumRules(program, check, relations, trees, disabled).flatMap(written => {
            const layer = planCalls(program, check, written, relations);
            strata.push(...layer.before);
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
            for (const index of equalities.flat()) if (!planned.has(index)) planned.set(index, addChecks([index]));
            const turns = equalities.map(turn => turn.flatMap(index => planned.get(index) ?? []));
            strata.push({
                relations: [],
                rules: [],
                recursive: false,
                growing: false,
                finalPass: 'none',
                execution: IN_ROUNDS,
                equalities: { turns, strata: [...again.flatMap(component => places.get(component) ?? []), ...numbersFrom(first)] },
            });
        }
    } else {
        program.strata.forEach(addComponent);
    }
    const constraints = addChecks(checks.filter(({ rule }) => rule.head.kind === 'falsity').map(({ index }) => index));
    const heights = options.heights === true;
    const rewrites = strata.some(({ equalities }) => equalities !== undefined);
    return { program, relations, strata, constraints, trees, partial: new Set(), heights, rewrites, changedBy: new Set() };
}

function planStratum(
    { recursive, growing }: Stratum,
    { relations: own, rules }: { readonly relations: readonly PredicateKey[]; readonly rules: readonly PlanRule[] },
    relations: Map<PredicateKey, PlanRelation>,
    disabled: SwitchedOff,
): PlanStratum {
    const grouped = recursive ? own.flatMap(key => relations.get(key) ?? []).filter(({ groups }) => groups !== undefined) : [];
    const finalPass = grouped.length > 0 ? finalPassOf(rules, relations, disabled) : 'none';
    const totals = disabled.has('running-totals') ? 'recomputed' : 'running';
    for (const relation of grouped) relations.set(relation.key, { ...relation, groups: { ...relation.groups!, totals } });
    return { relations: own, rules, recursive, growing, finalPass, execution: IN_ROUNDS };
}

/** Counts the rounds of a recursion that may create nulls for ever, because it is not warded or because of its aggregates (D-29.4). */
function limited({ chase, rules, predicates }: AnalysedProgram, stratum: Stratum): Stratum {
    if (chase.weaklyAcyclic || !stratum.recursive || stratum.growing) return stratum;
    const aggregates = stratum.predicates.some(key => (predicates.get(key)?.aggregatedColumns.length ?? 0) > 0);
    if (chase.warded && !aggregates) return stratum;
    const growing = stratum.rules.some(index => rules[index] !== undefined && inventsNulls(rules[index]));
    return { ...stratum, growing };
}

/** The relation functions and queries in the rules of a stratum, each to be answered before the rules run. */
function planAnswers(program: AnalysedProgram, stratum: Stratum, relations: Map<PredicateKey, PlanRelation>): PlanStratum[] {
    return stratum.rules.flatMap(index => {
        return answerRelations(program, ruleAt(program, index)).map((relation): PlanStratum => {
            relations.set(relation.key, relation);
            return { relations: [relation.key], rules: [], recursive: false, growing: false, finalPass: 'none', execution: IN_ROUNDS };
        });
    });
}

/** Whether rules derive a predicate, which no query may be asked for values of then. */
function refuseDerived(predicate: Predicate): boolean {
    if (predicate.rules.length === 0) return false;
    const bind = predicate.inputBinds.find(one => queryParameters(one).length > 0);
    if (bind === undefined) return true;
    const location = { place: bind.place, span: bind.annotation.span };
    return stop('RT065', { location }, say`A query with values of other atoms, for a predicate that has rules,`);
}

function extensional(predicate: Predicate): readonly PlanRelation[] {
    const { key, arity, columns } = predicate;
    const relation = { key, arity, columns, predicate, internal: false, level: 'predicates' } as const;
    return askedColumns(predicate).length === 0 ? [relation] : askedRelations(relation);
}

/** The goals, and everything that their rules, equality heads and constraints read, directly or not. */
function neededPredicates(
    program: AnalysedProgram,
    goals: ReadonlySet<PredicateKey> | undefined,
    checks: readonly AnalysedRule[],
): ReadonlySet<PredicateKey> {
    const outputs = program.outputs.length > 0 ? program.outputs : program.predicates.keys();
    return predicatesBelow(program, [
        ...(goals ?? outputs),
        ...checks.flatMap(({ literals }) => literals.map(({ predicate }) => predicate)),
    ]);
}

function ruleAt(program: AnalysedProgram, index: number): AnalysedRule {
    const rule = program.rules[index];
    if (rule === undefined) throw new Error(`No rule ${index}`);
    return rule;
}
