import type { PredicateKey } from '#language/program/analysed-program.ts';
import { compileVariant } from '../evaluate/compile-rule.ts';
import { plannerInput, type RunContext, relationOf } from '../evaluate/run-context.ts';
import type { PlanLiteral, PlanOutput, PlanRelation, PlanRule, PlanTerm } from '../plan/plan.ts';
import { orderRule } from '../plan/planner.ts';
import type { Relation } from '../relations/relation.ts';

/** A rule that is run from some rows of one of its literals, or from rows of its head. */
export interface RuleStart {
    /** Runs the rule from these rows of a relation; what else it reads has open windows and extended indexes (`openWindows`). */
    run(from: Relation, rows: readonly number[]): void;
    /** Of each positive literal, in the order in which `found` tells their rows: its relation, or undefined where it holds the rows given. */
    readonly premises: readonly (PredicateKey | undefined)[];
}

/** Lets rules read all rows of some relations. */
export function openWindows(relations: Iterable<Relation>): void {
    for (const relation of relations) {
        relation.from = 0;
        relation.to = relation.count;
        relation.extendIndexes(relation.count);
    }
}

/** The relations that rules read. */
export function relationsRead(rules: readonly PlanRule[], run: RunContext): readonly Relation[] {
    const keys = rules.flatMap(({ literals }) => literals.map(({ relation }) => relation));
    return [...new Set(keys)].map(key => relationOf(run, key));
}

/** Takes the number of an output, the values of its terms, and the rows of the positive literals; both arrays are used again. */
export type FoundHead = (output: number, values: Int32Array, rows: Int32Array) => void;

/** The question to a rule: what it derives from rows that came, or what it had derived from rows that went. */
export type StartKind = 'gain' | 'loss';

/**
 * The rule from rows of one literal. Of a negated one these are rows that came, where derivations are lost, or that went. Lost derivations are
 * looked for without the other negated literals: what these say now need not be what they said.
 */
export function startFrom(rule: PlanRule, literal: number, kind: StartKind, run: RunContext, found: FoundHead): RuleStart {
    const given = rule.literals[literal]!;
    const start = { ...positive(given, rule), relation: keyOfStart(given.relation) };
    const others = rule.literals.filter(
        (one, index) => (index !== literal || (given.negated && kind === 'gain')) && (kind === 'gain' || !one.negated),
    );
    return compileStart(rule, [start, ...others], headsOf(rule), given.relation, run, found);
}

/** The rule from rows of the head of one output, which its matches need not have in columns that no literal binds. */
export function startFromHead(rule: PlanRule, output: number, run: RunContext, found: FoundHead, search?: { found: boolean }): RuleStart {
    const terms = headsOf(rule)[output]!;
    const { relation } = rule.outputs[output]!;
    const start: PlanLiteral = { relation: keyOfStart(relation), negated: false, recursive: false, terms: boundTerms(rule, terms) };
    return compileStart(rule, [start, ...rule.literals], [terms], relation, run, found, search);
}

/** The terms of a head that literals bind; the others are open. */
export function boundTerms(rule: PlanRule, terms: readonly string[]): PlanTerm[] {
    const bound = new Set(
        rule.literals.flatMap(one => (one.negated ? [] : one.terms)).flatMap(term => (term.kind === 'variable' ? [term.name] : [])),
    );
    return terms.map(name => (bound.has(name) ? { kind: 'variable', name } : { kind: 'anonymous' }));
}

/** The terms that say which rows, or which groups, the outputs of a rule concern. */
export function headsOf({ outputs }: PlanRule): readonly (readonly string[])[] {
    return outputs.map((output: PlanOutput) => (output.kind === 'contribute' ? output.keys : output.terms));
}

/**
 * A negated literal as one that is read: variables that no other literal binds are its own. One that is assigned would get its value after it
 * was looked at here.
 */
function positive(literal: PlanLiteral, rule: PlanRule): PlanLiteral {
    if (!literal.negated) return { ...literal, recursive: false };
    const bound = new Set([
        ...rule.literals.flatMap(one => (one.negated ? [] : one.terms)).flatMap(term => (term.kind === 'variable' ? [term.name] : [])),
        ...rule.constants.map(({ variable }) => variable),
    ]);
    const terms = literal.terms.map(
        (term): PlanTerm => (term.kind === 'variable' && !bound.has(term.name) ? { kind: 'variable', name: `$own ${term.name}` } : term),
    );
    return { ...literal, terms, negated: false, recursive: false };
}

/** The relation of the rows that a rule starts from, in place of another one. */
function keyOfStart(key: PredicateKey): PredicateKey {
    return `start of ${key}` as PredicateKey;
}

function compileStart(
    rule: PlanRule,
    literals: readonly PlanLiteral[],
    heads: readonly (readonly string[])[],
    from: PredicateKey,
    run: RunContext,
    found: FoundHead,
    search?: { found: boolean },
): RuleStart {
    const [start] = literals as readonly [PlanLiteral];
    const relations = run.plan.relations as Map<PredicateKey, PlanRelation>;
    relations.set(start.relation, { ...relations.get(from)!, key: start.relation, internal: true });
    // An edit may have given the relation other columns than it had for earlier starts.
    if (run.relations.get(start.relation)?.arity !== start.terms.length) run.relations.delete(start.relation);
    const outputs = heads.map((terms, output): PlanOutput => {
        const relation = `matches of start ${output}` as PredicateKey;
        run.matches.set(relation, (values, rows) => found(output, values, rows));
        return { kind: 'match', relation, terms };
    });
    const matched: PlanRule = { ...rule, literals, outputs };
    const order = orderRule(matched, 0, plannerInput(run));
    const go = compileVariant({ ...order, execution: { kind: 'rows' } }, outputs[0]!.relation, false, run, search);
    // The compiled rule knows its receiver. A program that is held for long would keep every rule ever compiled.
    for (const { relation } of outputs) run.matches.delete(relation);
    const rows = relationOf(run, start.relation);
    const premises = literals.filter(({ negated }) => !negated).map(({ relation }) => (relation === start.relation ? undefined : relation));
    return {
        premises,
        run(source, numbers) {
            rows.showRows(source, numbers);
            go();
        },
    };
}
