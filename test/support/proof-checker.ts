import { expect } from 'vitest';
import type { Database } from '#engine/database.ts';
import { compileCondition, compileExpression } from '#engine/evaluate/expression.ts';
import type { Scope } from '#engine/evaluate/scope.ts';
import { decidedByChance } from '#engine/explain/decided-by-chance.ts';
import type { DerivationNode, FactNode, GroupNode, PremiseNode } from '#engine/explain/explanation.ts';
import { type GroupMatch, groupRegisters } from '#engine/explain/group-values.ts';
import { explodedCollection } from '#language/library/exploded-collection.ts';
import type { AnalysedRule, Literal, PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Atom } from '#language/program/program.ts';
import { MIXED } from '#language/program/types.ts';

const UNBOUND = 0x7fffffff;

/**
 * Checks each step of an explanation by itself, without the code that found it: the premises and the conclusion are an
 * instance of the rule, its conditions hold, no fact matches a negated atom, and premises appeared before the conclusion.
 * What equality heads have replaced, and what chance has decided, cannot be checked from the answer alone.
 */
export function expectProof(database: Database, explanation: FactNode): void {
    new ProofChecker(database).check(explanation);
}

class ProofChecker {
    readonly #database: Database;
    readonly #checked = new Set<PremiseNode>();

    constructor(database: Database) {
        this.#database = database;
    }

