import type {
    AnalysedProgram,
    AnalysedRule,
    Parameter,
    Predicate,
    PredicateKey,
    SourceSchema,
    Stratum,
} from '#language/program/analysed-program.ts';
import { aggregatedColumns } from './aggregated-columns.ts';
import type { ClauseState, RuleState } from './clause-state.ts';
import { declarationsByName } from './declarations.ts';
import { atomsOf, type NameEntry } from './name-entry.ts';
import type { NameIndex } from './name-index.ts';
import type { PredicateNode } from './predicate-graph.ts';
import { PredicateTypes } from './predicate-types.ts';
import { buildPredicate, predicateKeys } from './predicates.ts';
import type { Declarations, NameFacts } from './program-facts.ts';
import { stratify } from './strata.ts';
import { type TypeSources, variableTypes } from './typing.ts';

/** A program that the analysis has brought up to date. */
export interface KnownProgram {
    readonly states: readonly ClauseState[];
    readonly declarations: Declarations;
    readonly parameters: ReadonlyMap<string, Parameter>;
}

/** What a change may have made of the parts that are completed. */
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
}

/** When nobody has asked for so long that more predicates are touched, all of them are looked at. */
const MOST_TOUCHED = 10_000;

/**
 * The parts of an analysed program that checks do not need: types, predicates with their columns, rules with their
 * numbers, strata. They are brought up to date when somebody asks for them.
 */
export class Completion {
    readonly #names: NameIndex;
    readonly #schemas: ReadonlyMap<string, SourceSchema>;
    readonly #types: PredicateTypes;
    readonly #touched = new Set<PredicateNode>();
    #rules: readonly AnalysedRule[] = [];
    #keys: readonly PredicateKey[] | undefined;
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
        if (change.reordered) this.#keys = undefined;
        if (change.reordered || change.recursion) this.#strata = undefined;
        for (const node of change.predicates) this.#touch(node);
        for (const { name, facts, nodes } of change.names) {
            for (const arity of facts?.arities ?? []) this.#names.node(name, arity);
            for (const node of nodes.values()) this.#touch(node);
        }
    }

    #touch(node: PredicateNode): void {
        node.predicate = undefined;
        if (this.#touched.size > MOST_TOUCHED) this.#everything = true;
        if (this.#everything) this.#touched.clear();
        else this.#touched.add(node);
    }

    /** The rules in text order and the predicates in order of their first places. */
    complete(program: KnownProgram): Pick<AnalysedProgram, 'predicates' | 'rules'> {
        const { states, declarations, parameters } = program;
        const sources: TypeSources = { parameters, schemas: this.#schemas, prefixes: declarations.prefixes };
        if (this.#everything) this.#touchAll(states);
        for (const node of this.#types.update(this.#touched, sources)) {
            node.predicate = undefined;
            for (const { rule } of this.#names.entry(node.name)?.askers ?? []) if (rule !== undefined) rule.analysed = undefined;
        }
        this.#touched.clear();
        this.#number(states, sources);
        return { predicates: this.#predicates(program), rules: this.#rules };
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
        for (const { rule } of states) if (rule !== undefined) rule.analysed = undefined;
    }

    /** Numbers the rules; strata name rules by their numbers. */
    #number(states: readonly ClauseState[], sources: TypeSources): void {
        const rules: AnalysedRule[] = [];
        for (const { rule } of states) {
            if (rule === undefined) continue;
            const index = rules.length;
            if (rule.index !== index) {
                if (rule.index >= 0) this.#strata = undefined;
                for (const head of rule.heads) head.predicate = undefined;
                rule.index = index;
            }
            if (rule.analysed?.index !== index) {
                const types = rule.analysed?.types ?? variableTypes(rule.facts, this.#types.columns, sources);
                rule.analysed = { ...rule.facts.resolved, index, types };
            }
            rules.push(rule.analysed);
        }
        if (rules.length !== this.#rules.length) this.#strata = undefined;
        this.#rules = rules;
    }

    #predicates({ states, declarations }: KnownProgram): Map<PredicateKey, Predicate> {
        const forgotten = this.#declarations !== declarations;
        this.#declarations = declarations;
        this.#keys ??= predicateKeys(namesInOrder(states, declarations, this.#names), states.flatMap(factsOfRule), this.#names.keyOf);
        const predicates = new Map<PredicateKey, Predicate>();
        for (const key of this.#keys) {
            const node = this.#names.nodeOf(key);
            const facts = this.#names.factsOf(node.name);
            if (facts === undefined) continue;
            if (forgotten || node.predicate === undefined) node.predicate = this.#predicate(node, facts, declarations);
            predicates.set(key, node.predicate);
        }
        return predicates;
    }

    #predicate({ key, name, arity, rules }: PredicateNode, facts: NameFacts, { posts }: Declarations): Predicate {
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

    /** The strata of the program, which is completed before. */
    strata({ states }: KnownProgram): readonly Stratum[] {
        this.#strata ??= stratify(
            (this.#keys ?? []).map(key => this.#names.nodeOf(key)),
            states.flatMap(({ rule }) => rule?.facts ?? []),
        );
        return this.#strata;
    }
}

function factsOfRule({ rule }: ClauseState): RuleState['facts'][] {
    return rule === undefined ? [] : [rule.facts];
}

/** All names in order of their first place: definitions, then declarations, then uses. */
function namesInOrder(states: readonly ClauseState[], declarations: Declarations, names: NameIndex): Map<string, NameFacts> {
    const found = new Map<string, NameFacts>();
    const add = (name: string): void => {
        const facts = found.has(name) ? undefined : names.factsOf(name);
        if (facts !== undefined) found.set(name, facts);
    };
    for (const { clause } of states) for (const { predicate } of atomsOf(clause)) add(predicate);
    for (const name of declarationsByName(declarations).keys()) add(name);
    for (const { rule } of states) for (const { atom } of rule?.facts.resolved.literals ?? []) add(atom.predicate);
    for (const { summary } of states) if (summary.relationInput !== undefined) add(summary.relationInput);
    return found;
}
