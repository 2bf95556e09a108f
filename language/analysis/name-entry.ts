import type { Atom, Clause, Fact, Rule } from '#language/program/program.ts';
import { trimmed } from '#language/program/trimmed.ts';
import type { ClauseState } from './clause-state.ts';
import { type NameDeclarations, UNDECLARED } from './declarations.ts';
import { factText, ruleText } from './duplicate-text.ts';
import { FactCensus } from './fact-census.ts';
import type { ComparePlaces } from './file-order.ts';
import { firstPlace } from './names.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { Definition, NameFacts, NameMeaning, RuleHead } from './program-facts.ts';
import { RepeatedClauses } from './repeated-clauses.ts';
import { type Steps, withEach } from './steps.ts';

/** The index entry of one name. */
export interface NameEntry {
    readonly name: string;
    definitions: ReadonlyMap<number, Definition>;
    /** The rules in whose bodies the name may be that of a predicate. */
    askers: Set<ClauseState>;
    /** How many atoms of bodies have the name, by their number of terms. */
    uses: Map<number, number>;
    nodes: Map<number, PredicateNode>;
    /** How many clauses with a syntax error mention the name. */
    broken: number;
    wholeReads: number;
    declared: NameDeclarations;
    introduced: boolean;
    /** The numbers of columns of the predicates of this name, ascending. */
    predicates: readonly number[];
    facts: NameFacts | undefined;
    meaning: NameMeaning | undefined;
}

export function nameEntry(name: string): NameEntry {
    return {
        name,
        definitions: NO_DEFINITIONS,
        askers: NO_ASKERS,
        uses: NO_USES,
        nodes: NO_NODES,
        broken: 0,
        wholeReads: 0,
        declared: UNDECLARED,
        introduced: false,
        predicates: NO_PREDICATES,
        facts: undefined,
        meaning: undefined,
    };
}

export function addAsker(entry: NameEntry, state: ClauseState): void {
    if (entry.askers === NO_ASKERS) entry.askers = new Set();
    entry.askers.add(state);
}

/** Counts atoms of bodies with so many terms; gives how many there are now. */
export function countUse(entry: NameEntry, terms: number, step: 1 | -1): number {
    const count = (entry.uses.get(terms) ?? 0) + step;
    if (entry.uses === NO_USES) entry.uses = new Map();
    if (count === 0) entry.uses.delete(terms);
    else entry.uses.set(terms, count);
    return count;
}

export function addNode(entry: NameEntry, node: PredicateNode): void {
    if (entry.nodes === NO_NODES) entry.nodes = new Map();
    entry.nodes.set(node.arity, node);
}

/** The facts and heads that a definition gains and loses. */
export interface ChangedDefinition {
    readonly facts: Fact[];
    readonly rules: RuleHead[];
    lostFacts: ReadonlySet<Fact>;
    lostRules: ReadonlySet<Rule>;
}

export function changedDefinition(): ChangedDefinition {
    return { facts: [], rules: [], lostFacts: NO_CLAUSES, lostRules: NO_CLAUSES };
}

/** Records the loss of a definition's clause. */
export function lose(change: ChangedDefinition, clause: Clause): void {
    if (clause.kind === 'fact') change.lostFacts = withOne(change.lostFacts, clause);
    if (clause.kind === 'rule') change.lostRules = withOne(change.lostRules, clause);
}

function withOne<C>(clauses: ReadonlySet<C>, clause: C): ReadonlySet<C> {
    return clauses === NO_CLAUSES ? new Set([clause]) : (clauses as Set<C>).add(clause);
}

const NO_CLAUSES: ReadonlySet<never> = new Set();

/** Shared empty collections: most names have entries in one or two of the three. */
const NO_ASKERS: Set<ClauseState> = new Set();
const NO_USES: Map<number, number> = new Map();
const NO_NODES: Map<number, PredicateNode> = new Map();
const NO_DEFINITIONS: ReadonlyMap<number, Definition> = new Map();
const NO_PREDICATES: readonly number[] = [];

/** No clause and no annotation mentions the name any more. */
export function isForgotten({ definitions, askers, broken, declared }: NameEntry): boolean {
    return definitions.size === 0 && askers.size === 0 && broken === 0 && declared === UNDECLARED;
}

/**
 * The numbers of columns of the predicates of a name: each that it is defined with, and each use that finds no definition.
 * Nothing for a name that only clauses with errors and calls of functions mention.
 */
