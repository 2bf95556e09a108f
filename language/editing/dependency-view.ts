import { rangeOf, type TextRange } from '#language/document/open-document.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { AnalysedProgram, AnalysedRule, Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import type { Location } from '#language/program/span.ts';

/** The dependency graph of a program (4.9), for drawing. */
export interface DependencyView {
    /** By stratum, and within one in the order of evaluation. */
    readonly predicates: readonly DependencyNode[];
    /** In the order of the predicates that need something, then of those that are needed. */
    readonly edges: readonly Dependency[];
    /** How many predicates the program has; more than are listed where there was a limit. */
    readonly total: number;
}

export interface DependencyNode {
    readonly key: PredicateKey;
    readonly name: string;
    readonly arity: number;
    /** From 1: higher than that of every predicate whose rows have to be complete first. */
    readonly stratum: number;
    /** The predicate needs itself, directly or through others. */
    readonly recursive: boolean;
    readonly input: boolean;
    readonly output: boolean;
    readonly facts: number;
    readonly rules: number;
    /** The place of its first definition or declaration. */
    readonly place?: TextRange & { readonly file: string };
}

export interface Dependency {
    readonly predicate: PredicateKey;
    readonly needs: PredicateKey;
    readonly kind: DependencyKind;
    /** Both need each other. */
    readonly recursive: boolean;
    /** Recursion through this dependency has no meaning (RL2401, RL3010). */
    readonly forbidden: boolean;
}

/** `aggregated` covers every aggregate and what relation functions read. */
export type DependencyKind = 'positive' | 'negated' | 'aggregated';

/** A program that an edit leaves behind is another one, so that its graph need not be made twice. */
const WHOLE = new WeakMap<AnalysedProgram, DependencyView>();

/**
 * The dependency graph of a program. With a limit, the predicates that are nearest to the outputs are in it, so that a
 * drawing of a large program begins with what it is for.
 */
export function dependencyView(analysed: AnalysedProgram, limit = Number.POSITIVE_INFINITY): DependencyView {
    if (analysed.predicates.size > limit) return viewOf(analysed, limit);
    const whole = WHOLE.get(analysed) ?? viewOf(analysed, limit);
    WHOLE.set(analysed, whole);
    return whole;
}

function viewOf(analysed: AnalysedProgram, limit: number): DependencyView {
    const uses = analysed.rules.flatMap(rule => usesOf(rule));
    const components = new Map(
        analysed.strata.flatMap((stratum, number) => stratum.predicates.map(key => [key, { stratum, number }] as const)),
    );
    const strata = strataOf(analysed, uses);
    const shown = nearestToOutputs(analysed, uses, limit);
    const orderOf = (key: PredicateKey): number =>
        (strata.get(key) ?? 1) * (analysed.strata.length + 1) + (components.get(key)?.number ?? -1);
    const predicates = [...analysed.predicates.values()]
        .filter(({ key }) => shown.has(key))
        .map((predicate, at) => ({ predicate, at, order: orderOf(predicate.key) }))
        .sort((a, b) => a.order - b.order || a.at - b.at)
        .map(({ predicate }) =>
            nodeOf(predicate, analysed, strata.get(predicate.key) ?? 1, components.get(predicate.key)?.stratum.recursive ?? false),
        );
    const places = new Map(predicates.map(({ key }, i) => [key, i]));
    const placeOf = (key: PredicateKey): number => places.get(key) ?? 0;
    const edges = new Map<number, Dependency>();
    for (const { predicate, needs, kind, strict } of uses) {
        if (!shown.has(predicate) || !shown.has(needs)) continue;
        const component = components.get(predicate);
        const recursive = component?.stratum.recursive === true && component.number === components.get(needs)?.number;
        // Numbers in the order in which the edges are listed.
        const id = (placeOf(predicate) * places.size + placeOf(needs)) * KINDS.length + KINDS.indexOf(kind);
        const forbidden = (recursive && strict) || edges.get(id)?.forbidden === true;
        edges.set(id, { predicate, needs, kind, recursive, forbidden });
    }
    const sorted = [...edges].sort(([left], [right]) => left - right).map(([, edge]) => edge);
    return { predicates, edges: sorted, total: analysed.predicates.size };
}

