import type { ChaseFacts, PredicateKey, RuleWardedness } from '#language/program/analysed-program.ts';
import type { Rule } from '#language/program/program.ts';
import type { RuleState } from './clause-state.ts';
import type { NameIndex } from './name-index.ts';
import { createsNulls, type NullFlow, nullFlow } from './null-flow.ts';
import type { RuleFacts } from './program-facts.ts';
import { type AffectedPositions, affectedPositions, type FlowingRule, HARMLESS, wardednessOf } from './wardedness.ts';
import { type NullCycle, positionGraph } from './weak-acyclicity.ts';

/** What is known of the nulls that the rules of a program create. */
export interface NullCreation {
    readonly affected: AffectedPositions;
    /** Rules that create nulls or that read a predicate which their values may come to, in text order. */
    readonly rules: readonly RuleFacts[];
    readonly wardedness: ReadonlyMap<RuleFacts, RuleWardedness>;
    readonly cycles: readonly NullCycle[];
    readonly warded: boolean;
    readonly harmfulJoinOverRecursiveNulls: boolean;
}

const NOTHING: NullCreation = {
    affected: new Map(),
    rules: [],
    wardedness: new Map(),
    cycles: [],
    warded: true,
    harmfulJoinOverRecursiveNulls: false,
};

/**
 * Follows the nulls that rules create through the program. Looks only at the rules that values of null-creating rules
 * come to, and only when one of these is another than before.
 */
export class ChaseAnalysis {
    readonly #names: NameIndex;
    readonly #creators = new Set<RuleState>();
    readonly #flows = new WeakMap<RuleFacts, NullFlow>();
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
        const flowing = rules.map((facts): FlowingRule => ({ facts, flow: this.#flow(facts) }));
        const affected = affectedPositions(flowing);
        const { cycles, isFed } = positionGraph(flowing);
        const wardedness = new Map<RuleFacts, RuleWardedness>();
        for (const rule of flowing) {
            const found = wardednessOf(rule, affected);
            if (found !== HARMLESS) wardedness.set(rule.facts, found);
        }
        this.#found = {
            affected,
            rules,
            wardedness,
            cycles,
            warded: [...wardedness.values()].every(({ warded }) => warded),
            harmfulJoinOverRecursiveNulls:
                cycles.length > 0 &&
                flowing.some(({ facts, flow }) =>
                    wardedness.get(facts)?.harmfulJoins.some(name => flow.places.get(name)?.some(isFed) ?? false),
                ),
        };
    }

    #flow(facts: RuleFacts): NullFlow {
        let flow = this.#flows.get(facts);
        if (flow === undefined) {
            flow = nullFlow(facts);
            this.#flows.set(facts, flow);
        }
        return flow;
    }

    #followRules(): Set<RuleFacts> {
        const rules = new Set<RuleFacts>();
        const reached = new Set<PredicateKey>();
        const agenda: PredicateKey[] = [];
        const add = ({ facts }: RuleState): void => {
            if (rules.has(facts)) return;
            rules.add(facts);
            for (const { predicate } of facts.resolved.heads) {
                if (reached.has(predicate)) continue;
                reached.add(predicate);
                agenda.push(predicate);
            }
        };
        for (const rule of this.#creators) add(rule);
        for (let key = agenda.pop(); key !== undefined; key = agenda.pop()) {
            for (const { rule } of this.#names.entry(key.slice(0, key.lastIndexOf('/')))?.askers ?? []) {
                const reads = rule?.facts.resolved.literals.some(({ predicate, negated }) => !negated && predicate === key);
                if (rule !== undefined && reads) add(rule);
            }
        }
        this.#reached = reached;
        return rules;
    }
}

/** The same for those who know the rules by their numbers. */
export function chaseFacts(found: NullCreation, rules: readonly RuleFacts[]): ChaseFacts {
    return {
        createsNulls: found.rules.length > 0,
        weaklyAcyclic: found.cycles.length === 0,
        warded: found.warded,
        affected: found.affected,
        rules: rules.map(facts => found.wardedness.get(facts) ?? HARMLESS),
        harmfulJoinOverRecursiveNulls: found.harmfulJoinOverRecursiveNulls,
    };
}
