import type { Rule } from '#language/program/program.ts';
import type { ClauseState, RuleState } from './clause-state.ts';
import type { NameEntry } from './name-entry.ts';
import type { NameIndex } from './name-index.ts';
import { type PredicateNode, type RecursiveComponent, recursiveComponent, recursiveComponents, sameComponent } from './predicate-graph.ts';
import type { QueryFacts, ReadItem, RuleFacts } from './program-facts.ts';
import { type QueryOf, queryFacts } from './queries.ts';
import { resolveRule } from './resolve-rule.ts';
import { type Steps, withEach } from './steps.ts';

/** The effect of a change on the graph of predicates. */
export interface GraphChange {
    /** Predicates of which a rule, a fact, or the component changed. */
    readonly predicates: ReadonlySet<PredicateNode>;
    /** All recursive components in the order of their first rules. */
    readonly components: readonly RecursiveComponent[];
    /** The new components, and the ones in which a rule changed. */
    readonly changed: ReadonlySet<RecursiveComponent>;
    /** The rules that came mention other predicates, or in another order, than those that went. */
    readonly relinked: boolean;
}

/** The rules of a program and the predicates that they connect, kept up to date from change to change. */
export class RuleGraph {
    readonly #names: NameIndex;
    readonly #queryOf: QueryOf;
    /** Rules with queries whose tables may mean something else where any name does. */
    readonly unsettled = new Set<ClauseState>();
    readonly #rules = new Map<Rule, RuleState>();
    #components: readonly RecursiveComponent[] = [];
    #highest = 0;

    constructor(names: NameIndex, queryOf: QueryOf) {
        this.#names = names;
        this.#queryOf = queryOf;
    }

