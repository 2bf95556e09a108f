import type { Database } from '#engine/contracts/database.ts';
import { compileCondition, compileExpression } from '#engine/evaluate/expression.ts';
import type { Scope } from '#engine/evaluate/scope.ts';
import { decidedByChance } from '#engine/explain/decided-by-chance.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { castValue } from '#engine/values/cast.ts';
import { explodedCollection } from '#language/library/exploded-collection.ts';
import { typeOfExpression } from '#language/library/expression-type.ts';
import type { AnalysedRule, Literal, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import { MIXED } from '#language/program/types.ts';

export const UNBOUND = 0x7fffffff;
const ROOM = 256;

/** What a check leaves out, since nothing that is stated decides it. */
export type Exemption =
    /** The engine keeps no facts for a match that is a group. */
    'an equality over an aggregate' | 'a value that chance or the host decides' | 'a value that was replaced since';

interface Assigned {
    readonly variable: string;
    readonly value: Expression;
    /** What is exploded. */
    readonly collection: Expression | undefined;
}

/** A rule whose body is checked against stated facts, in text order: no join is searched for. */
export class RuleInstance {
    readonly rule: AnalysedRule;
    readonly scope: Scope;
    readonly exempt = new Set<Exemption>();
    readonly #database: Database;
    readonly #slots = new Map<string, number>();
    readonly #byChance: (expression: Expression) => boolean;
    #registers: Int32Array = new Int32Array(ROOM).fill(UNBOUND);

    constructor(database: Database, rule: AnalysedRule) {
        this.#database = database;
        this.rule = rule;
        const byChance = decidedByChance(rule, database.program.libraryPrefixes);
        this.#byChance = expression => {
            const decided = byChance(expression);
            if (decided) this.exempt.add('a value that chance or the host decides');
            return decided;
        };
        const { dictionary, parameters, program } = database;
        this.scope = {
            dictionary,
            place: rule.rule.place,
            slot: name => {
                const slot = this.#slots.get(name) ?? this.#slots.size;
                this.#slots.set(name, slot);
                return slot;
            },
            type: name => rule.types.get(name) ?? MIXED,
            parameter: name => ({ value: parameters.get(name) ?? dictionary.freshNull(name), type: MIXED }),
            report: () => undefined,
            ...(program.libraryPrefixes === undefined ? {} : { libraryPrefixes: program.libraryPrefixes }),
        };
    }

    /**
     * The values of the rule's variables in every match of these facts, one for each positive atom: several where a
     * collection is exploded, none where facts do not fit, a condition fails or a negated atom is there. With `earlier`,
     * conditions and negated atoms may have held for values that were replaced since.
     */
    matches(facts: readonly FactRow[], earlier = false): Int32Array[] {
        this.#registers = new Int32Array(ROOM).fill(UNBOUND);
        const positive = this.rule.literals.filter(({ negated }) => !negated);
        if (facts.length !== positive.length) return [];
        const computed: (() => boolean)[] = [];
        const fits = positive.every(({ atom, predicate }, i) => {
            const { predicate: given, row } = facts[i] ?? { predicate: undefined, row: -1 };
            if (given !== predicate) return false;
            const columns = this.#database.relation(predicate)?.columns ?? [];
            return atom.arguments.every((term, column) => {
                const value = columns[column]?.[row] ?? UNBOUND;
                if (term.kind === 'anonymous') return true;
                if (term.kind === 'variable') return this.#set(term.name, value);
                computed.push(() => compileExpression(term, this.scope)(this.#registers) === value);
                return true;
            });
        });
        if (!fits || !computed.every(check => check())) return [];
        const found: Int32Array[] = [];
        this.#assign(this.#assignments(), () => {
            if (earlier) this.exempt.add('a value that was replaced since');
            if (earlier || this.#holds()) found.push(this.#registers.slice());
        });
        return found;
    }

    /** Whether a head has these values in a match wherever they can be computed; a null has to be one that a rule makes. */
    gives(head: ResolvedAtom, values: readonly number[], registers: Int32Array, isReplaced: (column: number) => boolean): boolean {
        const { dictionary, program } = this.#database;
        const columns = program.predicates.get(head.predicate)?.columns ?? [];
        return head.atom.arguments.every((term, column) => {
            const actual = values[column] ?? UNBOUND;
            const isInvention = term.kind === 'anonymous' || variablesOf(term).some(name => !this.rule.bound.has(name));
            if (isInvention)
                return term.kind !== 'variable' && term.kind !== 'anonymous' ? true : dictionary.isNull(actual) || isReplaced(column);
            if (this.#byChance(term) || !this.#isBound(variablesOf(term), registers)) return true;
            const value = compileExpression(term, this.scope)(registers);
            const to = columns[column];
            const from = typeOfExpression(term, { variable: name => this.rule.types.get(name) ?? MIXED, parameter: () => MIXED });
            const given = to?.cast ? castValue(dictionary, value, to.type, from) : value;
            if (given === undefined || dictionary.isNull(given)) return given === actual || dictionary.isNull(actual) || isReplaced(column);
            return isSame(this.#database, given, actual);
        });
    }

    /** The value of an expression in a match; undefined where it is unknown or not computed again. */
    value(expression: Expression, registers: Int32Array): number | undefined {
        if (this.#byChance(expression) || !this.#isBound(variablesOf(expression), registers)) return undefined;
        const value = compileExpression(expression, this.scope)(registers);
        return this.#database.dictionary.isNull(value) ? undefined : value;
    }

    /** Whether the conditions and negated atoms that use results of aggregates hold. */
    holdsAfterwards(registers: Int32Array): boolean {
        this.#registers = registers;
        return this.#holds(true);
    }

    #assignments(): Assigned[] {
        return this.rule.assignments
            .filter(({ afterAggregation, value }) => !afterAggregation && !this.#byChance(value))
            .map(({ variable, value }) => ({
                variable: variable.name,
                value,
                collection: explodedCollection(value, this.scope.libraryPrefixes),
            }));
    }

    #assign(left: readonly Assigned[], done: () => void): void {
        const next = left.find(({ value }) => this.#isBound(variablesOf(value)));
        if (next === undefined) {
            done();
            return;
        }
        const { dictionary } = this.#database;
        const rest = left.filter(one => one !== next);
        const computed = compileExpression(next.collection ?? next.value, this.scope)(this.#registers);
        const isCollection = ['list', 'set'].includes(dictionary.kind(computed));
        const values = next.collection === undefined ? [computed] : isCollection ? dictionary.membersOf(computed) : [];
        const before = this.#registers.slice();
        for (const value of values) {
            this.#registers = before.slice();
            const given = this.#registers[this.scope.slot(next.variable)] ?? UNBOUND;
            const isUnknown = given !== UNBOUND && dictionary.isNull(value) && dictionary.isNull(given);
            if (isUnknown || this.#set(next.variable, value)) this.#assign(rest, done);
        }
        this.#registers = before;
    }

    #holds(afterwards = false): boolean {
        const conditions = this.rule.conditions.filter(one => one.afterAggregation === afterwards && !this.#byChance(one.expression));
        return (
            conditions.every(
                ({ expression }) => !this.#isBound(variablesOf(expression)) || compileCondition(expression, this.scope)(this.#registers),
            ) && this.rule.literals.every(one => !one.negated || one.afterAggregation !== afterwards || !this.#isMatched(one))
        );
    }

    #isMatched({ atom, predicate }: Literal): boolean {
        const rows = this.#database.relation(predicate);
        const seen = new Map<string, number>();
        const wanted = atom.arguments.map(term =>
            term.kind === 'anonymous' || !this.#isBound(variablesOf(term))
                ? undefined
                : compileExpression(term, this.scope)(this.#registers),
        );
        for (let row = 0; row < (rows?.count ?? 0); row++) {
            seen.clear();
            const agrees = wanted.every((value, column) => {
                const actual = rows?.columns[column]?.[row] ?? UNBOUND;
                const term = atom.arguments[column];
                if (value !== undefined) return actual === value;
                if (term?.kind !== 'variable') return true;
                const first = seen.get(term.name) ?? actual;
                seen.set(term.name, first);
                return first === actual;
            });
            if (agrees) return true;
        }
        return false;
    }

    #set(name: string, value: number): boolean {
        const slot = this.scope.slot(name);
        if (this.#registers[slot] === UNBOUND) this.#registers[slot] = value;
        return this.#registers[slot] === value;
    }

    #isBound(names: readonly string[], registers = this.#registers): boolean {
        return names.every(name => registers[this.scope.slot(name)] !== UNBOUND);
    }
}

/** Equal, or doubles that another order of adding has made a little different. */
export function isSame({ dictionary }: Database, left: number, right: number): boolean {
    if (left === right) return true;
    if (!dictionary.isNumber(left) || !dictionary.isNumber(right)) return false;
    const [a, b] = [dictionary.numberOf(left), dictionary.numberOf(right)];
    return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}
