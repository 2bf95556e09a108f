import { type TypeEnvironment, typeOfExpression } from '#language/library/expression-type.ts';
import type { LibraryPrefixes } from '#language/library/function-catalogue.ts';
import type { Parameter, PredicateKey, SourceSchema } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import type { Expression } from '#language/program/program.ts';
import { MIXED, meet, sameType, type Type, UNKNOWN } from '#language/program/types.ts';
import { headsOf } from './atoms-by-predicate.ts';
import { MetTypes } from './met-types.ts';
import { variablesIn } from './occurrences.ts';
import type { RuleFacts } from './program-facts.ts';
import { querySchemaOf } from './queries.ts';
import { answerTypes } from './relation-calls.ts';

/** The column types of predicates. */
export type ColumnTypes = ReadonlyMap<PredicateKey, readonly Type[]>;

/** Sources of types other than facts and rules. */
export interface TypeSources {
    readonly parameters: ReadonlyMap<string, Parameter>;
    readonly schemas: ReadonlyMap<string, SourceSchema>;
    readonly prefixes: LibraryPrefixes;
}

/** The type that a rule gives a column of a head. */
export interface GivenType {
    readonly predicate: PredicateKey;
    readonly column: number;
    readonly type: Type;
}

/** A term of a head, by its number among those that count. */
interface HeadTerm {
    readonly number: number;
    readonly predicate: PredicateKey;
    readonly column: number;
    readonly term: Expression;
}

/** One of the places of a variable in positive literals. */
interface VariablePlace {
    readonly name: string;
    readonly column: number;
    readonly types: MetTypes;
    /** Its number among the places of the variable. */
    readonly index: number;
}

/** Places that give the variables of a rule their types, and places that take their types from the variables. */
interface VariableUses {
    readonly places: ReadonlyMap<PredicateKey, readonly VariablePlace[]>;
    readonly heads: ReadonlyMap<string, readonly HeadTerm[]>;
    /** By assignment, the variables of its value. */
    readonly assignments: readonly (readonly string[])[];
}

/**
 * The types of a rule while those of the predicates that it reads grow: what a column gives is followed to the heads, so that a
 * rule with thousands of atoms may be asked after the change of each.
 */
export class RuleTypes {
    readonly #facts: RuleFacts;
    readonly #columns: ColumnTypes;
    readonly #sources: TypeSources;
    readonly #heads: readonly HeadTerm[];
    #variables: Map<string, Type> | undefined;
    #uses: VariableUses | undefined;

    /** `wanted` are the predicates whose columns are looked for; `columns` those of all, as they are at any time. */
    constructor(facts: RuleFacts, wanted: ReadonlyMap<PredicateKey, unknown>, columns: ColumnTypes, sources: TypeSources) {
        this.#facts = facts;
        this.#columns = columns;
        this.#sources = sources;
        const { resolved } = facts;
        const heads = wanted.size < resolved.heads.length ? [...wanted.keys()].flatMap(key => headsOf(resolved, key)) : resolved.heads;
        const terms: HeadTerm[] = [];
        for (const { atom, predicate } of heads) {
            if (!wanted.has(predicate)) continue;
            for (const [column, term] of atom.arguments.entries()) terms.push({ number: terms.length, predicate, column, term });
        }
        this.#heads = terms;
    }

