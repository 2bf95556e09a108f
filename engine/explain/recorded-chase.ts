import type { AnalysedProgram, Predicate } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { filledDescription } from '../values/fact-text.ts';
import type { ChaseRow } from './chase.ts';
import { isEquality, predicateOf, premisesOf, splitArguments } from './chase-graph.ts';
import type { DerivationNode, FactNode, PremiseNode } from './explanation.ts';
import type { FactRow } from './match-rule.ts';

const GROUP = 'aggregated_explainability_';

/** A row of a recorded chase, and where it was found. */
export interface RecordedRow extends ChaseRow {
    readonly row: FactRow;
}

/**
 * The facts that a recorded chase derives, in the order of its rows, each explained by its derivation of smallest height
 * (ties: the order of the rows), so that explanations are finite whatever circles the rows hold. Facts that no row
 * derives are base facts; so is the first premise on a circle that nothing else grounds, since given facts that are
 * derived as well have no row that says so. `at` is the place of whoever asked.
 */
export function recordedChase(
    program: AnalysedProgram,
    rows: readonly RecordedRow[],
    at: { readonly place: ClausePlace; readonly span: Span },
): FactNode[] {
    const derivations = new Map<string, RecordedRow[]>();
    for (const row of rows) {
        const known = derivations.get(row.fact);
        if (known === undefined) derivations.set(row.fact, [row]);
        else known.push(row);
    }
    const first = firstDerivations(derivations);
    const described = new Map([...program.predicates.values()].map(predicate => [`${predicate.name}/${predicate.arity}`, predicate]));
    const nodes = new Map<string, FactNode>();

    const derivation = (row: ChaseRow, conclusion: string): DerivationNode => ({
        rule: row.rule,
        ...at,
        premises: premisesOf(row).map(premise => premiseNode(premise, conclusion)),
    });
    const premiseNode = (fact: string, conclusion: string): PremiseNode => {
        if (!fact.startsWith(GROUP)) return factNode(fact);
        const contributions = (derivations.get(fact) ?? []).filter(row => isGrounded(row, first, fact));
        return {
            kind: 'group',
            fact,
            verbalization: say`the values that contribute to ${conclusion}`,
            get contributions() {
                return contributions.map(row => derivation(row, fact));
            },
        };
    };
    const factNode = (fact: string): FactNode => {
        let node = nodes.get(fact);
        if (node === undefined) {
            const own = first.get(fact);
            let known: readonly DerivationNode[] | undefined;
            node = {
                kind: 'fact',
                row: own?.row.row ?? { predicate: rows[0]!.row.predicate, row: -1 },
                fact,
                verbalization: verbalization(fact, described),
                deferred: false,
                get derivations() {
                    known ??= own === undefined ? [] : [derivation(own.row, fact)];
                    return known;
                },
            };
            nodes.set(fact, node);
        }
        return node;
    };
    return [...derivations.keys()].filter(fact => !fact.startsWith(GROUP) && !isEquality(fact)).map(factNode);
}

interface First {
    readonly row: RecordedRow;
    readonly height: number;
}

/**
 * For each fact its row of smallest height, found round by round. Each row waits for its premises that are derived
 * themselves, so that the work is linear in the rows (unit propagation: Dowling and Gallier, 1984).
 */
function firstDerivations(derivations: ReadonlyMap<string, readonly RecordedRow[]>): Map<string, First> {
    const first = new Map<string, First>();
    const known = new Set<string>();
    const waiting = new Map<string, Waiting[]>();
    const given: string[] = [];
    let ready: Waiting[] = [];
    for (const [fact, rows] of derivations) {
        for (const [order, row] of rows.entries()) {
            const premises = new Set(premisesOf(row).filter(premise => derivations.has(premise)));
            const one: Waiting = { fact, row, order, missing: premises.size };
            if (premises.size === 0) ready.push(one);
            for (const premise of premises) {
                const others = waiting.get(premise);
                if (others !== undefined) others.push(one);
                else {
                    waiting.set(premise, [one]);
                    if (!premise.startsWith(GROUP)) given.push(premise);
                }
            }
        }
    }
    const settle = (fact: string, next: Waiting[]): void => {
        known.add(fact);
        for (const one of waiting.get(fact) ?? []) if (--one.missing === 0) next.push(one);
    };
    let circle = 0;
    for (let height = 1; known.size < derivations.size; height++) {
        const next: Waiting[] = [];
        const found = new Map<string, Waiting>();
        for (const one of ready) {
            const earlier = found.get(one.fact);
            if (!known.has(one.fact) && (earlier === undefined || one.order < earlier.order)) found.set(one.fact, one);
        }
        for (const [fact, { row }] of found) first.set(fact, { row, height });
        for (const fact of found.keys()) settle(fact, next);
        if (found.size === 0) {
            while (circle < given.length && known.has(given[circle]!)) circle++;
            const broken = given[circle];
            if (broken === undefined) return first;
            settle(broken, next);
        }
        ready = next;
    }
    return first;
}

/** A row, and how many of its premises are not settled yet. */
interface Waiting {
    readonly fact: string;
    readonly row: RecordedRow;
    /** Its place among the rows of the fact. */
    readonly order: number;
    missing: number;
}

/** A contribution that the group does not itself rest on. */
function isGrounded(row: ChaseRow, first: ReadonlyMap<string, First>, group: string): boolean {
    const own = first.get(group)?.height ?? 0;
    return premisesOf(row).every(premise => (first.get(premise)?.height ?? 0) < own);
}

function verbalization(fact: string, described: ReadonlyMap<string, Predicate>): string {
    const values = splitArguments(fact);
    const model = described.get(`${predicateOf(fact)}/${values.length}`)?.model;
    return filledDescription(model, column => values[column] && plainText(values[column])) ?? fact;
}

/** The text form of a value from its form in fact text (3.7). */
function plainText(term: string): string {
    if (term === '#T') return 'true';
    if (term === '#F') return 'false';
    if (!term.startsWith('"')) return term;
    return term
        .slice(1, -1)
        .replaceAll('""', '"')
        .replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}
