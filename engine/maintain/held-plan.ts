import { variesByMatch } from '#language/library/non-deterministic.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import { derivedKey, factsKey, hasFacts, refusedKey, sourcesKey } from '../plan/facts-relation.ts';
import { copyOfRows } from '../plan/passes/facts-apart.ts';
import { differsPerMatch } from '../plan/passes/first-match.ts';
import {
    IN_ROUNDS,
    isGraphCall,
    isInParts,
    type Plan,
    type PlanLiteral,
    type PlanRelation,
    type PlanRule,
    type PlanStratum,
} from '../plan/plan.ts';
import { type PlanOptions, planProgram } from '../plan/plan-program.ts';
import type { PassName } from '../plan/program-passes.ts';

/** Passes that leave rows or columns out which another edit may ask for, or that let the rules of one stratum follow from another. */
const NOT_HELD: readonly PassName[] = [
    'dead-columns',
    'magic-sets',
    'shared-prefixes',
    'source-conditions',
    'rule-inlining',
    'helper-relations',
];

/** How the relations of a stratum follow what they are made of. */
export type Upkeep =
    /** Each row has a derivation from rows that came before it, and goes with the last one. */
    | 'derivations'
    /** Each relation for itself: rows with their derivations, and groups, each of which is computed again. */
    | 'flat'
    /** The parts of a recursion that a change concerns are evaluated again. */
    | 'parts'
    /** The stratum is evaluated again, and compared. */
    | 'fresh';

const NONE: ReadonlySet<PredicateKey> = new Set();

/**
 * The plan of a program that is held open: with all rows of all relations, and with facts and source rows in relations of their own
 * where other rows stand beside them, so that every row that is not given follows from rules. Predicates with rules that are `edited` may
 * be given rows besides, and rows that they do not have whatever the rules say.
 */
export function heldPlan(program: AnalysedProgram, options: PlanOptions, edited: ReadonlySet<PredicateKey> = NONE): Plan {
    const disabledPasses = new Set([...(options.disabledPasses ?? []), ...NOT_HELD]);
    const plan = planProgram(program, { ...options, goalsOnly: false, disabledPasses });
    const relations = new Map(plan.relations);
    const split = [...plan.relations.values()].filter(one => isMixed(one) && one.predicate.rules.length === 0);
    const strata = plan.strata
        .map(stratum => withGivenApart(stratum, program, relations, edited))
        .flatMap(stratum => withRefused(stratum, program, relations, edited));
    return { ...plan, relations, strata: [...split.map(one => splitStratum(one, program, relations)), ...strata] };
}

/** Whether a predicate has facts in the program and rows from sources. */
function isMixed({ internal, predicate: { facts, inputBinds } }: PlanRelation): boolean {
    return !internal && facts.length > 0 && inputBinds.length > 0;
}

function splitStratum(relation: PlanRelation, program: AnalysedProgram, relations: Map<PredicateKey, PlanRelation>): PlanStratum {
    const rules = copies(relation, program, relations);
    return { relations: [relation.key], rules, recursive: false, growing: false, finalPass: 'none', execution: IN_ROUNDS };
}

function withGivenApart(
    stratum: PlanStratum,
    program: AnalysedProgram,
    relations: Map<PredicateKey, PlanRelation>,
    edited: ReadonlySet<PredicateKey>,
): PlanStratum {
    const filled = stratum.relations
        .map(key => relations.get(key)!)
        .filter(({ key, predicate, internal, groups }) => !internal && groups === undefined && (hasFacts(predicate) || edited.has(key)));
    const read = new Set(stratum.rules.flatMap(({ literals }) => literals.map(({ relation }) => relation)));
    const rules = filled
        .flatMap(relation => copies(relation, program, relations))
        .filter(({ literals: [only] }) => !read.has(only!.relation));
    if (rules.length === 0) return stratum;
    // A rule more is not among those that parts start from.
    const execution = isInParts(stratum.execution) ? IN_ROUNDS : stratum.execution;
    return { ...stratum, execution, rules: [...stratum.rules, ...rules] };
}

/** Rules that copy what is given of a predicate from a relation of its own, or where facts and sources give rows, from two. */
function copies(relation: PlanRelation, program: AnalysedProgram, relations: Map<PredicateKey, PlanRelation>): PlanRule[] {
    const { key } = relation;
    return [factsKey(key), ...(isMixed(relation) ? [sourcesKey(key)] : [])].map(from => {
        relations.set(from, { ...relation, key: from, internal: true });
        return copyOfRows(relation, from, program);
    });
}