    /**
     * Returns the types that the rule gives its heads, in order. Later calls return only the types that can differ after columns of some
     * predicates changed.
     */
    given(changed: Iterable<PredicateKey>): GivenType[] {
        const heads = this.#variables === undefined || !isPlain(this.#facts) ? this.#begin() : this.#headsBehind(changed, this.#variables);
        const environment = environmentOf(this.#variables ?? new Map(), this.#sources);
        const answer = answerColumns(this.#facts, this.#columns).filter(({ term }) => term.kind === 'anonymous');
        return heads.map(({ predicate, column, term }) => {
            const type = answer.find(one => one.term === term)?.type ?? typeOfExpression(term, environment);
            return { predicate, column, type };
        });
    }

    #begin(): readonly HeadTerm[] {
        this.#variables = variableTypes(this.#facts, this.#columns, this.#sources);
        return this.#heads;
    }

    /** Brings the variables up to date; gives the head terms in which one of another type stands. */
    #headsBehind(changed: Iterable<PredicateKey>, variables: Map<string, Type>): readonly HeadTerm[] {
        const { resolved } = this.#facts;
        this.#uses ??= usesOf(this.#facts, this.#heads, this.#columns);
        const { places, heads, assignments } = this.#uses;
        const others = new Set<string>();
        const set = (name: string, type: Type): void => {
            if (sameType(variables.get(name) ?? UNKNOWN, type)) return;
            variables.set(name, type);
            others.add(name);
        };
        const read = new Map<string, MetTypes>();
        for (const key of changed) {
            for (const { name, column, types, index } of places.get(key) ?? []) {
                types.set(index, this.#columns.get(key)?.[column] ?? UNKNOWN);
                read.set(name, types);
            }
        }
        for (const [name, types] of read) set(name, types.met);
        const environment = environmentOf(variables, this.#sources);
        for (const [i, { variable, value }] of resolved.assignments.entries())
            if (assignments[i]?.some(name => others.has(name))) set(variable.name, typeOfExpression(value, environment));
        const found = new Set([...others].flatMap(name => heads.get(name) ?? []));
        return [...found].sort((a, b) => a.number - b.number);
    }
}

/** The types of such a rule come from its literals and assignments alone. */
function isPlain({ rule, query }: RuleFacts): boolean {
    return rule.body.kind !== 'relation-function' && query === undefined;
}

function usesOf({ resolved }: RuleFacts, terms: readonly HeadTerm[], columns: ColumnTypes): VariableUses {
    const typesOf = new Map<string, MetTypes>();
    const places = new Map<PredicateKey, VariablePlace[]>();
    for (const { atom, predicate, negated } of resolved.literals) {
        if (negated) continue;
        for (const [column, term] of atom.arguments.entries()) {
            if (term.kind !== 'variable') continue;
            const types = typesOf.get(term.name) ?? new MetTypes();
            typesOf.set(term.name, types);
            append(places, predicate, { name: term.name, column, types, index: types.add(columns.get(predicate)?.[column] ?? UNKNOWN) });
        }
    }
    const heads = new Map<string, HeadTerm[]>();
    for (const head of terms) for (const name of variablesIn(head.term)) append(heads, name, head);
    return { places, heads, assignments: resolved.assignments.map(({ value }) => variablesIn(value)) };
}

/** Returns the types of the names in the expressions of a rule. */
export function typesInRule(facts: RuleFacts, columns: ColumnTypes, sources: TypeSources): TypeEnvironment {
    return environmentOf(variableTypes(facts, columns, sources), sources);
}

function environmentOf(variables: ReadonlyMap<string, Type>, sources: TypeSources): TypeEnvironment {
    return { variable: name => variables.get(name) ?? UNKNOWN, parameter: parameterTypes(sources), prefixes: sources.prefixes };
}

export function parameterTypes({ parameters, prefixes }: TypeSources): (name: string) => Type {
    return name => {
        const value = parameters.get(name)?.value;
        if (value === undefined) return MIXED;
        return typeOfExpression(value, { variable: () => UNKNOWN, parameter: () => MIXED, prefixes });
    };
}

/** The types of the variables of a rule. */
export function variableTypes(facts: RuleFacts, columns: ColumnTypes, sources: TypeSources): Map<string, Type> {
    const { resolved } = facts;
    const types = new Map<string, Type>();
    for (const { term, type } of answerColumns(facts, columns)) if (term.kind === 'variable') types.set(term.name, type);
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
    const environment = environmentOf(types, sources);
    for (const assignment of resolved.assignments) types.set(assignment.variable.name, typeOfExpression(assignment.value, environment));
    return types;
}

/** The terms of the head of a relation function or a query, with the types of the columns that they receive. */
function answerColumns(
    { rule, resolved: { heads, reads }, query }: RuleFacts,
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
