import type { PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import { MIXED } from '#language/program/types.ts';
import { IN_ROUNDS, type PlanLiteral, type PlanRelation, type PlanRule, type PlanStratum } from '../plan.ts';
import type { ProgramPass } from '../program-pass.ts';
import { renamed } from '../rule-parts.ts';
import { waitsForMatch } from '../waits-for-match.ts';
import { bodySignature, equalBodies, type Names } from './equal-bodies.ts';
import { differsPerMatch, outputVariables } from './first-match.ts';
import { uniteStrata } from './unite-strata.ts';
import { variablesIn } from './value-flow.ts';

/** Bodies are compared literal by literal in any order, of which long ones have too many. */
const MOST_LITERALS = 6;

/** A rule that reads a join, with the names that the first rule with this join has for its variables. */
interface Reader {
    readonly rule: PlanRule;
    readonly names: Names;
    readonly conditions: readonly Condition[];
    /** Equal for rules that may share the join: what restricts it, and what is read of it. */
    readonly use: string;
}

/** The rules with one body, by their uses; the names are those of the first rule. */
interface Body {
    readonly first: PlanRule;
    readonly joins: Map<string, Reader[]>;
}

/** A filter or a negated literal of a rule. */
interface Condition {
    readonly part: Expression | PlanLiteral;
    /** Its text with the names of the first rule. */
    readonly text: string;
    readonly variables: readonly string[];
    /** It needs nothing but the positive literals, and cannot end the run. */
    readonly movable: boolean;
    /** It can be decided before all positive literals are joined, and leaves fewer rows to join. */
    readonly early: boolean;
}

/**
 * Evaluates a join once that is the whole positive body of several rules, up to the names of variables: its rows become a
 * relation of their own, in a stratum before the first of these rules. Rules that join further literals are left alone,
 * since these may restrict the join; so are rules that differ in a condition which does so, or that read other variables. Two
 * rules share a join of two literals only where a condition or a variable stays behind: rows that are all kept are found as
 * fast as they are read.
 */
export const sharedPrefixes: ProgramPass<'shared-prefixes'> = {
    name: 'shared-prefixes',
    needs: ({ isPlain }) => isPlain,
    run: ({ strata, relations, trees }) => ({ strata: uniteStrata(sharePrefixes(strata, relations, trees), relations) }),
};

function sharePrefixes(
    strata: readonly PlanStratum[],
    relations: Map<PredicateKey, PlanRelation>,
    trees: ReadonlySet<PredicateKey>,
): readonly PlanStratum[] {
    const bodies = new Map<string, Body[]>();
    for (const stratum of strata) {
        if (stratum.recursive) continue;
        for (const rule of stratum.rules) if (mayShare(rule, trees)) addReader(bodies, rule);
    }
    const helpers = new Map<PlanRule, PlanRule>();
    const readers = new Map<PlanRule, PlanRule>();
    for (const { joins } of [...bodies.values()].flat()) for (const join of joins.values()) shareJoin(join, helpers, readers, relations);
    if (helpers.size === 0) return strata;
    return strata.flatMap(stratum => {
        const rules = stratum.rules.flatMap(rule => helpers.get(rule) ?? []);
        const own = rules.map(({ outputs }) => outputs[0]!.relation);
        const helper: PlanStratum = { relations: own, rules, recursive: false, growing: false, finalPass: 'none', execution: IN_ROUNDS };
        const reading = { ...stratum, rules: stratum.rules.map(rule => readers.get(rule) ?? rule) };
        return rules.length === 0 ? [reading] : [helper, reading];
    });
}

/** Whether a rule adds the same rows for the same values of its variables, and keeps no parent of what it derives. */
function mayShare(rule: PlanRule, trees: ReadonlySet<PredicateKey>): boolean {
    if (rule.source === undefined || rule.parent !== undefined || rule.constantsOnly.length + rule.inventions.length > 0) return false;
    if (!rule.outputs.every(({ kind, relation }) => kind === 'emit' && !trees.has(relation))) return false;
    const values = [...rule.constants, ...rule.assignments].map(({ value }) => value);
    const size = positives(rule).length;
    return size > 1 && size <= MOST_LITERALS && ![...values, ...rule.filters].some(differsPerMatch);
}

/** Puts a rule with those that use the same join in the same way. */
function addReader(bodies: Map<string, Body[]>, rule: PlanRule): void {
    const signature = bodySignature(rule);
    const known = bodies.get(signature) ?? [];
    bodies.set(signature, known);
    for (const { first, joins } of known) {
        const names = equalBodies(rule, first);
        if (names === undefined) continue;
        const reader = readerOf(rule, names);
        const join = joins.get(reader.use);
        if (join === undefined) joins.set(reader.use, [reader]);
        else join.push(reader);
        return;
    }
    const reader = readerOf(rule, new Map([...bodyVariables(rule)].map(name => [name, name])));
    known.push({ first: rule, joins: new Map([[reader.use, [reader]]]) });
}

function readerOf(rule: PlanRule, names: Names): Reader {
    const body = [...bodyVariables(rule)];
    const conditions = conditionsOf(rule, names);
    const needed = neededOf(
        rule,
        conditions.filter(({ early }) => !early),
    );
    const restricts = conditions.filter(({ early }) => early).map(({ text }) => text);
    const reads = body.filter(name => needed.has(name)).map(name => names.get(name)!);
    return { rule, names, conditions, use: JSON.stringify([restricts.sort(), reads.sort()]) };
}

function shareJoin(
    join: readonly Reader[],
    helpers: Map<PlanRule, PlanRule>,
    readers: Map<PlanRule, PlanRule>,
    relations: Map<PredicateKey, PlanRelation>,
): void {
    const first = join[0]!;
    const { rule } = first;
    const isCommon = ({ text }: Condition): boolean => join.every(({ conditions }) => conditions.some(one => one.text === text));
    const moved = first.conditions.filter(condition => condition.movable && isCommon(condition));
    const isMoved = ({ text }: Condition): boolean => moved.some(one => one.text === text);
    const left = (reader: Reader): Condition[] => reader.conditions.filter(condition => !isMoved(condition));
    if (join.some(reader => left(reader).some(({ early }) => early))) return;
    const needed = new Set(join.flatMap(reader => [...neededOf(reader.rule, left(reader))].flatMap(name => reader.names.get(name) ?? [])));
    const body = [...bodyVariables(rule)];
    const terms = body.filter(name => needed.has(first.names.get(name)!));
    const literals = positives(rule);
    const isSmaller = moved.length > 0 || terms.length < body.length;
    if (join.length < 2 || terms.length === 0 || (join.length === 2 && literals.length === 2 && !isSmaller)) return;
    const { predicate } = relations.get(rule.outputs[0]!.relation)!;
    const key = `join ${relations.size} of ${predicate.key}` as PredicateKey;
    const columns = terms.map((name, column) => ({ name: `c_${column}`, type: rule.types.get(name) ?? MIXED, cast: false }));
    relations.set(key, { key, arity: terms.length, columns, predicate, internal: true, level: 'helpers' });
    helpers.set(rule, {
        ...rule,
        literals: [...literals, ...literalsOf(moved)],
        filters: filtersOf(moved),
        assignments: [],
        outputs: [{ kind: 'emit', relation: key, terms }],
    });
    for (const reader of join) {
        const own = new Map([...reader.names].map(([from, to]) => [to, from]));
        const literal: PlanLiteral = {
            relation: key,
            negated: false,
            recursive: false,
            terms: terms.map(name => ({ kind: 'variable', name: own.get(first.names.get(name)!)! })),
        };
        const rest = left(reader);
        readers.set(reader.rule, { ...reader.rule, literals: [literal, ...literalsOf(rest)], filters: filtersOf(rest) });
    }
}

function conditionsOf(rule: PlanRule, names: Names): Condition[] {
    const body = bodyVariables(rule);
    const constants = new Map(rule.constants.map(({ variable, value }) => [variable, printExpression(value)]));
    const condition = (part: Expression | PlanLiteral, text: string, variables: readonly string[], waits: boolean): Condition => {
        const open = variables.filter(name => !constants.has(name));
        const movable = !waits && open.every(name => body.has(name));
        return { part, text, variables, movable, early: !waits && restricts(open, rule) };
    };
    // No variable of the first rule has a name with a blank: what only this rule has is not taken for one of them.
    const nameOf = (name: string): string => names.get(name) ?? constants.get(name) ?? `own ${name}`;
    const filters = rule.filters.map(filter =>
        condition(filter, printExpression(renamed(filter, nameOf)), variablesOf(filter), waitsForMatch(filter)),
    );
    const negated = rule.literals.filter(literal => literal.negated);
    const absences = negated.map(literal => {
        const terms = literal.terms.map(term => (term.kind === 'variable' ? nameOf(term.name) : '_'));
        return condition(literal, JSON.stringify([literal.relation, ...terms]), variablesIn(literal), false);
    });
    return [...filters, ...absences];
}

/** Whether a condition can be decided by literals that are connected without the help of some other literal. */
function restricts(variables: readonly string[], rule: PlanRule): boolean {
    const assigned = new Set(rule.assignments.map(({ variable }) => variable));
    if (variables.some(name => assigned.has(name))) return true;
    const body = bodyVariables(rule);
    const bound = variables.filter(name => body.has(name));
    const literals = positives(rule);
    return literals.some(literal => components(literals.filter(one => one !== literal)).some(part => bound.every(name => part.has(name))));
}

/** The variables of literals, apart where the literals have nothing to do with each other. */
function components(literals: readonly PlanLiteral[]): ReadonlySet<string>[] {
    let parts: ReadonlySet<string>[] = [];
    for (const literal of literals) {
        const names = new Set(variablesIn(literal));
        const connected = parts.filter(part => [...part].some(name => names.has(name)));
        parts = [...parts.filter(part => !connected.includes(part)), new Set([...names, ...connected.flatMap(part => [...part])])];
    }
    return parts;
}

/** The variables that a rule uses apart from its positive literals, with these conditions. */
function neededOf(rule: PlanRule, conditions: readonly Condition[]): ReadonlySet<string> {
    return new Set([
        ...conditions.flatMap(({ variables }) => variables),
        ...rule.assignments.flatMap(({ value }) => variablesOf(value)),
        ...rule.outputs.flatMap(outputVariables),
    ]);
}

function positives(rule: PlanRule): PlanLiteral[] {
    return rule.literals.filter(literal => !literal.negated);
}

function bodyVariables(rule: PlanRule): ReadonlySet<string> {
    const constants = new Set(rule.constants.map(({ variable }) => variable));
    return new Set(
        positives(rule)
            .flatMap(variablesIn)
            .filter(name => !constants.has(name)),
    );
}

function literalsOf(conditions: readonly Condition[]): PlanLiteral[] {
    return conditions.flatMap(({ part }) => ('relation' in part ? [part] : []));
}

function filtersOf(conditions: readonly Condition[]): Expression[] {
    return conditions.flatMap(({ part }) => ('relation' in part ? [] : [part]));
}
