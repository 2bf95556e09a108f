import { type TypeEnvironment, typeOfConstant, typeOfExpression } from '#language/library/expression-type.ts';
import type { LibraryPrefixes } from '#language/library/function-catalogue.ts';
import type { AnalysedRule, Parameter, PredicateKey, SourceSchema, Stratum } from '#language/program/analysed-program.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import type { Expression, Fact } from '#language/program/program.ts';
import { join, MIXED, meet, sameType, type Type, UNKNOWN } from '#language/program/types.ts';
import { bindKey } from './binds.ts';
import type { NameFacts, RuleFacts } from './program-facts.ts';
import { answerTypes } from './relation-calls.ts';

export interface Typing {
    readonly columns: ReadonlyMap<PredicateKey, readonly Type[]>;
    readonly rules: readonly AnalysedRule[];
}

interface TypingInput {
    readonly names: ReadonlyMap<string, NameFacts>;
    readonly rules: readonly RuleFacts[];
    readonly strata: readonly Stratum[];
    readonly parameters: ReadonlyMap<string, Parameter>;
    readonly schemas: ReadonlyMap<string, SourceSchema>;
    readonly prefixes: LibraryPrefixes;
}

/** The least column and variable types that fit all facts, rules, models and sources (3.5). */
export function inferTypes(input: TypingInput): Typing {
    const fixed = modelTypes(input.names);
    const columns = startingTypes(input, fixed);
    const parameter = parameterTypes(input);
    const types: ReadonlyMap<string, Type>[] = input.rules.map(() => NO_TYPES);
    for (const stratum of input.strata) {
        for (let changed = true; changed; ) {
            changed = false;
            for (const index of stratum.rules) {
                const facts = input.rules[index];
                if (facts === undefined) continue;
                const variables = variableTypes(facts, columns, parameter, input.prefixes);
                types[index] = variables;
                if (raiseHeads(facts, environmentOf(variables, parameter, input.prefixes), columns, fixed) && stratum.recursive)
                    changed = true;
            }
        }
    }
    const rules = input.rules.map((facts, index): AnalysedRule => {
        const headless = facts.resolved.heads.length === 0;
        return {
            ...facts.resolved,
            index,
            types: headless ? variableTypes(facts, columns, parameter, input.prefixes) : (types[index] ?? NO_TYPES),
        };
    });
    return { columns, rules };
}

const NO_TYPES: ReadonlyMap<string, Type> = new Map();

function modelTypes(names: ReadonlyMap<string, NameFacts>): Map<PredicateKey, readonly Type[]> {
    const fixed = new Map<PredicateKey, readonly Type[]>();
    for (const { name, model } of names.values()) {
        if (model !== undefined) {
            fixed.set(
                predicateKey(name, model.model.fields.length),
                model.model.fields.map(field => field.type),
            );
        }
    }
    return fixed;
}

function startingTypes(input: TypingInput, fixed: ReadonlyMap<PredicateKey, readonly Type[]>): Map<PredicateKey, Type[]> {
    const columns = new Map<PredicateKey, Type[]>();
    for (const facts of input.names.values()) {
        for (const arity of facts.arities) {
            const key = predicateKey(facts.name, arity);
            const model = fixed.get(key);
            columns.set(key, model !== undefined ? [...model] : contributedTypes(facts, arity, input));
        }
    }
    return columns;
}

function contributedTypes(facts: NameFacts, arity: number, input: TypingInput): Type[] {
    const types: Type[] = Array.from({ length: arity }, () => UNKNOWN);
    addFacts(types, facts.definitions.get(arity)?.facts ?? [], parameterTypes(input));
    for (const { bind } of facts.binds) {
        if (bind.direction === 'output') continue;
        const schema = input.schemas.get(bindKey(bind)) ?? input.schemas.get(bind.predicate);
        const otherwise: Type = bind.type === 'csv' || bind.type === 'text' ? { kind: 'string' } : MIXED;
        for (let i = 0; i < arity; i++) types[i] = join(types[i] ?? UNKNOWN, schema?.columns[i]?.type ?? otherwise);
    }
    if (facts.input !== undefined && facts.binds.length === 0) {
        const schema = input.schemas.get(facts.name);
        for (let i = 0; i < arity; i++) types[i] = join(types[i] ?? UNKNOWN, schema?.columns[i]?.type ?? MIXED);
    }
    return types;
}

