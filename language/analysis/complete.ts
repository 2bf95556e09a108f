import type { TypeEnvironment } from '#language/library/expression-type.ts';
import type {
    AnalysedRule,
    Parameter,
    Predicate,
    PredicateKey,
    PredicateName,
    SourceSchema,
    Stratum,
} from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { aggregatedColumns } from './aggregated-columns.ts';
import type { ClauseState, RuleState } from './clause-state.ts';
import type { Declarations } from './declarations.ts';
import { declarationsByName } from './declarations.ts';
import { atomsOf, type NameEntry } from './name-entry.ts';
import type { NameIndex } from './name-index.ts';
import type { PredicateNode } from './predicate-graph.ts';
import { PredicateTypes } from './predicate-types.ts';
import { buildPredicate } from './predicates.ts';
import type { RuleFacts } from './program-facts.ts';
import { type ColumnTypes, type TypeSources, typesInRule, variableTypes } from './rule-types.ts';
import { finished, type Steps } from './steps.ts';
import { stratify } from './strata.ts';

/** A program that the analysis has brought up to date. */
export interface KnownProgram {
    readonly states: readonly ClauseState[];
    readonly declarations: Declarations;
    readonly parameters: ReadonlyMap<string, Parameter>;
}

/** The possible effects of a change on the parts that `Completion` brings up to date. */
export interface CompletionChange {
    /** Names about which the facts are others. */
    readonly names: Iterable<NameEntry>;
    /** Predicates of which a rule, a fact or the component is another. */
    readonly predicates: Iterable<PredicateNode>;
    /** The types of parameters or the meaning of functions may be others. */
    readonly everything: boolean;
    /** Predicates may be mentioned in another order, or need others. */
    readonly reordered: boolean;
    /** A rule of a recursive component is another. */
    readonly recursion: boolean;
    /** The rules that are new or mean something else. */
    readonly rules: readonly RuleState[];
    /** The rules between two places of the text, as they were and as they are now. */
    readonly exchanged: { readonly before: readonly RuleState[]; readonly now: readonly RuleState[] };
}

/** Rules whose types have to be looked at again. */
export interface RetypedRules {
    readonly rules: ReadonlySet<RuleState>;
    /** The predicates that were looked at, and those that a rule of `rules` defines. */
    readonly predicates: ReadonlySet<PredicateNode>;
    readonly columns: ColumnTypes;
    readonly typesIn: (facts: RuleFacts) => TypeEnvironment;
}

/** If more predicates than this were touched since the last request, the next one goes over all of them. */
const MOST_TOUCHED = 10_000;

/**
 * The parts of an analysed program that most checks do not need: types, predicates with their columns, rules with their numbers, strata.
 * Types are brought up to date after every change, the other parts on request.
 */
export class Completion {
    readonly #names: NameIndex;
    readonly #schemas: ReadonlyMap<string, SourceSchema>;
    readonly #types: PredicateTypes;
    readonly #touched = new Set<PredicateNode>();
    /** Rules that have to be made anew, where not all of them are numbered again. */
    readonly #stale = new Set<RuleState>();
    #rules: readonly AnalysedRule[] = [];
    #isNumbered = false;
    /** The predicates in order of their first places. */
    #order: readonly PredicateNode[] | undefined;
    #strata: readonly Stratum[] | undefined;
    #declarations: Declarations | undefined;
    #everything = true;

    constructor(names: NameIndex, schemas: ReadonlyMap<string, SourceSchema>) {
        this.#names = names;
        this.#schemas = schemas;
        this.#types = new PredicateTypes(names);
    }

    /** Remembers what a change may have touched. */
    mark(change: CompletionChange): void {
        this.#everything ||= change.everything;
        if (change.reordered) this.#order = undefined;
        if (change.reordered || change.recursion) this.#strata = undefined;
        this.#exchangeRules(change);
        for (const node of change.predicates) this.#touch(node);
        for (const entry of change.names) {
            for (const arity of entry.facts?.arities ?? []) this.#names.node(entry.name, arity);
            for (const node of entry.nodes.values()) this.#touch(node);
        }
    }

    #touch(node: PredicateNode): void {
        node.predicate = undefined;
        if (this.#touched.size > MOST_TOUCHED) this.#everything = true;
        if (this.#everything) this.#touched.clear();
        else this.#touched.add(node);
    }

    /** Gives the new rules the numbers of the old ones if there are as many. Otherwise the next request numbers all rules. */
    #exchangeRules({ rules, exchanged: { before, now } }: CompletionChange): void {
        for (const rule of before) this.#stale.delete(rule);
        for (const rule of rules) this.#stale.add(rule);
        const [first] = before;
        this.#isNumbered &&= before.length === now.length;
        if (!this.#isNumbered || first === undefined) return;
        const start = first.index;
        for (const [i, rule] of now.entries()) {
            this.#stale.add(rule);
            this.#numberRule(rule, start + i);
        }
    }

    #numberRule(rule: RuleState, index: number): void {
        if (rule.index === index) return;
        if (rule.index >= 0) this.#strata = undefined;
        for (const head of rule.heads) head.predicate = undefined;
        rule.index = index;
    }

