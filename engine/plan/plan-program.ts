import type { AnalysedProgram, AnalysedRule, Predicate, PredicateKey, Stratum } from '#language/program/analysed-program.ts';
import type { PassName } from '../run-options.ts';
import { finalPassOf } from './passes/final-pass.ts';
import { addHelperRelations } from './passes/helper-relations.ts';
import type { Plan, PlanRelation, PlanRule, PlanStratum } from './plan.ts';
import { planStratumRules } from './plan-rules.ts';
import { answerRelation } from './relation-call.ts';

export interface PlanOptions {
    /** The predicates that must be complete; without them the outputs, or everything where there is no output. */
    readonly goals?: ReadonlySet<PredicateKey>;
    readonly disabledPasses?: ReadonlySet<PassName>;
}

/** The strata that the goals depend on, with their rules in normal form (5.2). */
export function planProgram(program: AnalysedProgram, options: PlanOptions = {}): Plan {
    const needed = neededPredicates(program, options.goals);
    const disabled = options.disabledPasses ?? new Set();
    const relations = new Map<PredicateKey, PlanRelation>();
    const strata: PlanStratum[] = [];
    for (const key of needed) {
        const predicate = program.predicates.get(key);
        if (predicate !== undefined && predicate.rules.length === 0) relations.set(key, extensional(predicate));
    }
    for (const stratum of program.strata) {
        if (!stratum.predicates.some(key => needed.has(key) && (program.predicates.get(key)?.rules.length ?? 0) > 0)) continue;
        strata.push(...planAnswers(program, stratum, relations));
        for (const layer of planStratumRules(program, stratum, relations, disabled)) {
            if (layer.relations.length > 0) strata.push(planStratum(stratum, layer, relations, disabled));
        }
    }
    return { program, relations, strata };
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
    return { relations: [...helpers, ...layer.relations], rules, recursive, growing, finalPass };
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

/** The goals and everything that their rules read, directly or not. */
function neededPredicates(program: AnalysedProgram, goals: ReadonlySet<PredicateKey> | undefined): ReadonlySet<PredicateKey> {
    const outputs = program.outputs.length > 0 ? program.outputs : program.predicates.keys();
    const needed = new Set<PredicateKey>(goals ?? outputs);
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
