import { findProblems } from '#language/problems/find-problems.ts';
import type { AnalysedProgram, Bind, PredicateKey, SourceSchema, Stratum } from '#language/program/analysed-program.ts';
import type { Program, Rule } from '#language/program/program.ts';
import { aggregatedColumns } from './aggregated-columns.ts';
import { namedAnnotations, placedAnnotations, textOf } from './annotation-arguments.ts';
import { append } from './append.ts';
import { readBinds } from './binds.ts';
import { components } from './components.ts';
import { dependencyGraph } from './dependency-graph.ts';
import { forbiddenCycles } from './forbidden-cycles.ts';
import { isGrowing } from './growth.ts';
import { keyInterner } from './key-interner.ts';
import { readModels } from './models.ts';
import { columnCount, definitionsOf, gatherNames, introducedNames } from './names.ts';
import { declaredParameters, parameterUses } from './parameters.ts';
import { readPostText } from './post-text.ts';
import { buildPredicates, predicateKeys } from './predicates.ts';
import type { AnalysisOptions, NameFacts, PlacedAnnotation, PostFacts, ProgramFacts, RuleFacts } from './program-facts.ts';
import { readItems } from './read-items.ts';
import { resolveRule } from './resolve-rule.ts';
import { inferTypes } from './typing.ts';
import { unsupportedConstructs } from './unsupported.ts';

/** What a program means, and what is wrong with it. Pure; a bad program gives a partial answer and problems. */
export function analyse(program: Program, options: AnalysisOptions = {}): AnalysedProgram {
    const schemas = options.schemas ?? NO_SCHEMAS;

    const annotations = placedAnnotations(program);
    const outputs = namedAnnotations(annotations, 'output');
    const inputs = namedAnnotations(annotations, 'input');
    const declared = declaredParameters(annotations);
    const uses = parameterUses(program);
    const binds = readBinds(annotations, new Set(outputs.map(output => output.predicate)));
    const models = readModels(annotations);
    const posts = postDirectives(annotations);
    const prefixes = libraryPrefixes(annotations);
    const openWorld = options.concept === true || annotations.some(({ annotation }) => OPENING.has(annotation.name));

    const sources = { program, definitions: definitionsOf(program), models, binds, inputs, outputs, openWorld };
    const known = introducedNames(sources);
    const implemented = implementedNames(annotations);
    const naming = { isPredicate: (name: string) => known.has(name), isImplemented: (name: string) => implemented.has(name), prefixes };
    const read = rulesOf(program).map(rule => ({ rule, items: readItems(rule, naming) }));
    const names = gatherNames(sources, read, schemas);
    const keyOf = keyInterner();
    const rules = read.map(({ rule, items }, index) => resolveRule(rule, index, items, names, keyOf));

    const keys = predicateKeys(names, rules, keyOf);
    const dependencies = dependencyGraph(rules, names);
    const strata = stratify(keys, dependencies, rules);
    const cycles = forbiddenCycles(dependencies, strata);
    const aggregated = aggregatedColumns(rules);
    const parameters = new Map(declared);
    for (const { name, place, lenient } of uses) if (!parameters.has(name) && !lenient) parameters.set(name, { name, place });
    const typing = inferTypes({ names, rules, strata, parameters, schemas, prefixes });
    const predicates = buildPredicates({ keys, names, aggregated, posts, types: typing.columns, schemas });

    const facts: ProgramFacts = {
        program,
        options,
        annotations,
        outputs,
        inputs,
        posts,
        binds,
        models,
        parameters,
        parameterUses: uses,
        prefixes,
        implemented,
        openWorld,
        names,
        predicates,
        rules,
        analysedRules: typing.rules,
        dependencies,
        cycles,
        aggregatedColumns: aggregated,
        strata,
        stratumOf: stratumNumbers(strata),
    };
    return {
        program,
        predicates,
        rules: typing.rules,
        strata,
        outputs: outputKeys(names, predicates),
        parameters,
        libraryPrefixes: prefixes,
        binds: binds.map(({ bind }) => bind),
        unsupported: unsupportedConstructs(annotations, rules),
        schemaNeeds: schemaNeeds(names, schemas),
        problems: findProblems(facts),
    };
}

const NO_SCHEMAS: ReadonlyMap<string, SourceSchema> = new Map();

/** Annotations through which other files define or supply more. */
const OPENING: ReadonlySet<string> = new Set(['module', 'include']);

function rulesOf(program: Program): Rule[] {
    return program.clauses.filter(clause => clause.kind === 'rule');
}

function postDirectives(annotations: readonly PlacedAnnotation[]): PostFacts[] {
    return namedAnnotations(annotations, 'post').flatMap(named => {
        const directive = textOf(named.annotation.arguments[1]);
        return directive === undefined ? [] : [{ ...named, text: readPostText(directive) }];
    });
}

function libraryPrefixes(annotations: readonly PlacedAnnotation[]): Map<string, string> {
    const prefixes = new Map<string, string>();
    for (const { annotation } of annotations) {
        const prefix = annotation.name === 'library' ? textOf(annotation.arguments[0]) : undefined;
        const library = textOf(annotation.arguments[1]);
        if (prefix !== undefined && library !== undefined) prefixes.set(prefix.replace(/:$/u, ''), library);
    }
    return prefixes;
}

function implementedNames(annotations: readonly PlacedAnnotation[]): Set<string> {
    const named = annotations.filter(({ annotation }) => annotation.name === 'implement');
    return new Set(named.flatMap(({ annotation }) => textOf(annotation.arguments[0]) ?? []));
}

function stratify(keys: readonly PredicateKey[], dependencies: ProgramFacts['dependencies'], rules: readonly RuleFacts[]): Stratum[] {
    const byHead = new Map<PredicateKey, number[]>();
    for (const { index, resolved } of rules) {
        for (const predicate of new Set(resolved.heads.map(head => head.predicate))) append(byHead, predicate, index);
    }
    const needs = (key: PredicateKey): PredicateKey[] => (dependencies.get(key) ?? []).map(edge => edge.to);
    return components(keys, needs).map(component => {
        const { members, recursive } = component;
        const indexes = [...new Set(members.flatMap(key => byHead.get(key) ?? []))].sort((a, b) => a - b);
        const own = indexes.flatMap(index => rules[index] ?? []);
        return { predicates: members, rules: indexes, recursive, growing: isGrowing(component, own) };
    });
}

function stratumNumbers(strata: readonly Stratum[]): Map<PredicateKey, number> {
    return new Map(strata.flatMap(({ predicates }, number) => predicates.map(key => [key, number] as const)));
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

/** The file binds whose columns nothing tells so far. */
function schemaNeeds(names: ReadonlyMap<string, NameFacts>, schemas: ReadonlyMap<string, SourceSchema>): Bind[] {
    return [...names.values()]
        .filter(({ model }) => model === undefined)
        .flatMap(({ binds }) => binds.map(({ bind }) => bind))
        .filter(
            bind => bind.direction === 'input' && bind.kind === 'bind' && FILES.has(bind.type) && columnCount(bind, schemas) === undefined,
        );
}

const FILES: ReadonlySet<string> = new Set(['csv', 'json']);
