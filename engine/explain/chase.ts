import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import type { Database } from '../contracts/database.ts';
import { allRows } from '../results/post-process.ts';
import { sortRows } from '../results/sort-rows.ts';
import type { NullLabel } from '../values/text.ts';
import { explainFact } from './explain.ts';
import type { DerivationNode, GroupNode, PremiseNode } from './explanation.ts';

/** One derivation of a fact, as text (11.2). */
export interface ChaseRow {
    readonly fact: string;
    readonly left: string;
    /** The second premise and all after it. */
    readonly right: string;
    readonly rule: string;
}

export const CHASE_COLUMNS = ['Fact', 'ProvenanceLeft', 'ProvenanceRight', 'Rule'] as const;

/**
 * Every derivation of every fact that the outputs depend on, from a database whose run kept heights: predicates in the
 * order of their strata, facts in listing order, derivations by height, rule and premises. Facts and source rows have no
 * row of their own. The values of a group are its contributions, each a row, before the rows of its fact; so are the
 * equalities that it rests on, each once.
 */
export function* chaseRows(database: Database, label: NullLabel, checkpoint: () => void): Iterable<ChaseRow> {
    const needed = outputDependencies(database.program);
    const contributions = new Set<string>();
    for (const predicate of database.program.strata.flatMap(stratum => stratum.predicates)) {
        if (!needed.has(predicate)) continue;
        for (const row of listedRows(database, predicate)) {
            checkpoint();
            const { fact, derivations } = explainFact(database, { predicate, row }, { all: true, label, checkpoint });
            const told = new Set<string>();
            for (const found of derivations) {
                const derivation = found.isAnswer ? { ...found, premises: [] } : found;
                const [first] = derivation.premises;
                if (first?.kind === 'group') yield* contributionRows(first, contributions);
                yield* equalityRows(derivation, contributions);
                const derived = chaseRow(fact, derivation);
                if (isNew(derived, told)) yield derived;
            }
        }
    }
}

/** The outputs, or everything where there is none, and what their rules read, directly or not. */
export function outputDependencies({ outputs, predicates, rules }: AnalysedProgram): ReadonlySet<PredicateKey> {
    const needed = new Set(outputs.length > 0 ? outputs : predicates.keys());
    for (const key of needed) {
        for (const index of predicates.get(key)?.rules ?? [])
            for (const { predicate } of rules[index]?.literals ?? []) needed.add(predicate);
    }
    return needed;
}

/** In listing order. */
function listedRows(database: Database, predicate: PredicateKey): Iterable<number> {
    const relation = database.relation(predicate);
    if (relation === undefined) return [];
    const keys = relation.columns.map((_, column) => ({ column, descending: false }));
    return sortRows(database.dictionary, relation, allRows(relation), keys);
}

/** Facts of one group may share it, so that its contributions were told before. */
function* contributionRows({ fact, contributions }: GroupNode, told: Set<string>): Iterable<ChaseRow> {
    for (const contribution of contributions) {
        const row = chaseRow(fact, contribution);
        if (isNew(row, told)) yield row;
    }
}

/** An equality that replaced a null is a premise, and follows from the facts that an equality head matched. */
function* equalityRows({ premises }: DerivationNode, told: Set<string>): Iterable<ChaseRow> {
    for (const premise of premises) {
        if (premise.kind === 'group' || !premise.asMatched) continue;
        for (const derivation of premise.derivations) {
            const row = chaseRow(premise.fact, derivation);
            if (isNew(row, told)) yield row;
        }
    }
}

function isNew(row: ChaseRow, told: Set<string>): boolean {
    const { size } = told;
    return told.add(JSON.stringify(row)).size > size;
}

/** The remark that a value was replaced since is no fact. */
function isStated(premise: PremiseNode): boolean {
    return premise.kind === 'group' || !premise.asMatched || !premise.fact.startsWith('(');
}

function chaseRow(fact: string, { premises, rule }: DerivationNode): ChaseRow {
    const [left = '', ...right] = premises.filter(isStated).map(({ fact }) => fact);
    return { fact, left, right: right.join('; '), rule };
}
