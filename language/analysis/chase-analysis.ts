import type { ChaseFacts, Literal, PredicateKey, RuleWardedness } from '#language/program/analysed-program.ts';
import type { Rule } from '#language/program/program.ts';
import { comparePlaces } from '#language/program/span.ts';
import type { RuleState } from './clause-state.ts';
import { nameOf } from './forbidden-cycles.ts';
import type { NameIndex } from './name-index.ts';
import { createsNulls, nullFlow } from './null-flow.ts';
import { PositionNumbers } from './positions.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { RuleFacts } from './program-facts.ts';
import { type AffectedPositions, affectedPositions, type FlowingRule, HARMLESS, wardednessOf } from './wardedness.ts';
import { type NullCycle, type PositionGraph, positionGraph } from './weak-acyclicity.ts';

/** What is known of the nulls that the rules of a program create. */
export interface NullCreation {
    readonly positions: PositionNumbers;
    readonly affected: AffectedPositions;
    /** Rules that create nulls or that read a predicate which their values may come to, in text order. */
    readonly rules: readonly RuleFacts[];
    readonly wardedness: ReadonlyMap<RuleFacts, RuleWardedness>;
    readonly cycles: readonly NullCycle[];
    readonly warded: boolean;
    readonly harmfulJoinOverRecursiveNulls: boolean;
    /** Every rule with an equality head, in text order. */
    readonly equalities: readonly RuleFacts[];
    readonly replacements: readonly Replacement[];
}

/** An equality head that may replace nulls which a negated atom asks for. */
export interface Replacement {
    readonly equality: RuleFacts;
    /** The rule with the negated atom, and the atom. */
    readonly rule: RuleState;
    readonly literal: Literal;
}

const NOTHING: NullCreation = {
    positions: new PositionNumbers(),
    affected: new Uint8Array(),
    rules: [],
    wardedness: new Map(),
    cycles: [],
    warded: true,
    harmfulJoinOverRecursiveNulls: false,
    equalities: [],
    replacements: [],
};

const FEW_RULES = 100;

/**
 * Follows the nulls that rules create through the program. Looks only at the rules that values of null-creating rules
 * come to, and only when one of these is another than before.
 */
export class ChaseAnalysis {
    readonly #names: NameIndex;
    readonly #creators = new Set<RuleState>();
    readonly #equalities = new Set<RuleState>();
    #flows = new Map<RuleFacts, FlowingRule>();
    #positions = new PositionNumbers();
    /** The predicates that values of null-creating rules come to. */
    #reached: ReadonlySet<PredicateKey> = new Set();
    #followed: ReadonlySet<Rule> = new Set();
    #found: NullCreation = NOTHING;

    constructor(names: NameIndex) {
        this.#names = names;
    }

    /** What is known now, after some rules went and others were resolved; the same object as before if nothing changed. */
    update(gone: readonly RuleState[], resolved: readonly RuleState[]): NullCreation {
        let changed = false;
        for (const rule of gone) {
            this.#creators.delete(rule);
            changed = this.#equalities.delete(rule) || changed;
            changed ||= this.#followed.has(rule.clause) || this.#asks(rule.facts);
        }
        for (const rule of resolved) {
            const creates = createsNulls(rule.facts);
            if (creates) this.#creators.add(rule);
            else this.#creators.delete(rule);
            const equates = rule.clause.head.kind === 'equality';
            if (equates) this.#equalities.add(rule);
            changed ||= creates || equates || this.#followed.has(rule.clause) || this.#asks(rule.facts);
        }
        if (changed) this.#find();
        return this.#found;
    }