    check(explanation: FactNode): void {
        const open: PremiseNode[] = [explanation];
        for (let node = open.pop(); node !== undefined; node = open.pop()) {
            if (this.#checked.has(node)) continue;
            this.#checked.add(node);
            const derivations = node.kind === 'group' ? node.contributions : node.derivations;
            if (node.kind === 'fact' && !node.asMatched) {
                expect(node.row.row, node.fact).toBeLessThan(this.#database.relation(node.row.predicate)?.count ?? 0);
                for (const derivation of derivations) this.#step(node, derivation);
            }
            open.push(...derivations.flatMap(({ premises }) => premises));
        }
    }

    #step(fact: FactNode, derivation: DerivationNode): void {
        const rule = this.#ruleOf(derivation);
        if (rule === undefined || rule.relation !== undefined || rule.rule.body.kind !== 'items' || this.#isReplaced()) return;
        const [group] = derivation.premises;
        if (group?.kind === 'group') {
            this.#group(fact, group);
            return;
        }
        const instance = new Instance(this.#database, rule);
        expect(instance.bind(derivation.premises), `${derivation.rule} matches the premises of ${fact.fact}`).toBe(true);
        expect(instance.holds(), `${derivation.rule} holds for ${fact.fact}`).toBe(true);
        const isHead = rule.heads.some(
            ({ atom, predicate }) => predicate === fact.row.predicate && instance.gives(atom, predicate, this.#values(fact)),
        );
        expect(isHead, `${derivation.rule} gives ${fact.fact}`).toBe(true);
        const height = this.#height(fact);
        for (const premise of derivation.premises) {
            if (premise.kind === 'fact' && !this.#isAggregated(premise.row.predicate) && !this.#isAggregated(fact.row.predicate))
                expect(this.#height(premise), `${premise.fact} came before ${fact.fact}`).toBeLessThan(height);
        }
    }

    /** Each contribution is a match of its rule, and those of a rule that alone makes the group give its value. */
    #group(fact: FactNode, group: GroupNode): void {
        const rules = new Set(group.contributions.map(contribution => this.#ruleOf(contribution)));
        const matches: GroupMatch[] = [];
        // One place for each variable of a rule in all of its matches.
        const instances = new Map<AnalysedRule, Instance>();
        for (const contribution of group.contributions) {
            const rule = this.#ruleOf(contribution);
            if (rule === undefined || isGiven(contribution, rule)) return;
            const instance = instances.get(rule) ?? new Instance(this.#database, rule);
            instances.set(rule, instance);
            instance.registers = new Int32Array(256).fill(UNBOUND);
            expect(instance.bind(contribution.premises), `${contribution.rule} matches a contribution to ${fact.fact}`).toBe(true);
            expect(instance.holds(), `${contribution.rule} holds for a contribution to ${fact.fact}`).toBe(true);
            matches.push({ registers: instance.registers.slice(), facts: contribution.premises.map(factOf).join() });
        }
        const [rule] = rules;
        const others = (this.#database.program.predicates.get(fact.row.predicate)?.rules ?? []).length;
        const instance = rule === undefined ? undefined : instances.get(rule);
        if (rule === undefined || instance === undefined || rules.size > 1 || others > 1) return;
        if (!instance.canBeComputedAgain(matches) || this.#values(fact).some(value => this.#database.dictionary.isNull(value))) return;
        const registers = groupRegisters(this.#database, rule, instance.scope, matches);
        if (registers === undefined) return;
        instance.registers = registers;
        const isHead = rule.heads.some(
            ({ atom, predicate }) => predicate === fact.row.predicate && instance.gives(atom, predicate, this.#values(fact)),
        );
        expect(isHead, `the contributions give ${fact.fact}`).toBe(true);
        const having = rule.conditions.filter(one => one.afterAggregation);
        expect(
            having.every(({ expression }) => compileCondition(expression, instance.scope)(registers)),
            `${fact.fact} passes its conditions`,
        ).toBe(true);
    }

    #ruleOf({ place, span }: DerivationNode): AnalysedRule | undefined {
        return this.#database.program.rules.find(({ rule }) => rule.place === place && rule.span.start === span.start);
    }

    #isReplaced(): boolean {
        return (this.#database.merges?.all.length ?? 0) > 0;
    }

    #isAggregated(key: PredicateKey): boolean {
        return (this.#database.program.predicates.get(key)?.aggregatedColumns.length ?? 1) > 0;
    }

    #height({ row }: FactNode): number {
        return this.#database.relation(row.predicate)?.heights?.[row.row] ?? 0;
    }

    #values({ row }: FactNode): number[] {
        return (this.#database.relation(row.predicate)?.columns ?? []).map(column => column[row.row] ?? UNBOUND);
    }
}

/** A fact that contributes to the group of its own predicate has no body to match. */
function isGiven({ premises }: DerivationNode, rule: AnalysedRule): boolean {
    const [first] = premises;
    const isOwn = rule.heads.some(({ atom }) => first?.fact.startsWith(`${atom.predicate}(`));
    return premises.length === 1 && isOwn && !rule.literals.some(({ atom }) => first?.fact.startsWith(`${atom.predicate}(`));
}

function factOf(premise: PremiseNode): string {
    return premise.kind === 'fact' ? `${premise.row.predicate}:${premise.row.row}` : premise.fact;
}

/** A rule with values for its variables, taken from facts one after the other. */
class Instance {
    readonly scope: Scope;
    registers: Int32Array = new Int32Array(256).fill(UNBOUND);
    readonly #database: Database;
    readonly #rule: AnalysedRule;
    readonly #slots = new Map<string, number>();
    readonly #byChance: ReturnType<typeof decidedByChance>;

    constructor(database: Database, rule: AnalysedRule) {
        this.#database = database;
        this.#rule = rule;
        this.#byChance = decidedByChance(rule, database.program.libraryPrefixes);
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

    /** Takes the values of variables from the facts of the positive atoms, in body order; false where they do not fit. */
    bind(premises: readonly PremiseNode[]): boolean {
        const positive = this.#rule.literals.filter(({ negated }) => !negated);
        const facts = premises.filter(premise => premise.kind === 'fact' && !premise.asMatched);
        if (facts.length !== positive.length) return false;
        const computed: (() => boolean)[] = [];
        const fits = positive.every(({ atom, predicate }, i) => {
            const fact = facts[i];
            if (fact?.kind !== 'fact' || !`${fact.row.predicate}`.startsWith(predicate)) return false;
            const columns = this.#database.relation(fact.row.predicate)?.columns ?? [];
            return atom.arguments.every((term, column) => {
                const value = columns[column]?.[fact.row.row] ?? UNBOUND;
                if (term.kind === 'anonymous') return true;
                if (term.kind === 'variable') return this.#set(term.name, value);
                computed.push(() => !this.#isBound(variablesOf(term)) || compileExpression(term, this.scope)(this.registers) === value);
                return true;
            });
        });
        return fits && computed.every(check => check());
    }

    /** Unknown values are other ones each time, and matches may differ in an exploded element alone. */
    canBeComputedAgain(matches: readonly GroupMatch[]): boolean {
        const { dictionary } = this.#database;
        const isExploded = this.#rule.assignments.some(({ value }) => explodedCollection(value, this.scope.libraryPrefixes) !== undefined);
        const isNull = (value: number): boolean => value !== UNBOUND && dictionary.isNull(value);
        return !isExploded && !matches.some(({ registers }) => registers.some(isNull));
    }

    /** Whether assignments, conditions and negated atoms hold; values of variables that are assigned are set. */
    holds(): boolean {
        const before = this.#rule.assignments.filter(one => !one.afterAggregation);
        for (const { variable, value } of before) {
            const collection = explodedCollection(value, this.scope.libraryPrefixes);
            if (collection !== undefined || this.#byChance(value) || value.kind === 'skolem' || !this.#isBound(variablesOf(value)))
                continue;
            const computed = compileExpression(value, this.scope)(this.registers);
            if (!this.#database.dictionary.isNull(computed) && !this.#set(variable.name, computed)) return false;
        }
        const conditions = this.#rule.conditions.filter(one => !one.afterAggregation && !this.#byChance(one.expression));
        const hold = conditions.every(
            ({ expression }) => !this.#isBound(variablesOf(expression)) || compileCondition(expression, this.scope)(this.registers),
        );
        return hold && this.#rule.literals.every(literal => !literal.negated || literal.afterAggregation || !this.#isMatched(literal));
    }

    /** Whether the head has these values wherever they can be computed. */
    gives(atom: Atom, predicate: PredicateKey, values: readonly number[]): boolean {
        const columns = this.#database.program.predicates.get(predicate)?.columns ?? [];
        return atom.arguments.every((term, column) => {
            if (columns[column]?.cast || term.kind === 'anonymous' || this.#byChance(term) || !this.#isBound(variablesOf(term)))
                return true;
            const given = compileExpression(term, this.scope)(this.registers);
            return given === values[column] || this.#database.dictionary.isNull(given);
        });
    }

    #isMatched({ atom, predicate }: Literal): boolean {
        if (!this.#isBound(atom.arguments.flatMap(term => (term.kind === 'anonymous' ? [] : variablesOf(term))))) return false;
        const rows = this.#database.relation(predicate);
        const wanted = atom.arguments.map(term =>
            term.kind === 'anonymous' ? undefined : compileExpression(term, this.scope)(this.registers),
        );
        for (let row = 0; row < (rows?.count ?? 0); row++)
            if (wanted.every((value, column) => value === undefined || rows?.columns[column]?.[row] === value)) return true;
        return false;
    }

    #set(name: string, value: number): boolean {
        const slot = this.scope.slot(name);
        if (this.registers[slot] === UNBOUND) this.registers[slot] = value;
        return this.registers[slot] === value;
    }

    #isBound(names: readonly string[]): boolean {
        return names.every(name => this.registers[this.scope.slot(name)] !== UNBOUND);
    }
}
