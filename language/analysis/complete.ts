import type { AnalysedProgram, Parameter, PredicateKey, SourceSchema, Stratum } from '#language/program/analysed-program.ts';
import type { Program, Rule } from '#language/program/program.ts';
import { aggregatedColumns } from './aggregated-columns.ts';
import { components } from './components.ts';
import { declarationsByName } from './declarations.ts';
import { isGrowing } from './growth.ts';
import { atomsOf } from './name-entry.ts';
import type { NameIndex } from './name-index.ts';
import type { PredicateNode } from './predicate-graph.ts';
import { buildPredicates, predicateKeys } from './predicates.ts';
import type { Declarations, NameFacts, RuleFacts } from './program-facts.ts';
import { inferTypes } from './typing.ts';

/** What the analysis knows of a program that it has brought up to date. */
export interface KnownProgram {
    readonly program: Program;
    readonly declarations: Declarations;
    readonly parameters: ReadonlyMap<string, Parameter>;
    readonly schemas: ReadonlyMap<string, SourceSchema>;
    readonly names: NameIndex;
    /** In text order. */
    readonly rules: readonly RuleFacts[];
}

/** The parts of an analysed program that checks do not need: strata, types, and the predicates with their columns. */
export function complete(known: KnownProgram): Pick<AnalysedProgram, 'predicates' | 'rules' | 'strata' | 'outputs'> {
    const { declarations, parameters, schemas, rules } = known;
    const names = namesInOrder(known);
    const keys = predicateKeys(names, rules, known.names.keyOf);
    const indexOf = new Map(rules.map(({ rule }, index) => [rule, index]));
    const nodes = nodesByKey(known.names);
    const strata = stratify(keys, nodes, rules, indexOf);
    const typing = inferTypes({ names, rules, strata, parameters, schemas, prefixes: declarations.prefixes });
    const aggregated = (key: PredicateKey): ReturnType<typeof aggregatedColumns> | undefined => {
        const node = nodes.get(key);
        return (
            node &&
            aggregatedColumns(
                key,
                node.rules.map(({ facts }) => facts),
            )
        );
    };
    const predicates = buildPredicates({ keys, names, aggregated, posts: declarations.posts, types: typing.columns, schemas, indexOf });
    return { predicates, rules: typing.rules, strata, outputs: outputKeys(names, predicates) };
}

/** All names in order of their first place: definitions, then declarations, then uses. */
function namesInOrder({ program, declarations, names, rules }: KnownProgram): Map<string, NameFacts> {
    const found = new Map<string, NameFacts>();
    const add = (name: string): void => {
        const facts = found.has(name) ? undefined : names.factsOf(name);
        if (facts !== undefined) found.set(name, facts);
    };
    for (const clause of program.clauses) for (const { predicate } of atomsOf(clause)) add(predicate);
    for (const name of declarationsByName(declarations).keys()) add(name);
    for (const { resolved } of rules) for (const { atom } of resolved.literals) add(atom.predicate);
    for (const { rule } of rules) {
        if (rule.body.kind === 'relation-function' && rule.body.call.input.kind === 'predicate') add(rule.body.call.input.text);
    }
    return found;
}

function nodesByKey(names: NameIndex): Map<PredicateKey, PredicateNode> {
    const nodes = new Map<PredicateKey, PredicateNode>();
    for (const entry of names.entries) for (const node of entry.nodes.values()) nodes.set(node.key, node);
    return nodes;
}

function stratify(
    keys: readonly PredicateKey[],
    nodes: ReadonlyMap<PredicateKey, PredicateNode>,
    rules: readonly RuleFacts[],
    indexOf: ReadonlyMap<Rule, number>,
): Stratum[] {
    const needs = (key: PredicateKey): PredicateKey[] => nodes.get(key)?.rules.flatMap(rule => rule.needs.map(need => need.key)) ?? [];
    return components(keys, needs).map(component => {
        const { members, recursive } = component;
        const indexes = members.flatMap(key => nodes.get(key)?.rules.flatMap(({ clause }) => indexOf.get(clause) ?? []) ?? []);
        const ordered = [...new Set(indexes)].sort((a, b) => a - b);
        const own = ordered.flatMap(index => rules[index] ?? []);
        return { predicates: members, rules: ordered, recursive, growing: isGrowing(component, own) };
    });
}

/** One key for each `@output`, in the order of the annotations. */
function outputKeys(names: ReadonlyMap<string, NameFacts>, predicates: AnalysedProgram['predicates']): PredicateKey[] {
    const keyOf = new Map<string, PredicateKey>();
    for (const predicate of predicates.values())
        if (predicate.output && !keyOf.has(predicate.name)) keyOf.set(predicate.name, predicate.key);
    const written = [...names.values()].flatMap(({ name, output }) => (output === undefined ? [] : [{ name, output }]));
    written.sort(
        (a, b) => a.output.place.offset - b.output.place.offset || a.output.annotation.span.start - b.output.annotation.span.start,
    );
    return written.flatMap(({ name }) => keyOf.get(name) ?? []);
}