    /** A rule that asked before it was resolved anew, and does not any more, was followed or asks for the same names. */
    #asks({ resolved }: RuleFacts): boolean {
        return this.#reached.size > 0 && resolved.literals.some(({ predicate }) => this.#reached.has(predicate));
    }

    #find(): void {
        const followed = this.#followRules();
        const rules = inTextOrder([...followed].map(({ facts }) => facts));
        const equalities = inTextOrder([...this.#equalities].map(({ facts }) => facts));
        this.#followed = new Set(rules.map(({ rule }) => rule));
        if (rules.length === 0) {
            this.#found = { ...NOTHING, equalities };
            return;
        }
        const flowing = this.#flowing(rules);
        const affected = affectedPositions(flowing, this.#positions.size);
        const graph = positionGraph(flowing, this.#positions);
        const wardedness = new Map<RuleFacts, RuleWardedness>();
        for (const rule of flowing) {
            const found = wardednessOf(rule, affected);
            if (found !== HARMLESS) wardedness.set(rule.facts, found);
        }
        this.#found = {
            positions: this.#positions,
            affected,
            rules,
            wardedness,
            cycles: graph.cycles,
            warded: [...wardedness.values()].every(({ warded }) => warded),
            harmfulJoinOverRecursiveNulls:
                graph.cycles.length > 0 &&
                flowing.some(({ facts, flow }) =>
                    wardedness
                        .get(facts)
                        ?.harmfulJoins.some(name => flow.places.get(name)?.some(({ position }) => graph.isFed(position)) ?? false),
                ),
            equalities,
            replacements: this.#replacements(
                flowing.filter(({ facts }) => wardedness.get(facts)?.equatesNulls),
                followed,
                affected,
                graph,
            ),
        };
    }

    /** Negated atoms that ask for nulls of the same creation as an equality replaces. */
    #replacements(
        equalities: readonly FlowingRule[],
        followed: ReadonlySet<RuleState>,
        affected: AffectedPositions,
        graph: PositionGraph,
    ): Replacement[] {
        if (equalities.length === 0) return [];
        const negations = [...new Set([...followed, ...this.#deniers()])].flatMap(rule =>
            rule.facts.resolved.literals.flatMap(literal => {
                const positions = literal.negated ? this.#nullsAsked(literal, rule.facts, affected) : [];
                return positions.length === 0 ? [] : [{ rule, literal, creations: graph.creationsBehind(positions) }];
            }),
        );
        return equalities.flatMap(({ facts, flow }) => {
            const places = variablesOfHead(facts).flatMap(name => flow.places.get(flow.copies.get(name) ?? name) ?? []);
            const creations = graph.creationsBehind(places.map(({ position }) => position));
            const touched = negations.filter(negation => [...negation.creations].some(creation => creations.has(creation)));
            return touched.map(({ rule, literal }) => ({ equality: facts, rule, literal }));
        });
    }

    /** The rules that negate a predicate which values of null-creating rules come to. */
    *#deniers(): Iterable<RuleState> {
        for (const key of this.#reached) {
            for (const { rule } of this.#names.entry(nameOf(key))?.askers ?? []) {
                if (rule?.facts.resolved.literals.some(({ predicate, negated }) => negated && predicate === key)) yield rule;
            }
        }
    }

    /** The affected positions of a negated atom, and those from which the rule takes the nulls that it asks for. */
    #nullsAsked({ atom, predicate }: Literal, { resolved }: RuleFacts, affected: AffectedPositions): number[] {
        const known = (key: PredicateKey, column: number): number => this.#positions.known(key, column) ?? -1;
        return atom.arguments.flatMap((term, column) => {
            if (term.kind !== 'variable') return [];
            const places = resolved.literals.flatMap(literal =>
                literal.negated
                    ? []
                    : literal.atom.arguments.flatMap((other, i) =>
                          other.kind === 'variable' && other.name === term.name ? [known(literal.predicate, i)] : [],
                      ),
            );
            const own = known(predicate, column);
            return [...(affected[own] === 1 ? [own] : []), ...(places.every(place => affected[place] === 1) ? places : [])];
        });
    }

    /** The rules with what is known of each alone, which is kept from change to change; old numbers are given up at times. */
    #flowing(rules: readonly RuleFacts[]): FlowingRule[] {
        if (this.#flows.size > 2 * rules.length + FEW_RULES) {
            this.#flows = new Map();
            this.#positions = new PositionNumbers();
        }
        return rules.map(facts => {
            let rule = this.#flows.get(facts);
            if (rule === undefined) {
                rule = { facts, flow: nullFlow(facts, this.#positions) };
                this.#flows.set(facts, rule);
            }
            return rule;
        });
    }

    #followRules(): Set<RuleState> {
        const rules = new Set<RuleState>();
        const reached = new Set<PredicateKey>();
        const agenda: PredicateNode[] = [];
        const add = (rule: RuleState): void => {
            if (rules.has(rule)) return;
            rules.add(rule);
            for (const head of rule.heads) {
                if (reached.has(head.key)) continue;
                reached.add(head.key);
                agenda.push(head);
            }
        };
        for (const rule of this.#creators) add(rule);
        for (let node = agenda.pop(); node !== undefined; node = agenda.pop()) {
            for (const { rule } of this.#names.entry(node.name)?.askers ?? []) if (rule !== undefined && reads(rule, node.key)) add(rule);
        }
        this.#reached = reached;
        return rules;
    }
}

function reads({ facts }: RuleState, key: PredicateKey): boolean {
    return facts.resolved.literals.some(({ predicate, negated }) => !negated && predicate === key);
}

/**
 * The replacements whose negated atom stands in a rule that derives something which the body of the equality needs: it is
 * evaluated before the equality or together with it.
 */
export function lateReplacements(replacements: readonly Replacement[], nodeOf: (key: PredicateKey) => PredicateNode): Replacement[] {
    const needs = new Map<RuleFacts, ReadonlySet<PredicateNode>>();
    return replacements.filter(({ equality, rule }) => {
        let needed = needs.get(equality);
        if (needed === undefined) {
            needed = neededFor(equality.resolved.literals.map(({ predicate }) => nodeOf(predicate)));
            needs.set(equality, needed);
        }
        return rule.heads.some(head => needed.has(head));
    });
}

/** The predicates and all that they need. */
function neededFor(predicates: readonly PredicateNode[]): Set<PredicateNode> {
    return new Set(neededInTurn(predicates));
}

/** The same, one after the other, for those who need not see them all. */
export function* neededInTurn(predicates: readonly PredicateNode[]): Iterable<PredicateNode> {
    const needed = new Set<PredicateNode>();
    const agenda = [...predicates];
    for (let node = agenda.pop(); node !== undefined; node = agenda.pop()) {
        if (needed.has(node)) continue;
        needed.add(node);
        yield node;
        for (const { needs } of node.rules) for (const need of needs) agenda.push(need);
    }
}

function variablesOfHead({ rule: { head } }: RuleFacts): string[] {
    if (head.kind !== 'equality') return [];
    return [head.left.name, ...(head.right.kind === 'variable' ? [head.right.name] : [])];
}

function inTextOrder(rules: Iterable<RuleFacts>): RuleFacts[] {
    return [...rules].sort((a, b) => comparePlaces(a.place, b.place));
}

/** The same for those who know the rules by their numbers. */
export function chaseFacts(found: NullCreation, rules: readonly RuleFacts[]): ChaseFacts {
    return {
        createsNulls: found.rules.length > 0,
        weaklyAcyclic: found.cycles.length === 0,
        warded: found.warded,
        affected: columnsByPredicate(found),
        rules: rules.map(facts => found.wardedness.get(facts) ?? HARMLESS),
        harmfulJoinOverRecursiveNulls: found.harmfulJoinOverRecursiveNulls,
    };
}

/** In the order of the rules. */
function columnsByPredicate({ rules, positions, affected }: NullCreation): Map<PredicateKey, Set<number>> {
    const columns = new Map<PredicateKey, Set<number>>();
    for (const { resolved } of rules) {
        for (const { atom, predicate } of resolved.heads) {
            if (columns.has(predicate)) continue;
            const found = atom.arguments.flatMap((_, column) => (affected[positions.number(predicate, column)] === 1 ? [column] : []));
            if (found.length > 0) columns.set(predicate, new Set(found));
        }
    }
    return columns;
}