    /** Brings the types of predicates up to date; gives the rules that read one whose types are others. */
    *retype(program: KnownProgram): Steps<RetypedRules> {
        const sources = this.#sourcesOf(program);
        const rules = new Set<RuleState>();
        if (this.#everything) this.#touchAll(program.states);
        const predicates = new Set(this.#touched);
        if (this.#touched.size > 0) {
            for (const node of yield* this.#types.update(this.#touched, sources)) {
                node.predicate = undefined;
                predicates.add(node);
                for (const { rule } of this.#names.entry(node.name)?.askers ?? []) {
                    if (rule === undefined || rules.has(rule)) continue;
                    this.#renew(rule);
                    rules.add(rule);
                    for (const head of rule.heads) predicates.add(head);
                }
            }
            this.#touched.clear();
        }
        const { columns } = this.#types;
        return { rules, predicates, columns, typesIn: facts => typesInRule(facts, columns, sources) };
    }

    #sourcesOf({ declarations, parameters }: KnownProgram): TypeSources {
        return { parameters, schemas: this.#schemas, prefixes: declarations.prefixes };
    }

    /** The types of a predicate's columns, as they were inferred last. */
    typesOf(key: PredicateKey): readonly Type[] | undefined {
        return this.#types.columns.get(key);
    }

    /** Brings types and numbers up to date. */
    #refresh(program: KnownProgram): TypeSources {
        const { states, declarations } = program;
        finished(this.retype(program));
        if (!this.#isNumbered) this.#number(states);
        if (this.#declarations !== declarations) {
            this.#declarations = declarations;
            for (const { nodes } of this.#names.entries) for (const node of nodes.values()) node.predicate = undefined;
        }
        return this.#sourcesOf(program);
    }

    #renew(rule: RuleState): void {
        rule.analysed = undefined;
        this.#stale.add(rule);
    }

    #touchAll(states: readonly ClauseState[]): void {
        this.#everything = false;
        this.#types.forget();
        for (const { nodes } of this.#names.entries) {
            for (const node of nodes.values()) {
                node.predicate = undefined;
                this.#touched.add(node);
            }
        }
        for (const { rule } of states) if (rule !== undefined) this.#renew(rule);
    }

    /** Numbers all rules; strata name rules by their numbers. */
    #number(states: readonly ClauseState[]): void {
        let count = 0;
        for (const { rule } of states) {
            if (rule === undefined) continue;
            this.#numberRule(rule, count++);
            this.#stale.add(rule);
        }
        if (count !== this.#rules.length) this.#strata = undefined;
        this.#isNumbered = true;
        this.#rules = new Array(count);
    }

    /** The rules in text order. */
    rules(program: KnownProgram): readonly AnalysedRule[] {
        const sources = this.#refresh(program);
        if (this.#stale.size === 0) return this.#rules;
        const rules = [...this.#rules];
        for (const rule of this.#stale) {
            const { index, analysed } = rule;
            if (analysed?.index !== index) {
                const types = analysed?.types ?? variableTypes(rule.facts, this.#types.columns, sources);
                rule.analysed = { ...rule.facts.resolved, index, types };
            }
            if (rule.analysed !== undefined) rules[index] = rule.analysed;
        }
        this.#stale.clear();
        this.#rules = rules;
        return rules;
    }

    /** The predicates in order of their first places. */
    predicates(program: KnownProgram): Map<PredicateKey, Predicate> {
        this.#refresh(program);
        return new Map(this.#inOrder(program).map(node => [node.key, this.#predicate(node, program.declarations)]));
    }

    #inOrder({ states, declarations }: KnownProgram): readonly PredicateNode[] {
        this.#order ??= namesInOrder(states, declarations, this.#names).flatMap(({ name, predicates }) =>
            predicates.map(arity => this.#names.node(name, arity)),
        );
        return this.#order;
    }

    /** The predicates of a name, by the number of their columns. */
    predicatesNamed(name: string, program: KnownProgram): readonly Predicate[] {
        const entry = this.#names.entry(name);
        if (entry === undefined || entry.predicates.length === 0) return [];
        this.#refresh(program);
        return entry.predicates.map(arity => this.#predicate(this.#names.node(name, arity), program.declarations));
    }

    /** The names of predicates with the numbers of their columns, in no particular order. */
    *predicateNames(): Iterable<PredicateName> {
        for (const entry of this.#names.entries) if (entry.predicates.length > 0) yield entry;
    }

    #predicate(node: PredicateNode, declarations: Declarations): Predicate {
        node.predicate ??= this.#build(node, declarations);
        return node.predicate;
    }

    #build({ key, name, arity, rules }: PredicateNode, { posts }: Declarations): Predicate {
        const facts = this.#names.factsOf(name);
        if (facts === undefined) throw new Error('A predicate of a name about which nothing is known');
        return buildPredicate({
            key,
            facts,
            arity,
            post: posts.flatMap(({ predicate, text }) => (predicate === name ? (text.directive ?? []) : [])),
            types: this.#types.columns.get(key),
            rules: rules.map(({ index }) => index),
            aggregated: aggregatedColumns(
                key,
                rules.map(rule => rule.facts),
            ),
            schemas: this.#schemas,
        });
    }

    /** The strata of the program. */
    strata(program: KnownProgram): readonly Stratum[] {
        this.#refresh(program);
        this.#strata ??= stratify(
            this.#inOrder(program),
            program.states.flatMap(({ rule }) => rule?.facts ?? []),
        );
        return this.#strata;
    }
}

/** All names in order of their first place: definitions, then declarations, then uses. */
function namesInOrder(states: readonly ClauseState[], declarations: Declarations, names: NameIndex): NameEntry[] {
    const found = new Set<NameEntry>();
    const add = (name: string): void => {
        const entry = names.entry(name);
        if (entry !== undefined) found.add(entry);
    };
    for (const { clause } of states) for (const { predicate } of atomsOf(clause)) add(predicate);
    for (const name of declarationsByName(declarations).keys()) add(name);
    for (const { rule } of states) for (const { atom } of rule?.facts.resolved.literals ?? []) add(atom.predicate);
    for (const { summary } of states) for (const name of summary.reads) add(name);
    return [...found];
}