const KINDS: readonly DependencyKind[] = ['positive', 'negated', 'aggregated'];

interface Use extends Pick<Dependency, 'predicate' | 'needs' | 'kind'> {
    /** The needed predicate has to be complete first. */
    readonly strict: boolean;
}

function usesOf({ heads, literals, assignments, reads }: AnalysedRule): Use[] {
    const aggregates = assignments.flatMap(assignment => assignment.aggregates);
    const strict = aggregates.some(({ name }) => AGGREGATES[name].direction === undefined);
    return heads.flatMap(({ predicate }) => [
        ...literals.map(({ predicate: needs, negated }): Use => {
            if (negated) return { predicate, needs, kind: 'negated', strict: true };
            return { predicate, needs, kind: aggregates.length > 0 ? 'aggregated' : 'positive', strict };
        }),
        ...reads.map(needs => ({ predicate, needs, kind: 'aggregated', strict: true }) as const),
    ]);
}

function byPredicate(uses: readonly Use[]): Map<PredicateKey, Use[]> {
    const found = new Map<PredicateKey, Use[]>();
    for (const use of uses) append(found, use.predicate, use);
    return found;
}

/** The smallest numbers that grow along what has to be complete first; within a component all predicates have the same. */
function strataOf(analysed: AnalysedProgram, uses: readonly Use[]): Map<PredicateKey, number> {
    const usesOfKey = byPredicate(uses);
    const strata = new Map<PredicateKey, number>();
    for (const { predicates } of analysed.strata) {
        const own = new Set(predicates);
        const below = predicates.flatMap(key => usesOfKey.get(key) ?? []).filter(({ needs }) => !own.has(needs));
        const stratum = below.reduce((most, { needs, strict }) => Math.max(most, (strata.get(needs) ?? 1) + Number(strict)), 1);
        for (const key of predicates) strata.set(key, stratum);
    }
    return strata;
}

/** Outputs first, then what they need, breadth first, then the rest in the order of the program. */
function nearestToOutputs(analysed: AnalysedProgram, uses: readonly Use[], limit: number): ReadonlySet<PredicateKey> {
    const known = [...analysed.predicates.keys()];
    if (known.length <= limit) return new Set(known);
    const needs = byPredicate(uses);
    const reached = new Set(analysed.outputs);
    for (const key of reached) for (const use of needs.get(key) ?? []) reached.add(use.needs);
    return new Set([...reached, ...known].filter(key => analysed.predicates.has(key)).slice(0, limit));
}

function nodeOf(predicate: Predicate, analysed: AnalysedProgram, stratum: number, recursive: boolean): DependencyNode {
    const { key, name, arity, facts, rules, input, output, inputBinds } = predicate;
    const place = firstPlace(predicate, analysed);
    return {
        key,
        name,
        arity,
        stratum,
        recursive,
        input: input || inputBinds.length > 0,
        output,
        facts: facts.length,
        rules: rules.length,
        ...(place === undefined ? {} : { place: { file: place.place.file, ...rangeOf(place) } }),
    };
}

function firstPlace(
    { key, facts, rules, inputBinds, outputBinds, model }: Predicate,
    { program, rules: all }: AnalysedProgram,
): Location | undefined {
    const places: Location[] = [];
    const [fact] = facts;
    const rule = rules.map(index => all[index]).find(found => found !== undefined);
    const head = rule?.heads.find(({ predicate }) => predicate === key);
    if (rule !== undefined && head !== undefined) places.push({ place: rule.rule.place, span: head.atom.nameSpan });
    if (fact !== undefined) places.push({ place: fact.place, span: fact.atom.nameSpan });
    if (places.length > 0) return inFileOf(program.file, places);
    for (const { place, annotation } of [...inputBinds, ...outputBinds, ...(model === undefined ? [] : [model])])
        places.push({ place, span: annotation.span });
    return inFileOf(program.file, places);
}

/** The first place in the program itself, else the first in a module. */
function inFileOf(file: string, places: readonly Location[]): Location | undefined {
    if (places.length < 2) return places[0];
    const own = places.filter(({ place }) => place.file === file);
    return (own.length > 0 ? own : [...places]).sort((a, b) => rangeOf(a).start - rangeOf(b).start)[0];
}
