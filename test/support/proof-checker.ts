import { expect } from 'vitest';
import type { Database } from '#engine/contracts/database.ts';
import { splitArguments } from '#engine/explain/chase-graph.ts';
import type { DerivationNode, FactNode, PremiseNode } from '#engine/explain/explanation.ts';
import type { GraphCall } from '#engine/plan/plan.ts';
import { answerRelations } from '#engine/plan/relation-call.ts';
import type { AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import { naiveAnswer } from '../naive/naive-answer.ts';
import { checkEquality, equationOf, isMadeOfNull } from './proof-equalities.ts';
import { checkGroup, rowValues } from './proof-groups.ts';
import { type Exemption, isSame, RuleInstance, UNBOUND } from './proof-instance.ts';

/**
 * Checks each step of an explanation by itself, without the code that found it: the premises and the conclusion are an
 * instance of the rule, its conditions hold, no fact matches a negated atom, and premises appeared before the conclusion;
 * the contributions of a group give its value, relation functions give their rows by their definitions, and stated
 * equalities lead from a null to the value that took its place. Tells what could not be checked from the answer.
 */
export function expectProof(database: Database, explanation: FactNode): ReadonlySet<Exemption> {
    const checker = new ProofChecker(database);
    checker.check(explanation);
    return checker.exempt;
}

const answers = new WeakMap<AnalysedRule, readonly (readonly number[])[]>();

class ProofChecker {
    readonly exempt = new Set<Exemption>();
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
            if (node.kind === 'fact') {
                if (!node.asMatched) expect(node.row.row, node.fact).toBeLessThan(this.#database.relation(node.row.predicate)?.count ?? 0);
                for (const derivation of derivations) this.#step(node, derivation);
            }
            open.push(...derivations.flatMap(({ premises }) => premises));
        }
    }

    #step(fact: FactNode, derivation: DerivationNode): void {
        const rule = this.#ruleOf(derivation);
        if (rule === undefined) throw new Error(`${derivation.rule} is no rule of the program`);
        const [group] = derivation.premises;
        if (rule.rule.head.kind === 'equality') this.#equality(fact, rule, derivation);
        else if (rule.reads.length > 0) this.#answer(fact, rule);
        else if (group?.kind === 'group') {
            const isReplaced = this.#replacements(fact, derivation);
            const used = checkGroup(this.#database, fact, group, one => this.#ruleOf(one), isReplaced);
            for (const { exempt } of used) for (const one of exempt) this.exempt.add(one);
        } else this.#match(fact, rule, derivation);
    }

    #equality(fact: FactNode, rule: AnalysedRule, { premises }: DerivationNode): void {
        const aggregates = rule.assignments.some(assignment => assignment.aggregates.length > 0);
        if (aggregates) this.exempt.add('an equality over an aggregate');
        else checkEquality(rule, premises, equationOf(fact));
    }

    #match(fact: FactNode, rule: AnalysedRule, derivation: DerivationNode): void {
        const instance = new RuleInstance(this.#database, rule);
        const stated = derivation.premises.flatMap(premise => (premise.kind === 'fact' ? [premise] : []));
        const facts = stated.filter(premise => !premise.asMatched);
        const wasReplaced = stated.some(premise => premise.asMatched && equationOf(premise) === undefined);
        const values = rowValues(this.#database, fact.row);
        const matches = instance.matches(
            facts.map(({ row }) => row),
            wasReplaced,
        );
        expect(matches.length, `${derivation.rule} holds for the premises of ${fact.fact}`).toBeGreaterThan(0);
        const isReplaced = this.#replacements(fact, derivation);
        const isHead = rule.heads.some(
            head => head.predicate === fact.row.predicate && matches.some(one => instance.gives(head, values, one, isReplaced)),
        );
        expect(isHead, `${derivation.rule} gives ${fact.fact}`).toBe(true);
        for (const one of instance.exempt) this.exempt.add(one);
        if ((this.#database.merges?.all.length ?? 0) > 0) return;
        for (const premise of facts) {
            if (!this.#isAggregated(premise.row.predicate) && !this.#isAggregated(fact.row.predicate))
                expect(this.#height(premise), `${premise.fact} came before ${fact.fact}`).toBeLessThan(this.#height(fact));
        }
    }

    /** Which columns of a fact have a value that took the place of a null, by the equalities that its derivation states. */
    #replacements(fact: FactNode, { premises }: DerivationNode): (column: number) => boolean {
        const equations = premises.map(equationOf).filter(one => one !== undefined);
        const texts = splitArguments(fact.fact);
        return column => isMadeOfNull(texts[column] ?? '', equations);
    }

    /** The row is one that the definition of the relation function gives over the rows that it reads. */
    #answer(fact: FactNode, rule: AnalysedRule): void {
        const { program, dictionary } = this.#database;
        const call = answerRelations(program, rule).at(-1)?.call;
        if (call === undefined || call.function === 'LLM' || call.function === 'SQL' || call.function === 'python:run') {
            this.exempt.add('a value that chance or the host decides');
            return;
        }
        const instance = new RuleInstance(this.#database, rule);
        const count = this.#database.relation(call.input)?.count ?? 0;
        const rows = Array.from({ length: count }, (_, row) => rowValues(this.#database, { predicate: call.input, row }));
        const given =
            answers.get(rule) ??
            naiveAnswer(call as GraphCall, rule.heads[0]?.atom.arguments.length ?? 0, rows, instance.scope, end => Math.floor(end / 2));
        answers.set(rule, given);
        const columns = program.predicates.get(fact.row.predicate)?.columns ?? [];
        const values = rowValues(this.#database, fact.row);
        const isRow = given.some(row =>
            row.every(
                (value, column) =>
                    columns[column]?.cast || dictionary.isNull(value) || isSame(this.#database, value, values[column] ?? UNBOUND),
            ),
        );
        expect(isRow, `${rule.rule.body.kind} gives ${fact.fact}`).toBe(true);
    }

    #ruleOf({ place, span }: DerivationNode): AnalysedRule | undefined {
        return this.#database.program.rules.find(({ rule }) => rule.place === place && rule.span.start === span.start);
    }

    #isAggregated(key: PredicateKey): boolean {
        return (this.#database.program.predicates.get(key)?.aggregatedColumns.length ?? 1) > 0;
    }

    #height({ row }: FactNode): number {
        return this.#database.relation(row.predicate)?.notes?.heights?.[row.row] ?? 0;
    }
}
