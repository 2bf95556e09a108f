import type { Rule } from '#language/program/program.ts';
import type { ClauseState, RuleState } from './clause-state.ts';
import type { NameEntry } from './name-entry.ts';
import type { NameIndex } from './name-index.ts';
import { type PredicateNode, type RecursiveComponent, recursiveComponents, sameComponent } from './predicate-graph.ts';
import type { ReadItem, RuleFacts } from './program-facts.ts';
import { resolveRule } from './resolve-rule.ts';

/** What a change did to the graph of predicates. */
export interface GraphChange {
    /** Predicates of which a rule, a fact, or the component changed. */
    readonly predicates: ReadonlySet<PredicateNode>;
    /** All recursive components in the order of their first rules. */
    readonly components: readonly RecursiveComponent[];
    /** Those of them that are new or in which a rule changed. */
    readonly changed: ReadonlySet<RecursiveComponent>;
}

/** The rules of a program and the predicates that they connect, kept up to date from change to change. */
export class RuleGraph {
    readonly #names: NameIndex;
    readonly #rules = new Map<Rule, RuleState>();
    #components: readonly RecursiveComponent[] = [];

    constructor(names: NameIndex) {
        this.#names = names;
    }

    ruleState(rule: Rule): RuleState | undefined {
        return this.#rules.get(rule);
    }

    /** Resolves rules whose items were read anew, and others that mention names with a new meaning. */
    resolve(read: ReadonlyMap<ClauseState, readonly ReadItem[]>, others: ReadonlySet<ClauseState>): ResolvedRule[] {
        const { meaningOf, keyOf } = this.#names;
        const resolved: ResolvedRule[] = [];
        for (const state of new Set([...read.keys(), ...others])) {
            const { clause, rule: before } = state;
            if (clause.kind !== 'rule') continue;
            const facts = resolveRule(clause, read.get(state) ?? before?.facts.items ?? [], meaningOf, keyOf);
            const heads = this.#headNodes(facts);
            const needs = heads.length === 0 ? [] : this.#neededNodes(facts);
            const links = before === undefined ? undefined : linksOf(before);
            const rule: RuleState = before ?? { state, clause, facts, heads, needs };
            if (before === undefined) this.#rules.set(clause, rule);
            else Object.assign(rule, { facts, heads, needs });
            state.rule = rule;
            resolved.push({ state, rule, links });
        }
        return resolved;
    }

    #headNodes({ resolved }: RuleFacts): PredicateNode[] {
        const [first, ...others] = resolved.heads.map(({ atom }) => this.#names.node(atom.predicate, atom.arguments.length));
        if (first === undefined) return [];
        return others.length === 0 ? [first] : [...new Set([first, ...others])];
    }

    #neededNodes(facts: RuleFacts): PredicateNode[] {
        const { nodeOf } = this.#names;
        const { literals, relation } = facts.resolved;
        const needs = literals.map(({ predicate }) => nodeOf(predicate));
        return relation === undefined ? needs : [...needs, nodeOf(relation)];
    }

    /** Connects the predicates again after some rules went and others were resolved. */
    relink(
        removed: readonly ClauseState[],
        resolved: readonly ResolvedRule[],
        redefined: ReadonlyMap<NameEntry, Iterable<number>>,
    ): GraphChange {
        const predicates = new Set<PredicateNode>();
        const balance = new Map<string, number>();
        let recursive = this.#rules.size === resolved.length;
        const weigh = (links: string, step: number): Map<string, number> => balance.set(links, (balance.get(links) ?? 0) + step);
        for (const { rule } of removed) {
            if (rule === undefined) continue;
            if (this.#rules.get(rule.clause) === rule) this.#rules.delete(rule.clause);
            recursive ||= rule.heads.some(({ component }) => component !== undefined);
            if (!recursive) weigh(linksOf(rule), -1);
        }
        for (const { rule, links } of resolved) {
            for (const head of rule.heads) predicates.add(head);
            if (recursive) continue;
            recursive = links === undefined && rule.heads.some(({ component }) => component !== undefined);
            weigh(linksOf(rule), 1);
            if (links !== undefined) weigh(links, -1);
        }
        for (const [{ name, definitions, nodes }, arities] of redefined) {
            for (const arity of arities) {
                const rules = definitions.get(arity)?.rules ?? [];
                const node = rules.length > 0 ? this.#names.node(name, arity) : nodes.get(arity);
                if (node === undefined) continue;
                node.rules = [...new Set(rules.flatMap(({ rule }) => this.#rules.get(rule) ?? []))];
                predicates.add(node);
            }
        }
        if (recursive || [...balance.values()].some(count => count !== 0)) this.#components = this.#findComponents(predicates);
        const rules = new Set(resolved.map(({ rule }) => rule));
        const changed = new Set(this.#components.filter(component => component.rules.some(rule => rules.has(rule))));
        for (const component of changed) for (const node of component.members) predicates.add(node);
        return { predicates, components: this.#components, changed };
    }

    /** Finds the components anew; one that did not change stays the same object. */
    #findComponents(touched: Set<PredicateNode>): readonly RecursiveComponent[] {
        const nodes: PredicateNode[] = [];
        for (const entry of this.#names.entries) for (const node of entry.nodes.values()) if (node.rules.length > 0) nodes.push(node);
        const before = new Set(this.#components.flatMap(({ members }) => members));
        const found = recursiveComponents(nodes).map(component => {
            const known = component.members[0]?.component;
            return known !== undefined && sameComponent(known, component) ? known : component;
        });
        for (const component of found) {
            for (const node of component.members) {
                if (node.component !== component) touched.add(node);
                node.component = component;
                before.delete(node);
            }
        }
        for (const node of before) {
            node.component = undefined;
            touched.add(node);
        }
        return found;
    }
}

/** A rule that was resolved, with its links before that. */
export interface ResolvedRule {
    readonly state: ClauseState;
    readonly rule: RuleState;
    readonly links: string | undefined;
}

/** The edges that a rule adds to the graph. */
function linksOf({ heads, needs }: RuleState): string {
    return `${heads.map(({ key }) => key).join()} <- ${needs.map(({ key }) => key).join()}`;
}