/** Lets the rules of edited predicates fill a relation of its own, from which rows are taken that are not refused. */
function withRefused(
    stratum: PlanStratum,
    program: AnalysedProgram,
    relations: Map<PredicateKey, PlanRelation>,
    edited: ReadonlySet<PredicateKey>,
): PlanStratum[] {
    const keys = stratum.relations.filter(key => edited.has(key));
    if (keys.length === 0) return [stratum];
    const derived = new Map(keys.map(key => [key, derivedKey(key)]));
    const taking = keys.map(key => {
        const { groups: _, ...relation } = relations.get(key)!;
        relations.set(derived.get(key)!, { ...relations.get(key)!, key: derived.get(key)!, internal: true });
        relations.set(refusedKey(key), { ...relation, key: refusedKey(key), internal: true, columns: withoutCasts(relation) });
        relations.set(key, { ...relation, columns: withoutCasts(relation) });
        const rule = copyOfRows(relation, derived.get(key)!, program);
        const [literal] = rule.literals as [PlanLiteral];
        const refused = { ...literal, relation: refusedKey(key), negated: true, recursive: false };
        return { ...rule, literals: [{ ...literal, recursive: stratum.recursive }, refused] };
    });
    const rules = stratum.rules.map(rule => ({
        ...rule,
        outputs: rule.outputs.map(output => ({ ...output, relation: derived.get(output.relation) ?? output.relation })),
    }));
    const filled = stratum.relations.map(key => derived.get(key) ?? key);
    if (!stratum.recursive) {
        const plain = { recursive: false, growing: false, finalPass: 'none', execution: IN_ROUNDS } as const;
        return [
            { ...stratum, relations: filled, rules },
            { ...plain, relations: keys, rules: taking },
        ];
    }
    return [{ ...stratum, relations: [...filled, ...keys], rules: [...rules, ...taking], execution: IN_ROUNDS }];
}

function withoutCasts({ columns }: Pick<PlanRelation, 'columns'>): PlanRelation['columns'] {
    return columns.map(column => ({ ...column, cast: false }));
}

/** Why a program has to be run again after each change; undefined where its results can follow. */
export function whyNotHeld({ strata, relations, trees, constraints }: Plan): string | undefined {
    const call = [...relations.values()].find(one => one.call !== undefined && !isGraphCall(one.call))?.call;
    if (call !== undefined) return say`${call.function === 'provided' ? call.name : call.function} is asked`;
    if (strata.some(({ equalities }) => equalities !== undefined)) return say`Rules make values equal`;
    if (trees.size > 0) return say`Facts are compared up to their unknown values`;
    const rules = [...strata.flatMap(stratum => stratum.rules), ...constraints];
    const varying = rules.flatMap(({ assignments, filters }) =>
        [...assignments.map(({ value }) => value), ...filters].filter(differsPerMatch),
    );
    if (varying.some(one => hasPart(one, isByChance))) return say`A rule has values by chance`;
    if (varying.some(one => hasPart(one, ({ kind }) => kind === 'null'))) return say`A rule has another unknown value for each match`;
    return varying.length > 0 ? say`A rule reads the clock` : undefined;
}

function isByChance(expression: Expression): boolean {
    return expression.kind === 'call' && variesByMatch(expression);
}

function hasPart(expression: Expression, is: (part: Expression) => boolean): boolean {
    return is(expression) || partsOf(expression).some(part => hasPart(part, is));
}

export function upkeepOf(stratum: PlanStratum, { relations }: Plan): Upkeep {
    const { rules, recursive, execution, finalPass } = stratum;
    const filled = stratum.relations.map(key => relations.get(key)!);
    if (filled.some(({ call, columns }) => call !== undefined || columns.some(({ cast }) => cast))) return 'fresh';
    if (filled.some(({ groups }) => groups?.largestOnly)) return 'fresh';
    if (rules.some(({ parent, outputs }) => parent !== undefined || outputs.some(({ kind }) => kind === 'match'))) return 'fresh';
    if (!recursive) return 'flat';
    if (filled.every(({ groups }) => groups === undefined)) return 'derivations';
    return isInParts(execution) && finalPass !== 'needed' ? 'parts' : 'fresh';
}
