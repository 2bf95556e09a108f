import { dataSourceNamed } from '#language/library/data-sources.ts';
import { type TypeEnvironment, typeOfExpression } from '#language/library/expression-type.ts';
import type { LibraryPrefixes } from '#language/library/function-catalogue.ts';
import type { Parameter, PredicateKey, SourceSchema } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import type { Expression } from '#language/program/program.ts';
import { join, MIXED, meet, sameType, type Type, UNKNOWN } from '#language/program/types.ts';
import { headsOf } from './atoms-by-predicate.ts';
import { bindKey } from './binds.ts';
import type { FactCensus } from './fact-census.ts';
import { mappingOf } from './mappings.ts';
import type { NameFacts, RuleFacts } from './program-facts.ts';
import { querySchemaOf } from './queries.ts';
import { answerTypes } from './relation-calls.ts';

/** The column types of predicates. */
export type ColumnTypes = ReadonlyMap<PredicateKey, readonly Type[]>;

/** What decides types beside facts and rules. */
export interface TypeSources {
    readonly parameters: ReadonlyMap<string, Parameter>;
    readonly schemas: ReadonlyMap<string, SourceSchema>;
    readonly prefixes: LibraryPrefixes;
}

/** A predicate whose column types are looked for. */
export interface UntypedPredicate {
    readonly key: PredicateKey;
    /** The types that facts and sources give its columns. */
    readonly start: readonly Type[];
    /** Of each column, whether a model or a mapping fixes the type. */
    readonly fixed: readonly boolean[];
}

/** A predicate as it is before its rules are looked at; undefined when nothing gives it this arity. */
export function untypedPredicate(key: PredicateKey, facts: NameFacts, arity: number, sources: TypeSources): UntypedPredicate | undefined {
    if (!facts.arities.includes(arity)) return undefined;
    const fields = facts.model?.model.fields;
    if (fields?.length === arity) return { key, start: fields.map(field => field.type), fixed: fields.map(() => true) };
    const mapped = Array.from({ length: arity }, (_, i) => mappingOf(facts.mappings, i)?.type);
    const contributed = contributedTypes(facts, arity, sources);
    return { key, start: contributed.map((type, i) => mapped[i] ?? type), fixed: mapped.map(type => type !== undefined) };
}

/** Column types under way, and those among them that stay. */
interface GrowingTypes {
    readonly types: Type[];
    readonly fixed: readonly boolean[];
}

/**
 * The least column types that fit the rules of predicates that need each other, and the facts and sources of these (3.5).
 * `columns` gives the types of all predicates that are needed first; those of the given ones are put into it.
 */
export function inferTypes(
    predicates: readonly UntypedPredicate[],
    rules: readonly RuleFacts[],
    recursive: boolean,
    columns: Map<PredicateKey, readonly Type[]>,
    sources: TypeSources,
): void {
    const growing = new Map<PredicateKey, GrowingTypes>();
    for (const { key, start, fixed } of predicates) {
        const types = [...start];
        columns.set(key, types);
        growing.set(key, { types, fixed });
    }
    const parameter = parameterTypes(sources);
    const readers = recursive ? readersOf(growing, rules) : new Map<PredicateKey, RuleFacts[]>();
    // A rule that is added again comes after all that wait.
    const waiting = new Set(rules);
    for (const facts of waiting) {
        waiting.delete(facts);
        const variables = variableTypes(facts, columns, sources);
        for (const key of raiseHeads(facts, environmentOf(variables, parameter, sources.prefixes), columns, growing))
            for (const reader of readers.get(key) ?? []) waiting.add(reader);
    }
}

/** The rules whose variables have their types from a predicate. */
function readersOf(predicates: ReadonlyMap<PredicateKey, unknown>, rules: readonly RuleFacts[]): Map<PredicateKey, RuleFacts[]> {
    const readers = new Map<PredicateKey, RuleFacts[]>();
    for (const facts of rules) {
        const { literals, reads } = facts.resolved;
        for (const { predicate, negated } of literals) if (!negated && predicates.has(predicate)) append(readers, predicate, facts);
        for (const predicate of reads) append(readers, predicate, facts);
    }
    return readers;
}

function contributedTypes(facts: NameFacts, arity: number, sources: TypeSources): Type[] {
    const types: Type[] = Array.from({ length: arity }, () => UNKNOWN);
    addFacts(types, facts.definitions.get(arity)?.census, parameterTypes(sources));
    for (const { bind } of facts.binds) {
        if (bind.direction === 'output') continue;
        const schema = sources.schemas.get(bindKey(bind)) ?? sources.schemas.get(bind.predicate);
        const otherwise: Type = dataSourceNamed(bind.type)?.isText ? { kind: 'string' } : MIXED;
        for (let i = 0; i < arity; i++) types[i] = join(types[i] ?? UNKNOWN, schema?.columns[i]?.type ?? otherwise);
    }
    if (facts.input !== undefined && facts.binds.length === 0) {
        const schema = sources.schemas.get(facts.name);
        for (let i = 0; i < arity; i++) types[i] = join(types[i] ?? UNKNOWN, schema?.columns[i]?.type ?? MIXED);
    }
    return types;
}