export function predicatesOf({ definitions, uses, wholeReads, declared }: NameEntry, facts: NameFacts | undefined): readonly number[] {
    if (facts === undefined) return NO_PREDICATES;
    const { arities } = facts;
    if (arities.length > 0 && [...definitions.keys()].every(arity => arities.includes(arity))) return arities;
    const found = new Set([...arities, ...definitions.keys()]);
    if (arities.length === 0) {
        for (const terms of uses.keys()) found.add(terms);
        const named = definitions.size > 0 || declared !== UNDECLARED || wholeReads > 0;
        if (wholeReads > 0 || (named && uses.size === 0)) found.add(0);
    }
    return [...found].sort((a, b) => a - b);
}

/** The atoms that a clause defines. */
export function atomsOf(clause: Clause): readonly Atom[] {
    if (clause.kind === 'fact') return [clause.atom];
    return clause.kind === 'rule' && clause.head.kind === 'atoms' ? clause.head.atoms : NO_ATOMS;
}

const NO_ATOMS: readonly Atom[] = [];

/** The definitions after some clauses went and others came. */
export function* exchanged(
    definitions: ReadonlyMap<number, Definition>,
    changed: ReadonlyMap<number, ChangedDefinition>,
    compare: ComparePlaces,
): Steps<ReadonlyMap<number, Definition>> {
    const made = new Map(definitions);
    for (const [arity, change] of changed) {
        const before = definitions.get(arity) ?? newDefinition(arity, compare);
        yield* count(before, change);
        const { lostFacts, lostRules } = change;
        const facts = inTextOrder(
            without(before.facts, lostFacts, fact => fact),
            change.facts,
            compare,
        );
        const rules = inTextOrder(
            without(before.rules, lostRules, ({ rule }) => rule),
            change.rules,
            compare,
        );
        if (facts.length + rules.length === 0) made.delete(arity);
        else made.set(arity, { ...before, facts, rules });
    }
    return made.size < 2 ? made : new Map([...made].sort(([, a], [, b]) => byFirstPlace(a, b, compare)));
}

function newDefinition(arity: number, compare: ComparePlaces): Definition {
    return {
        arity,
        facts: NO_FACTS,
        rules: NO_RULES,
        census: new FactCensus(),
        repeatedFacts: new RepeatedClauses(factText, compare),
        repeatedRules: new RepeatedClauses(ruleText, compare),
    };
}

const NO_FACTS: Definition['facts'] = [];
const NO_RULES: Definition['rules'] = [];

function* count({ rules, census, repeatedFacts, repeatedRules }: Definition, change: ChangedDefinition): Steps<void> {
    yield* withEach(change.lostFacts, fact => {
        census.count(fact, -1);
        repeatedFacts.remove(fact);
    });
    yield* withEach(change.facts, fact => {
        census.count(fact, 1);
        repeatedFacts.add(fact);
    });
    for (const head of rules) if (change.lostRules.has(head.rule) && isFirst(head)) repeatedRules.remove(head.rule);
    for (const head of change.rules) if (isFirst(head)) repeatedRules.add(head.rule);
}

function isFirst({ rule, atom }: RuleHead): boolean {
    return rule.head.kind === 'atoms' && rule.head.atoms[0] === atom;
}

function without<T, C>(list: readonly T[], lost: ReadonlySet<C>, clauseOf: (one: T) => C): readonly T[] {
    return lost.size === 0 ? list : list.filter(one => !lost.has(clauseOf(one)));
}

function byFirstPlace(a: Definition, b: Definition, compare: ComparePlaces): number {
    const [first, second] = [firstPlace(a), firstPlace(b)];
    if (first === undefined || second === undefined) return 0;
    return compare(first.place, second.place) || first.span.start - second.span.start;
}

type Placed = Pick<RuleHead, 'place'>;

/** Two lists in the order of the program as one; of the same clause, the order stays. */
function inTextOrder<T extends Placed>(a: readonly T[], b: readonly T[], compare: ComparePlaces): readonly T[] {
    const [last] = a.slice(-1);
    const [first] = b;
    if (first === undefined) return a;
    if (last === undefined || compare(last.place, first.place) < 0) return a.length === 0 ? trimmed(b) : [...a, ...b];
    if (b.length > FEW) return [...a, ...b].sort((x, y) => compare(x.place, y.place));
    const pieces: T[][] = [];
    let from = 0;
    for (const one of b) {
        const until = firstBehind(a, from, one, compare);
        pieces.push(a.slice(from, until), [one]);
        from = until;
    }
    return ([] as T[]).concat(...pieces, a.slice(from));
}

/** So many are looked up one by one. */
const FEW = 100;

/** Index of the first item, at an index or after it, that stands behind another. */
function firstBehind<T extends Placed>(list: readonly T[], from: number, other: T, compare: ComparePlaces): number {
    let low = from;
    let high = list.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        const one = list[middle];
        if (one !== undefined && compare(one.place, other.place) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}
