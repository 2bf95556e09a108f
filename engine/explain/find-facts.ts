import { type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import type { Atom, Expression } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database, Rows } from '../database.ts';
import { compileExpression } from '../evaluate/expression.ts';
import { sortRows } from '../results/sort-rows.ts';
import type { ValueId } from '../values/dictionary.ts';
import type { FactRow } from './match-rule.ts';

export type FoundFacts =
    /** In listing order; a question without open columns finds one. */
    | { readonly kind: 'found'; readonly facts: readonly FactRow[] }
    /** No such fact; those that agree with it in most columns, at most `NEAR`. */
    | { readonly kind: 'absent'; readonly near: readonly FactRow[] }
    | { readonly kind: 'unknown-predicate' }
    | { readonly kind: 'wrong-arity'; readonly arities: readonly number[] };

const NEAR = 3;

/** The facts that an atom describes; variables and anonymous terms leave their columns open. */
export function findFacts(database: Database, atom: Atom, place: ClausePlace): FoundFacts {
    const key = predicateKey(atom.predicate, atom.arguments.length);
    if (!database.program.predicates.has(key)) {
        const arities = [...database.program.predicates.values()].filter(({ name }) => name === atom.predicate).map(({ arity }) => arity);
        return arities.length === 0 ? { kind: 'unknown-predicate' } : { kind: 'wrong-arity', arities };
    }
    const relation = database.relation(key);
    if (relation === undefined) return { kind: 'absent', near: [] };
    const wanted = atom.arguments.map(argument => constantOf(database, argument, place));
    const rows: number[] = [];
    const columns = wanted.flatMap((value, column) => (value === undefined ? [] : [column]));
    relation.match(
        columns,
        columns.map(column => wanted[column]!),
        row => rows.push(row),
    );
    if (rows.length === 0) return { kind: 'absent', near: nearest(key, relation, wanted) };
    const keys = relation.columns.map((_, column) => ({ column, descending: false }));
    return {
        kind: 'found',
        facts: [...sortRows(database.dictionary, relation, Int32Array.from(rows), keys)].map(row => ({ predicate: key, row })),
    };
}

function constantOf(database: Database, argument: Expression, place: ClausePlace): ValueId | undefined {
    if (argument.kind === 'variable' || argument.kind === 'anonymous') return undefined;
    return compileExpression(argument, {
        dictionary: database.dictionary,
        place,
        slot: () => 0,
        type: () => MIXED,
        parameter: name => ({ value: database.parameters.get(name) ?? database.dictionary.freshNull(name), type: MIXED }),
        report: () => undefined,
    })(new Int32Array(1));
}

function nearest(predicate: PredicateKey, relation: Rows, wanted: readonly (ValueId | undefined)[]): FactRow[] {
    let best = 1;
    let near: FactRow[] = [];
    for (let row = 0; row < relation.count; row++) {
        const equal = wanted.filter((value, column) => value !== undefined && relation.columns[column]![row] === value).length;
        if (equal < best) continue;
        if (equal > best) near = [];
        best = equal;
        if (near.length < NEAR) near.push({ predicate, row });
    }
    return near;
}