    /** The query of a rule over the tables that the program has now. */
    queryFacts(rule: Rule): QueryFacts | undefined {
        const { meaningOf, keyOf, meantTable } = this.#names;
        return queryFacts(rule, this.#queryOf, meantTable, meaningOf, keyOf);
    }

    ruleState(rule: Rule): RuleState | undefined {
        return this.#rules.get(rule);
    }

    /** Forgets rules that went, before others are resolved. */
    remove(states: readonly ClauseState[]): void {
        for (const state of states) {
            const { rule } = state;
            this.unsettled.delete(state);
            if (rule !== undefined && this.#rules.get(rule.clause) === rule) this.#rules.delete(rule.clause);
        }
    }

    /** Resolves rules whose items were read anew, and others that mention names with a new meaning. */
    *resolve(read: ReadonlyMap<ClauseState, readonly ReadItem[]>, others: ReadonlySet<ClauseState>): Steps<ResolvedRule[]> {
        const { meaningOf, keyOf } = this.#names;
        const resolved: ResolvedRule[] = [];
        yield* withEach(new Set([...read.keys(), ...others]), state => {
            const { clause, rule: before } = state;
            if (clause.kind !== 'rule') return;
            const facts = resolveRule(clause, read.get(state) ?? before?.facts.items ?? [], meaningOf, keyOf, this.queryFacts(clause));
            const heads = this.#headNodes(facts);
            const needs = this.#neededNodes(facts);
            const links = before === undefined ? undefined : { facts: before.facts, heads: before.heads, needs: before.needs };
            const rule: RuleState = before ?? { state, clause, facts, heads, needs, previous: undefined, index: -1, analysed: undefined };
            if (before === undefined) this.#rules.set(clause, rule);
            else Object.assign(rule, { facts, heads, needs, analysed: undefined });
            state.rule = rule;
            const isUnsettled =
                facts.query?.tables.some(table => !table.isKnown || this.#names.meaningOf(table.name) === undefined) === true;
            if (isUnsettled) this.unsettled.add(state);
            else this.unsettled.delete(state);
            resolved.push({ state, rule, before: links });
        });
        return resolved;
    }

    #headNodes({ resolved }: RuleFacts): PredicateNode[] {
        const [first, ...others] = resolved.heads.map(({ atom }) => this.#names.node(atom.predicate, atom.arguments.length));
        if (first === undefined) return [];
        return others.length === 0 ? [first] : [...new Set([first, ...others])];
    }

    #neededNodes(facts: RuleFacts): PredicateNode[] {
        const { nodeOf } = this.#names;
        const { literals, reads } = facts.resolved;
        const needs = literals.map(({ predicate }) => nodeOf(predicate));
        return reads.length === 0 ? needs : [...needs, ...reads.map(nodeOf)];
    }

    /** Connects the predicates again after some rules went and others were resolved. */
    *relink(
        removed: readonly ClauseState[],
        resolved: readonly ResolvedRule[],
        redefined: ReadonlyMap<NameEntry, Iterable<number>>,
    ): Steps<GraphChange> {
        const gone = removed.flatMap(({ rule }) => rule ?? []);
        const predicates = this.#redefine(redefined);
        yield;
        for (const { rule } of resolved) for (const head of rule.heads) predicates.add(head);
        const lost: Links[] = [...gone, ...resolved.flatMap(rule => rule.before ?? [])];
        const gained = resolved.map(({ rule }) => rule);
        const isReshaped = this.#isReshaped(lost, gained);
        yield;
        this.#components = isReshaped ? this.#findComponents(predicates) : this.#refreshed(gone, gained);
        yield;
        const rules = new Set(gained);
        const changed = new Set(this.#components.filter(component => component.rules.some(rule => rules.has(rule))));
        const relinked = lost.length !== gained.length || mentionsOf(lost) !== mentionsOf(gained);
        return { predicates, components: this.#components, changed, relinked };
    }

    /** Gives the predicates with other facts or rules, after telling them their rules. */
    #redefine(redefined: ReadonlyMap<NameEntry, Iterable<number>>): Set<PredicateNode> {
        const predicates = new Set<PredicateNode>();
        for (const [{ name, definitions, nodes }, arities] of redefined) {
            for (const arity of arities) {
                const rules = definitions.get(arity)?.rules ?? [];
                const node = rules.length > 0 ? this.#names.node(name, arity) : nodes.get(arity);
                if (node === undefined) continue;
                node.rules = [...new Set(rules.flatMap(({ rule }) => this.#rules.get(rule) ?? []))];
                predicates.add(node);
            }
        }
        return predicates;
    }

    /** Whether components may have come, gone, grown or shrunk. */
    #isReshaped(lost: readonly Links[], gained: readonly Links[]): boolean {
        if (lost.length === 0) return gained.some(links => !this.#keepsOrder(links));
        const balance = new Map<string, number>();
        for (const links of gained) balance.set(nameOf(links), (balance.get(nameOf(links)) ?? 0) + 1);
        for (const links of lost) balance.set(nameOf(links), (balance.get(nameOf(links)) ?? 0) - 1);
        const differs = (links: Links): boolean => balance.get(nameOf(links)) !== 0;
        return (
            lost.some(links => links.heads.some(({ component }) => component !== undefined) && differs(links)) ||
            gained.some(links => differs(links) && !this.#keepsOrder(links))
        );
    }

    /** Whether what a rule needs comes before its heads, in the order in which they were found last: then it closes no circle. */
    #keepsOrder({ heads, needs }: Links): boolean {
        return heads.every(head => {
            const { order, component } = head;
            if (order === undefined) {
                if ((this.#names.entry(head.name)?.askers.size ?? 0) > 0) return false;
                head.order = ++this.#highest;
                return true;
            }
            return needs.every(need => {
                if (need.order === undefined || need.order < order) return true;
                return component !== undefined && need.component === component;
            });
        });
    }

    /** The components with the rules that they have now, when their members stay. */
    #refreshed(gone: readonly RuleState[], gained: readonly RuleState[]): readonly RecursiveComponent[] {
        const touched = new Set([...gone, ...gained].flatMap(({ heads }) => heads.flatMap(({ component }) => component ?? [])));
        if (touched.size === 0) return this.#components;
        const old = new Set(gone);
        return this.#components.map(component => {
            if (!touched.has(component)) return component;
            const fresh = gained.filter(({ heads }) => heads.some(head => head.component === component));
            const rules = new Set([...component.rules.filter(rule => !old.has(rule)), ...fresh]);
            const now = recursiveComponent(component.members, rules);
            if (sameComponent(component, now)) return component;
            for (const node of now.members) node.component = now;
            return now;
        });
    }

    /** Finds the components anew; one that did not change stays the same object. */
    #findComponents(touched: Set<PredicateNode>): readonly RecursiveComponent[] {
        const nodes: PredicateNode[] = [];
        for (const entry of this.#names.entries) for (const node of entry.nodes.values()) nodes.push(node);
        this.#highest = nodes.length;
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

/** The predicates that a rule connects. */
type Links = Pick<RuleState, 'facts' | 'heads' | 'needs'>;

/** A rule that was resolved, with its links before that. */
export interface ResolvedRule {
    readonly state: ClauseState;
    readonly rule: RuleState;
    readonly before: Links | undefined;
}

/** The predicates in the bodies of rules, in text order. */
function mentionsOf(rules: readonly Links[]): string {
    const keys = ({ literals, reads }: RuleFacts['resolved']): string => [...literals.map(({ predicate }) => predicate), ...reads].join();
    return rules.map(({ facts }) => keys(facts.resolved)).join(';');
}

/** Equal for rules with the same links. */
function nameOf({ heads, needs }: Links): string {
    return `${heads.map(({ key }) => key).join()} <- ${needs.map(({ key }) => key).join()}`;
}
