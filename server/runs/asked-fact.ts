import type { Database } from '#engine/contracts/database.ts';
import { type FoundFacts, findFacts } from '#engine/explain/find-facts.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import type { Pause } from '#engine/relations/rows.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { type AnalysedProgram, predicateKey } from '#language/program/analysed-program.ts';
import type { Fact } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';

/** A fact that the user asks about. */
export interface AskedFact extends Fact {
    /** Labels of nulls by column. */
    readonly labels: readonly (readonly [column: number, label: string])[];
}

/** The fact that a text asks about; a null is asked for by its label, an open column by a variable or `_`. */
export function readFact(text: string): AskedFact | undefined {
    const labels: string[] = [];
    const open = text
        .trim()
        .replace(/\.$/, '')
        .replace(/"(?:[^"\\]|\\[\s\S]|"")*(?:"|\\?$)|\bz\d+\b/g, word => {
            if (word.startsWith('"')) return word;
            labels.push(word);
            return say`Label${labels.length - 1}_`;
        });
    const [clause, ...more] = readProgram(`${open}.`, 'question').value.clauses;
    if (clause?.kind !== 'fact' || more.length > 0) return undefined;
    const columns = clause.atom.arguments.flatMap((argument, column) => {
        const number = argument.kind === 'variable' ? /^Label(\d+)_$/.exec(argument.name)?.[1] : undefined;
        return number === undefined ? [] : [[column, labels[Number(number)] ?? ''] as const];
    });
    return { ...clause, labels: columns };
}

/** Why a question cannot be asked of a program, in words for the user; undefined where it can. */
export function questionProblem({ predicates }: AnalysedProgram, asked: AskedFact | undefined): string | undefined {
    if (asked === undefined) return say`This is not a fact: write it as in a program, with texts in quotes and _ for any value`;
    const { predicate, arguments: terms } = asked.atom;
    if (predicates.has(predicateKey(predicate, terms.length))) return undefined;
    const all = [...predicates.values()];
    const arities = all.filter(({ name }) => name === predicate).map(({ arity }) => arity);
    if (arities.length > 0) return say`'${predicate}' has ${arities.join(' or ')} columns, not ${terms.length}`;
    const meant = nearestName(
        predicate,
        all.map(({ name }) => name),
    );
    return say`The program has no predicate '${predicate}'${meant === undefined ? '' : say`; did you mean '${meant}'?`}`;
}

/** Warns that a question may not say what was meant: a name without quotes is a variable, and leaves its column open. */
export function questionRemark({ atom, labels }: AskedFact): string | undefined {
    const labelled = new Set(labels.map(([column]) => column));
    const names = atom.arguments.flatMap((term, column) => (term.kind === 'variable' && !labelled.has(column) ? [term.name] : []));
    const [name] = names;
    return name === undefined ? undefined : say`${name} stands for any value; as a text it would be "${name}"`;
}

/** Whether some column is open, so that several facts may fit. */
export function isOpen({ atom, labels }: AskedFact): boolean {
    const open = atom.arguments.filter(({ kind }) => kind === 'variable' || kind === 'anonymous');
    return open.length > labels.length;
}

/** The facts that a question describes; where only the labels of nulls differ, `others` has them. */
export type AskedFacts = Exclude<FoundFacts, { kind: 'found' }> | { readonly kind: 'found' | 'others'; readonly facts: readonly FactRow[] };

/** Finds the facts that a question describes, in listing order. */
export function findAsked(database: Database, asked: AskedFact, label: NullLabel, pause?: Pause): AskedFacts {
    const found = findFacts(database, asked.atom, asked.place, pause);
    if (found.kind !== 'found') return found;
    const wanted = found.facts.filter(fact => asked.labels.every(([column, text]) => labelAt(database, fact, column, label) === text));
    return wanted.length === 0 ? { kind: 'others', facts: found.facts } : { kind: 'found', facts: wanted };
}

/** The values of a fact. */
export function valuesOf(database: Database, { predicate, row }: FactRow): number[] {
    return (database.relation(predicate)?.columns ?? []).map(column => column[row] ?? 0);
}

function labelAt(database: Database, fact: FactRow, column: number, label: NullLabel): string | undefined {
    const id = valuesOf(database, fact)[column];
    return id !== undefined && database.dictionary.isNull(id) ? label(id) : undefined;
}