function addFacts(types: Type[], census: FactCensus | undefined, parameter: (name: string) => Type): void {
    if (census === undefined) return;
    const environment: TypeEnvironment = { variable: () => UNKNOWN, parameter };
    for (const [i, before] of types.entries()) {
        const { constants, composed } = census.column(i);
        let type = before;
        for (const added of constants) type = raised(type, added);
        for (const term of composed) type = raised(type, typeOfExpression(term, environment));
        types[i] = type;
    }
}

function parameterTypes({ parameters, prefixes }: TypeSources): (name: string) => Type {
    return name => {
        const value = parameters.get(name)?.value;
        if (value === undefined) return MIXED;
        return typeOfExpression(value, { variable: () => UNKNOWN, parameter: () => MIXED, prefixes });
    };
}

/** What the names in the expressions of a rule stand for. */
export function typesInRule(facts: RuleFacts, columns: ColumnTypes, sources: TypeSources): TypeEnvironment {
    return environmentOf(variableTypes(facts, columns, sources), parameterTypes(sources), sources.prefixes);
}

function environmentOf(
    variables: ReadonlyMap<string, Type>,
    parameter: (name: string) => Type,
    prefixes: LibraryPrefixes,
): TypeEnvironment {
    return { variable: name => variables.get(name) ?? UNKNOWN, parameter, prefixes };
}

/** The types of the variables of a rule. */
export function variableTypes({ rule, resolved, query }: RuleFacts, columns: ColumnTypes, sources: TypeSources): Map<string, Type> {
    const types = new Map<string, Type>();
    const answer = answerColumns(rule, resolved, query, columns);
    for (const { term, type } of answer) if (term.kind === 'variable') types.set(term.name, type);
    for (const literal of resolved.literals) {
        if (literal.negated) continue;
        const predicate = columns.get(literal.predicate);
        literal.atom.arguments.forEach((term, i) => {
            if (term.kind !== 'variable') return;
            const column = predicate?.[i] ?? UNKNOWN;
            const known = types.get(term.name);
            types.set(term.name, known === undefined ? column : meet(known, column));
        });
    }
    const environment = environmentOf(types, parameterTypes(sources), sources.prefixes);
    for (const assignment of resolved.assignments) types.set(assignment.variable.name, typeOfExpression(assignment.value, environment));
    return types;
}

/** The terms of the head of a relation function or a query, with the types of the columns that they receive. */
function answerColumns(
    rule: RuleFacts['rule'],
    { heads, reads }: RuleFacts['resolved'],
    query: RuleFacts['query'],
    columns: ColumnTypes,
): readonly { readonly term: Expression; readonly type: Type }[] {
    if (rule.body.kind !== 'relation-function' && query === undefined) return [];
    const [relation] = reads;
    const input = query === undefined ? relation && (columns.get(relation) ?? []) : queryTypes(query, columns);
    const types = rule.body.kind === 'query' ? (input ?? []) : answerTypes(rule, input);
    return (heads[0]?.atom.arguments ?? []).map((term, i) => ({ term, type: types[i] ?? MIXED }));
}

function queryTypes(query: NonNullable<RuleFacts['query']>, columns: ColumnTypes): readonly Type[] {
    return querySchemaOf(query, key => columns.get(key)).columns?.map(({ type }) => type) ?? [];
}

/** Adds the types of the head terms to the columns of their predicates; gives the predicates of which a column changed. */
function raiseHeads(
    { rule, resolved, query }: RuleFacts,
    environment: TypeEnvironment,
    columns: ColumnTypes,
    growing: ReadonlyMap<PredicateKey, GrowingTypes>,
): ReadonlySet<PredicateKey> {
    const changed = new Set<PredicateKey>();
    const isFew = growing.size < resolved.heads.length;
    const heads = isFew ? [...growing.keys()].flatMap(key => headsOf(resolved, key)) : resolved.heads;
    for (const { atom, predicate } of heads) {
        const { types, fixed } = growing.get(predicate) ?? {};
        if (types === undefined || fixed === undefined || fixed.every(Boolean)) continue;
        const unnamed = answerColumns(rule, resolved, query, columns).filter(({ term }) => term.kind === 'anonymous');
        atom.arguments.forEach((term, i) => {
            if (fixed[i]) return;
            const before = types[i] ?? UNKNOWN;
            const after = raised(before, unnamed.find(column => column.term === term)?.type ?? typeOfExpression(term, environment));
            if (sameType(before, after)) return;
            types[i] = after;
            changed.add(predicate);
        });
    }
    return changed;
}

const DEEPEST_TYPE = 6;

/** The join, with collections nested beyond any use given up, so that the fixpoint is reached. */
function raised(before: Type, added: Type): Type {
    return shallow(join(before, added), DEEPEST_TYPE);
}

function shallow(type: Type, depth: number): Type {
    switch (type.kind) {
        case 'list':
        case 'set':
            return depth === 0 ? MIXED : { kind: type.kind, element: shallow(type.element, depth - 1) };
        case 'map':
            return depth === 0 ? MIXED : { kind: 'map', key: shallow(type.key, depth - 1), value: shallow(type.value, depth - 1) };
        case 'struct':
            if (type.fields === undefined) return type;
            return depth === 0
                ? { kind: 'struct' }
                : { kind: 'struct', fields: type.fields.map(field => ({ name: field.name, type: shallow(field.type, depth - 1) })) };
        default:
            return type;
    }
}
