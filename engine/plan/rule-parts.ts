import { explodedCollection } from '#language/library/exploded-collection.ts';
import { type TypeEnvironment, typeOfExpression } from '#language/library/expression-type.ts';
import type { AnalysedProgram, AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import { isKnownConstant } from '#language/program/constants.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import { withParts } from '#language/program/subexpressions.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { variableNames } from '#language/program/variable-names.ts';
import type { PlanDefinition, PlanInvention, PlanLiteral, PlanOutput, PlanRule, PlanTerm, WrittenAtom } from './plan.ts';

/** Collects the parts of one plan rule and names its synthetic variables, whose names start with `$`. */
export class RuleParts {
    readonly constants: PlanDefinition[] = [];
    readonly filters: Expression[] = [];
    readonly assignments: PlanDefinition[] = [];
    readonly inventions: PlanInvention[] = [];
    readonly literals: PlanLiteral[] = [];
    readonly types: Map<string, Type>;
    readonly #environment: TypeEnvironment;
    readonly #prefix: string;
    readonly #unnamed: string[] = [];
    #next = 0;

    constructor(program: AnalysedProgram, types: ReadonlyMap<string, Type>, prefix = '$') {
        this.#prefix = prefix;
        this.types = new Map(types);
        this.#environment = {
            variable: name => this.types.get(name) ?? MIXED,
            parameter: name => parameterType(program, name),
            ...(program.libraryPrefixes === undefined ? {} : { prefixes: program.libraryPrefixes }),
        };
    }

    typeOf(expression: Expression): Type {
        return typeOfExpression(expression, this.#environment);
    }

    fresh(type: Type): string {
        const name = `${this.#prefix}${this.#next++}`;
        this.types.set(name, type);
        return name;
    }

    constant(value: Expression): string {
        const variable = this.fresh(this.typeOf(value));
        this.constants.push({ variable, value });
        return variable;
    }

    /** Returns a variable for the value of an expression. An expression other than a variable or constant is computed for each match. */
    valueOf(expression: Expression): string {
        if (expression.kind === 'variable') return expression.name;
        if (isConstant(expression)) return this.constant(expression);
        const variable = this.fresh(this.typeOf(expression));
        this.assignments.push({ variable, value: expression });
        return variable;
    }

    /** The atom may have fewer terms than the relation has columns (D-24.3). Where all are `named`, anonymous terms are variables that have no name in the text. */
    literal(
        relation: PredicateKey,
        negated: boolean,
        terms: readonly Expression[],
        arity: number,
        recursive: boolean,
        named = false,
        written?: WrittenAtom,
    ): void {
        this.literals.push({
            relation,
            negated,
            recursive,
            ...(written === undefined ? {} : { written }),
            terms: Array.from({ length: arity }, (_, column) => this.#bodyTerm(terms[column], named)),
        });
    }

    /** A literal on an internal relation, with a variable per column. */
    literalOf(relation: PredicateKey, variables: readonly string[], recursive: boolean): void {
        this.literals.push({ relation, negated: false, recursive, terms: variables.map(name => ({ kind: 'variable', name })) });
    }

    /** The definition of a variable; of one that takes each element of a collection, by the collection. */
    definition(variable: string, value: Expression): PlanDefinition {
        const collection = explodedCollection(value, this.#environment.prefixes);
        return collection === undefined ? { variable, value } : { variable, value: collection, exploded: true };
    }

    /** The collected parts as a rule; without a source, one for facts and source rows. */
    rule(
        source: AnalysedRule | undefined,
        { place, span }: Pick<PlanRule, 'place' | 'span'>,
        outputs: readonly PlanOutput[],
        parent?: number,
    ): PlanRule {
        const { literals, constants, filters, assignments, inventions, types } = this;
        return {
            ...(source === undefined ? {} : { source }),
            place,
            span,
            literals,
            constants,
            filters,
            assignments,
            constantsOnly: source?.constantsOnly === true && literals.length > 0 ? [...source.bound, ...this.#unnamed] : [],
            inventions,
            ...(parent === undefined ? {} : { parent }),
            outputs,
            types,
        };
    }

    /** The variables of the rule that its matches bind, in the order of the literals. */
    variables(): string[] {
        const terms = this.literals.filter(literal => !literal.negated).flatMap(literal => variableNames(literal.terms));
        const names = [...terms, ...this.assignments.map(assignment => assignment.variable)];
        return [...new Set(names)].filter(name => !name.startsWith('$'));
    }

    #bodyTerm(term: Expression | undefined, named: boolean): PlanTerm {
        if (term === undefined || term.kind === 'anonymous') {
            if (!named) return { kind: 'anonymous' };
            const name = this.fresh(MIXED);
            this.#unnamed.push(name);
            return { kind: 'variable', name };
        }
        if (term.kind === 'variable') return { kind: 'variable', name: term.name };
        if (variablesOf(term).length === 0) return { kind: 'variable', name: this.constant(term) };
        const name = this.fresh(this.typeOf(term));
        const { span } = term;
        this.filters.push({
            kind: 'binary',
            operator: '==',
            left: { kind: 'variable', name, span },
            right: term,
            operatorSpan: span,
            span,
        });
        return { kind: 'variable', name };
    }
}

/** Variables whose value depends on an aggregate. */
export function dependentVariables(rule: AnalysedRule): ReadonlySet<string> {
    return new Set(rule.assignments.filter(assignment => assignment.afterAggregation).map(assignment => assignment.variable.name));
}

export function dependsOn(expression: Expression, variables: { has(name: string): boolean }): boolean {
    return variablesOf(expression).some(name => variables.has(name));
}

/** The same value for every match. A literal `null` is none: it makes a null for each. */
export function isConstant(expression: Expression): boolean {
    return expression.kind === 'parameter' || isKnownConstant(expression);
}

/** The expression with other names for its variables. */
export function renamed(expression: Expression, nameOf: (name: string) => string): Expression {
    if (expression.kind === 'variable') return { ...expression, name: nameOf(expression.name) };
    return withParts(expression, part => renamed(part, nameOf));
}

/** The expression with each aggregate replaced by the variable that holds its result. */
export function withoutAggregates(expression: Expression, variableOf: (aggregate: Aggregate) => string): Expression {
    if (expression.kind === 'aggregate') return { kind: 'variable', name: variableOf(expression), span: expression.span };
    return withParts(expression, part => withoutAggregates(part, variableOf));
}

function parameterType(program: AnalysedProgram, name: string): Type {
    const value = program.parameters.get(name)?.value;
    return value === undefined ? MIXED : typeOfExpression(value, { variable: () => MIXED, parameter: () => MIXED });
}
