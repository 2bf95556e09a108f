import type { ChaseFacts, PredicateKey, RuleWardedness } from '#language/program/analysed-program.ts';
import type { Rule } from '#language/program/program.ts';
import type { RuleState } from './clause-state.ts';
import type { NameIndex } from './name-index.ts';
import { createsNulls, nullFlow } from './null-flow.ts';
import { PositionNumbers } from './positions.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { RuleFacts } from './program-facts.ts';
import { type AffectedPositions, affectedPositions, type FlowingRule, HARMLESS, wardednessOf } from './wardedness.ts';
import { type NullCycle, positionGraph } from './weak-acyclicity.ts';

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
}

const NOTHING: NullCreation = {
    positions: new PositionNumbers(),
    affected: new Uint8Array(),
    rules: [],
    wardedness: new Map(),
    cycles: [],
    warded: true,
    harmfulJoinOverRecursiveNulls: false,
};

const FEW_RULES = 100;

/**
 * Follows the nulls that rules create through the program. Looks only at the rules that values of null-creating rules
 * come to, and only when one of these is another than before.
 */
export class ChaseAnalysis {
    readonly #names: NameIndex;
    readonly #creators = new Set<RuleState>();
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
            changed ||= this.#followed.has(rule.clause);
        }
        for (const rule of resolved) {
            const creates = createsNulls(rule.facts);
            if (creates) this.#creators.add(rule);
            else this.#creators.delete(rule);
            changed ||= creates || this.#followed.has(rule.clause) || this.#reads(rule.facts);
        }
        if (changed) this.#find();
        return this.#found;
    }

    #reads({ resolved }: RuleFacts): boolean {
        return this.#reached.size > 0 && resolved.literals.some(({ predicate, negated }) => !negated && this.#reached.has(predicate));
    }

    #find(): void {
        const rules = [...this.#followRules()].sort((a, b) => a.place.offset - b.place.offset);
        this.#followed = new Set(rules.map(({ rule }) => rule));
        if (rules.length === 0) {
            this.#found = NOTHING;
            return;
        }
        const flowing = this.#flowing(rules);
        const affected = affectedPositions(flowing, this.#positions.size);
        const { cycles, isFed } = positionGraph(flowing, this.#positions);
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
            cycles,
            warded: [...wardedness.values()].every(({ warded }) => warded),
            harmfulJoinOverRecursiveNulls:
                cycles.length > 0 &&
                flowing.some(({ facts, flow }) =>
                    wardedness
                        .get(facts)
                        ?.harmfulJoins.some(name => flow.places.get(name)?.some(({ position }) => isFed(position)) ?? false),
                ),
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

    #followRules(): Set<RuleFacts> {
        const rules = new Set<RuleFacts>();
        const reached = new Set<PredicateKey>();
        const agenda: PredicateNode[] = [];
        const add = ({ facts, heads }: RuleState): void => {
            if (rules.has(facts)) return;
            rules.add(facts);
            for (const head of heads) {
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
