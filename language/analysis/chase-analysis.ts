import type { ChaseFacts, PredicateKey, RuleWardedness } from '#language/program/analysed-program.ts';
import type { Rule } from '#language/program/program.ts';
import { comparePlaces } from '#language/program/span.ts';
import type { RuleState } from './clause-state.ts';
import type { NameIndex } from './name-index.ts';
import { createsNulls, nullFlow } from './null-flow.ts';
import { PositionNumbers } from './positions.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { RuleFacts } from './program-facts.ts';
import { type AffectedPositions, affectedPositions, type FlowingRule, HARMLESS, wardednessOf } from './wardedness.ts';
import { type NullCycle, positionGraph } from './weak-acyclicity.ts';

/** Facts about the nulls that the rules of a program create. */
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

    /** Returns the facts after some rules went and others were resolved; the same object as before if nothing changed. */
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
        };
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

/** The predicates and all that they need, one after the other, for those who need not see them all. */
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
