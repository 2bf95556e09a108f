import { compileCondition, compileExpression } from '#engine/evaluate/expression.ts';
import { shown, warnOnce } from '#engine/evaluate/expression-site.ts';
import type { Evaluate, Scope } from '#engine/evaluate/scope.ts';
import type { ReportArguments } from '#engine/reports/reports.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { explodedCollection } from '#language/library/exploded-collection.ts';
import { typeOfExpression } from '#language/library/expression-type.ts';
import { isNonDeterministic } from '#language/library/non-deterministic.ts';
import type { AnalysedProgram, AnalysedRule, Literal, PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import { visitExpression, withParts } from '#language/program/subexpressions.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { attempt, conditionOf, type Failed, judge, type NaiveCondition, without } from './naive-failures.ts';
import { type Tuple, tupleKey } from './naive-relation.ts';

/** What the rules of one run share. */
export interface NaiveContext {
    readonly program: AnalysedProgram;
    readonly scope: Omit<Scope, 'place' | 'slot' | 'type'>;
    tuples(predicate: PredicateKey): readonly Tuple[];
}

/** One combination of facts for the positive literals of a rule, with the values of all variables but the aggregated ones. */
export interface Match {
    readonly registers: Int32Array;
    /** In the order of the positive literals. */
    readonly facts: readonly Tuple[];
    /** Of exploded elements in their collections (D-55). */
    readonly positions: readonly number[];
    readonly failed?: Failed;
}

type EvaluateAll = (registers: Int32Array) => readonly ValueId[];

type Bindings = ReadonlyMap<string, ValueId>;

/** A rule, matched by nested loops in the order of its text. */
export class NaiveRule {
    readonly rule: AnalysedRule;
    readonly scope: Scope;
    /** Variables whose value depends on an aggregate. */
    readonly dependent: ReadonlySet<string>;
    readonly positive: readonly Literal[];
    readonly #context: NaiveContext;
    readonly #slots = new Map<string, number>();
    readonly #aggregateTypes = new Map<string, Type>();
    readonly #assignments: readonly {
        readonly name: string;
        readonly needs: readonly string[];
        readonly slot: number;
        readonly valuesOf: EvaluateAll;
        readonly exploded: boolean;
    }[];
    readonly #conditions: readonly NaiveCondition[];
    readonly #differsPerMatch: boolean;
    /** Values by match: a rule that makes nulls, or draws random values, makes them once per match, however often it is evaluated. */
    readonly #made = new Map<string, readonly Match[]>();

    constructor(rule: AnalysedRule, context: NaiveContext) {
        this.rule = rule;
        this.#context = context;
        const { place } = rule.rule;
        this.scope = {
            ...context.scope,
            place,
            slot: name => this.slot(name),
            type: name => this.#aggregateTypes.get(name) ?? rule.types.get(name) ?? MIXED,
        };
        this.positive = rule.literals.filter(literal => !literal.negated);
        for (const name of rule.bound) this.slot(name);
        for (const { variable } of rule.assignments) this.slot(variable.name);
        for (const { atom } of rule.literals) for (const term of atom.arguments) for (const name of variablesOf(term)) this.slot(name);
        this.dependent = new Set(rule.assignments.filter(one => one.afterAggregation).map(one => one.variable.name));
        this.#assignments = rule.assignments
            .filter(one => !one.afterAggregation)
            .map(({ variable, value }) => ({
                name: variable.name,
                needs: variablesOf(value),
                slot: this.slot(variable.name),
                valuesOf: this.compileValues(value),
                exploded: explodedCollection(value, this.scope.libraryPrefixes) !== undefined,
            }));
        this.#conditions = rule.conditions
            .filter(one => !one.afterAggregation)
            .map(({ expression }) => conditionOf(expression, compileCondition(expression, this.scope)));
        const terms = rule.heads.flatMap(one => one.atom.arguments);
        this.#differsPerMatch = [...rule.assignments.map(one => one.value), ...terms].some(differsPerMatch);
    }

    slot(name: string): number {
        const slot = this.#slots.get(name) ?? this.#slots.size;
        this.#slots.set(name, slot);
        return slot;
    }

    typeOf(expression: Expression): Type {
        const prefixes = this.scope.libraryPrefixes;
        return typeOfExpression(expression, {
            variable: this.scope.type,
            parameter: name => this.scope.parameter(name).type,
            ...(prefixes === undefined ? {} : { prefixes }),
        });
    }

    dependsOnAggregate(expression: Expression): boolean {
        return variablesOf(expression).some(name => this.dependent.has(name));
    }

    /** The expression as a function of the registers, with aggregates read from registers of their own. */
    compile(expression: Expression): Evaluate {
        return compileExpression(this.#withoutAggregates(expression), this.scope);
    }

    /** What the right side of an assignment gives a variable: one value, or each element of an exploded collection (D-55). */
    compileValues(value: Expression): EvaluateAll {
        const collection = explodedCollection(value, this.scope.libraryPrefixes);
        const evaluate = this.compile(collection ?? value);
        if (collection === undefined) return registers => [evaluate(registers)];
        const undefinedFor = warnOnce('RT024', value, this.scope);
        return registers => this.#elements(evaluate(registers), undefinedFor);
    }

    compileTest(expression: Expression): NaiveCondition {
        return conditionOf(expression, compileCondition(this.#withoutAggregates(expression), this.scope));
    }

    /** The register that holds the value of an aggregate. */
    aggregateSlot(aggregate: Aggregate): number {
        return this.slot(this.#aggregateName(aggregate));
    }

    /** Every match, with conditions and negations applied; one of which something has failed ends the run. */
    *matches(): Iterable<Match> {
        for (const { bindings, facts } of this.#combinations(0, new Map(), [])) {
            for (const match of this.#assign(bindings, facts)) if (this.#holds(match, bindings)) yield match;
        }
    }

    *#combinations(index: number, bindings: Bindings, facts: readonly Tuple[]): Iterable<{ bindings: Bindings; facts: readonly Tuple[] }> {
        const literal = this.positive[index];
        if (literal === undefined) {
            yield { bindings, facts };
            return;
        }
        for (const tuple of this.#context.tuples(literal.predicate)) {
            const extended = this.#unify(literal, tuple, bindings);
            if (extended !== undefined) yield* this.#combinations(index + 1, extended, [...facts, tuple]);
        }
    }

    /** The bindings under which the atom is the fact; missing trailing arguments match anything (D-24.3). */
    #unify(literal: Literal, tuple: Tuple, bindings: Bindings): Bindings | undefined {
        const extended = new Map(bindings);
        for (const [column, term] of literal.atom.arguments.entries()) {
            const value = tuple[column]!;
            if (term.kind === 'anonymous') continue;
            if (term.kind !== 'variable') {
                if (compileExpression(term, this.scope)(new Int32Array(0)) !== value) return undefined;
                continue;
            }
            const bound = extended.get(term.name);
            if (bound !== undefined && bound !== value) return undefined;
            extended.set(term.name, value);
        }
        return extended;
    }

    #holds({ registers, facts, failed: before }: Match, bindings: Bindings): boolean {
        const { holds, failed } = judge(this.#conditions, registers, before);
        if (!holds) return false;
        const assigned = this.rule.assignments.filter(one => !one.afterAggregation).map(one => one.variable.name);
        const all = new Map(bindings);
        for (const name of assigned) if (!failed?.variables.has(name)) all.set(name, registers[this.slot(name)]!);
        const bound = (): ValueId[] => [...facts.flat(), ...all.values()];
        if (this.rule.constantsOnly && bound().some(value => this.scope.dictionary.isNull(value))) return false;
        const negated = this.rule.literals.filter(literal => literal.negated && !literal.afterAggregation);
        if (!this.#areAbsent(negated, all, failed)) return false;
        if (failed !== undefined) throw failed.first;
        return true;
    }

    /** Whether no fact is like the negated atoms that need an aggregate's result. */
    negationsHoldAfter(registers: Int32Array, failed: Failed | undefined): boolean {
        const bindings = new Map([...this.rule.bound].map(name => [name, registers[this.slot(name)]!]));
        const negated = this.rule.literals.filter(literal => literal.afterAggregation);
        return this.#areAbsent(negated, bindings, failed);
    }

    /** Atoms with a variable that has no value are passed over. */
    #areAbsent(negated: readonly Literal[], bindings: Bindings, failed: Failed | undefined): boolean {
        const needs = ({ atom }: Literal): string[] => atom.arguments.flatMap(variablesOf);
        return negated.every(literal => needs(literal).some(name => failed?.variables.has(name)) || !this.#occurs(literal, bindings));
    }

    #occurs(literal: Literal, bindings: Bindings): boolean {
        return this.#context.tuples(literal.predicate).some(tuple => this.#unify(literal, tuple, bindings) !== undefined);
    }

    /** The matches with the values of the assignments: one, or with exploded collections one for each of their elements. */
    #assign(bindings: Bindings, facts: readonly Tuple[]): readonly Match[] {
        const key = facts.map(tupleKey).join(';');
        const made = this.#made.get(key);
        if (made !== undefined) return made;
        const registers = new Int32Array(this.#slots.size);
        for (const [name, value] of bindings) registers[this.slot(name)] = value;
        const matches: Match[] = [];
        const assign = (index: number, positions: readonly number[], failed: Failed | undefined): void => {
            const assignment = this.#assignments[index];
            if (assignment === undefined) {
                matches.push({ registers: registers.slice(), facts, positions, ...(failed === undefined ? {} : { failed }) });
                return;
            }
            const result = attempt(assignment.needs, failed, () => assignment.valuesOf(registers));
            if ('failed' in result) {
                assign(index + 1, positions, without(result.failed, assignment.name));
                return;
            }
            for (const [position, element] of result.value.entries()) {
                registers[assignment.slot] = element;
                assign(index + 1, assignment.exploded ? [...positions, position] : positions, failed);
            }
        };
        assign(0, [], undefined);
        if (this.#differsPerMatch) this.#made.set(key, matches);
        return matches;
    }

    #elements(collection: ValueId, undefinedFor: (words: () => ReportArguments<'RT024'>) => void): readonly ValueId[] {
        const { dictionary } = this.scope;
        const kind = dictionary.kind(collection);
        if (kind === 'list' || kind === 'set') return dictionary.membersOf(collection);
        if (kind !== 'null') undefinedFor(() => ['collections:explode', shown(dictionary, collection)]);
        return [];
    }

    #aggregateName(aggregate: Aggregate): string {
        const name = `${aggregate.name} at ${aggregate.span.start}`;
        if (!this.#aggregateTypes.has(name)) this.#aggregateTypes.set(name, this.typeOf(aggregate));
        return name;
    }

    #withoutAggregates(expression: Expression): Expression {
        if (expression.kind === 'aggregate') return { kind: 'variable', name: this.#aggregateName(expression), span: expression.span };
        return withParts(expression, part => this.#withoutAggregates(part));
    }
}

function differsPerMatch(expression: Expression): boolean {
    let found = false;
    visitExpression(expression, part => {
        if (part.kind === 'null' || (part.kind === 'call' && isNonDeterministic(part))) found = true;
    });
    return found;
}