/** One pass over the facts of a predicate, column by column. */
function addFacts(types: Type[], facts: readonly Fact[], parameter: (name: string) => Type): void {
    const environment: TypeEnvironment = { variable: () => UNKNOWN, parameter };
    for (let i = 0; i < types.length; i++) {
        let type = types[i] ?? UNKNOWN;
        for (const fact of facts) {
            const term = fact.atom.arguments[i];
            if (term === undefined || (term.kind === type.kind && term.kind !== 'list' && term.kind !== 'set')) continue;
            type = raised(type, typeOfTerm(term, environment));
        }
        types[i] = type;
    }
}

function typeOfTerm(term: Expression, environment: TypeEnvironment): Type {
    switch (term.kind) {
        case 'string':
        case 'integer':
        case 'double':
            return typeOfConstant(term);
        default:
            return typeOfExpression(term, environment);
    }
}

function parameterTypes(input: Pick<TypingInput, 'parameters' | 'prefixes'>): (name: string) => Type {
    return name => {
        const value = input.parameters.get(name)?.value;
        if (value === undefined) return MIXED;
        return typeOfExpression(value, { variable: () => UNKNOWN, parameter: () => MIXED, prefixes: input.prefixes });
    };
}

function environmentOf(
    variables: ReadonlyMap<string, Type>,
    parameter: (name: string) => Type,
    prefixes: LibraryPrefixes,
): TypeEnvironment {
    return { variable: name => variables.get(name) ?? UNKNOWN, parameter, prefixes };
}

function variableTypes(
    { rule, resolved }: RuleFacts,
    columns: ReadonlyMap<PredicateKey, readonly Type[]>,
    parameter: (name: string) => Type,
    prefixes: LibraryPrefixes,
): Map<string, Type> {
    const types = new Map<string, Type>();
    const answer = answerColumns(rule, resolved, columns);
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
    const environment = environmentOf(types, parameter, prefixes);
    for (const assignment of resolved.assignments) types.set(assignment.variable.name, typeOfExpression(assignment.value, environment));
    return types;
}

/** The terms of the head of a relation function, with the types of the columns that they receive. */
function answerColumns(
    rule: RuleFacts['rule'],
    { heads, relation }: RuleFacts['resolved'],
    columns: ReadonlyMap<PredicateKey, readonly Type[]>,
): readonly { readonly term: Expression; readonly type: Type }[] {
    if (rule.body.kind !== 'relation-function') return [];
    const types = answerTypes(rule, relation, columns);
    return (heads[0]?.atom.arguments ?? []).map((term, i) => ({ term, type: types[i] ?? MIXED }));
}

/** Adds the types of the head terms to the columns of their predicates; true when a column changed. */
function raiseHeads(
    { rule, resolved }: RuleFacts,
    environment: TypeEnvironment,
    columns: Map<PredicateKey, Type[]>,
    fixed: ReadonlyMap<PredicateKey, readonly Type[]>,
): boolean {
    let changed = false;
    for (const { atom, predicate } of resolved.heads) {
        const types = columns.get(predicate);
        if (types === undefined || fixed.has(predicate)) continue;
        const unnamed = answerColumns(rule, resolved, columns).filter(({ term }) => term.kind === 'anonymous');
        atom.arguments.forEach((term, i) => {
            const before = types[i] ?? UNKNOWN;
            const after = raised(before, unnamed.find(column => column.term === term)?.type ?? typeOfExpression(term, environment));
            if (sameType(before, after)) return;
            types[i] = after;
            changed = true;
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
