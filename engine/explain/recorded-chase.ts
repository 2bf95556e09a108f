import type { AnalysedProgram, Predicate } from '#language/program/analysed-program.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import type { ChaseRow } from './chase.ts';
import { predicateOf, splitArguments, splitFacts } from './chase-graph.ts';
import type { DerivationNode, FactNode, PremiseNode } from './explanation.ts';
import { filledDescription } from './fact-text.ts';
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
    for (const row of rows) derivations.set(row.fact, [...(derivations.get(row.fact) ?? []), row]);
    const first = firstDerivations(derivations);
    const described = new Map([...program.predicates.values()].map(predicate => [`${predicate.name}/${predicate.arity}`, predicate]));
    const nodes = new Map<string, FactNode>();

    const derivation = ({ rule, left, right }: ChaseRow, conclusion: string): DerivationNode => ({
        rule,
        ...at,
        premises: premisesOf(left, right).map(premise => premiseNode(premise, conclusion)),
    });
    const premiseNode = (fact: string, conclusion: string): PremiseNode => {
        if (!fact.startsWith(GROUP)) return factNode(fact);
        const contributions = (derivations.get(fact) ?? []).filter(row => isGrounded(row, first, fact));
        return {
            kind: 'group',
            fact,
            verbalization: `the values that contribute to ${conclusion}`,
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
    return [...derivations.keys()].filter(fact => !fact.startsWith(GROUP)).map(factNode);
}

interface First {
    readonly row: RecordedRow;
    readonly height: number;
}

/** For each fact its row of smallest height, found round by round. */
function firstDerivations(derivations: ReadonlyMap<string, readonly RecordedRow[]>): Map<string, First> {
    const first = new Map<string, First>();
    const open = new Set(derivations.keys());
    const premises = new Set([...derivations.values()].flatMap(rows => rows.flatMap(row => premisesOf(row.left, row.right))));
    const given = [...premises].filter(premise => open.has(premise) && !premise.startsWith(GROUP));
    for (let height = 1; open.size > 0; height++) {
        const found: [string, First][] = [];
        for (const fact of open) {
            const row = derivations.get(fact)!.find(one => premisesOf(one.left, one.right).every(premise => !open.has(premise)));
            if (row !== undefined) found.push([fact, { row, height }]);
        }
        if (found.length === 0) {
            const next = given.find(premise => open.has(premise));
            if (next === undefined) return first;
            open.delete(next);
        }
        for (const [fact, one] of found) {
            first.set(fact, one);
            open.delete(fact);
        }
    }
    return first;
}

/** A contribution that the group does not itself rest on. */
function isGrounded({ left, right }: ChaseRow, first: ReadonlyMap<string, First>, group: string): boolean {
    const own = first.get(group)?.height ?? 0;
    return premisesOf(left, right).every(premise => (first.get(premise)?.height ?? 0) < own);
}

function premisesOf(left: string, right: string): string[] {
    return [...(left === '' ? [] : [left]), ...splitFacts(right)];
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
