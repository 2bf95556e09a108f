import { expect } from 'vitest';
import type { Database } from '#engine/contracts/database.ts';
import { chaseRows } from '#engine/explain/chase.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { FactNode, PremiseNode } from '#engine/explain/explanation.ts';
import { explanationText } from '#engine/explain/explanation-text.ts';
import { recordedChase } from '#engine/explain/recorded-chase.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { expectProof } from './proof-checker.ts';
import type { Exemption } from './proof-instance.ts';
import { checkResults } from './proof-results.ts';
import { expectWords } from './told-facts.ts';

/**
 * Explains rows of every output and checks each explanation: it rests on facts of the program and its sources alone,
 * and no fact is used to explain itself. Tells what could not be checked.
 */
export function expectExplanations(database: Database, rowsPerOutput: number): ReadonlySet<Exemption> {
    const exempt = new Set<Exemption>();
    const label = nullLabels(database.dictionary);
    for (const predicate of database.program.outputs) {
        const { rows } = listPredicate(database, predicate);
        for (const row of spread(rows, rowsPerOutput)) {
            const explanation = explainFact(database, { predicate, row }, { label });
            expectGrounded(explanation, [], new Set());
            for (const one of expectProof(database, explanation)) exempt.add(one);
            expect(explanationText(explanation)).toMatch(/\.$/u);
            expectWords(explanation);
        }
    }
    return exempt;
}

/** So many rows at most, from the first one on at equal distances. */
function spread(rows: Int32Array, most: number): Int32Array {
    const distance = Math.ceil(rows.length / most);
    return rows.filter((_, at) => at % distance === 0);
}

function expectGrounded(node: PremiseNode, path: readonly string[], done: Set<PremiseNode>): void {
    if (done.has(node)) return;
    if (node.kind === 'group') {
        checkResults(node);
        const contributions = node.contributions.flatMap(contribution => contribution.premises);
        for (const premise of contributions) expectGrounded(premise, path, done);
        return;
    }
    if (node.deferred) return;
    if (node.asMatched) return;
    if (path.includes(node.fact) && !grewLater(node)) throw new Error(`${node.fact} is used to explain itself: ${path.join(', ')}`);
    if (!isBase(node) && node.derivations.length === 0) throw new Error(`${node.fact} has neither an origin nor a derivation`);
    const below = [...path, node.fact];
    for (const derivation of node.derivations) {
        for (const premise of derivation.premises) expectGrounded(premise, below, done);
    }
    done.add(node);
}

/** The fact of a group that had a smaller value where it is a premise: what came later is listed only, not explained. */
function grewLater({ derivations }: FactNode): boolean {
    const groups = derivations.flatMap(({ premises }) => premises.flatMap(premise => (premise.kind === 'group' ? [premise] : [])));
    const listed = groups.flatMap(({ contributions }) => contributions.flatMap(({ premises }) => premises));
    return listed.some(premise => premise.kind === 'fact' && premise.deferred);
}

function isBase(node: FactNode): boolean {
    return node.origin !== undefined;
}

/** Records the chase of a small database and checks that it explains every derived row of an output, read back from its text alone. */
export function expectChase(database: Database): void {
    const label = nullLabels(database.dictionary);
    const { program } = database;
    const facts = [...program.predicates.keys()].reduce((sum, key) => sum + (database.relation(key)?.count ?? 0), 0);
    const [at] = program.rules.map(({ rule: { place, span } }) => ({ place, span }));
    if (facts > 1000 || at === undefined) return;
    const rows = [...chaseRows(database, label, () => undefined)].map(row => ({ ...row, row: { predicate: NOWHERE, row: -1 } }));
    const premises = rows.map(({ left, right }) => `${left}; ${right}`).join('; ');
    const recorded = new Map(recordedChase(program, rows, at).map(node => [node.fact, node]));
    for (const predicate of program.outputs) {
        for (const row of listPredicate(database, predicate).rows) {
            const { fact, origin } = explainFact(database, { predicate, row }, { label });
            if (origin !== undefined) continue;
            expect(recorded.has(fact), fact).toBe(true);
            if (!premises.includes(fact)) expect(recorded.get(fact)?.derivations.length, fact).toBeGreaterThan(0);
        }
    }
    for (const node of recorded.values()) expect(explanationText(node)).toMatch(/\.$/u);
}

const NOWHERE = predicateKey('nowhere', 4);
