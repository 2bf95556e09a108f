import { predicateKey } from '#language/program/analysed-program.ts';
import type { Atom, Expression } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database } from '../contracts/database.ts';
import { compileExpression } from '../evaluate/expression.ts';
import type { Pause } from '../relations/rows.ts';
import { sortRows } from '../results/sort-rows.ts';
import type { ValueId } from '../values/value-id.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { patternRows } from './pattern-rows.ts';

export type FoundFacts =
    /** In listing order; a question without open columns finds one. */
    | { readonly kind: 'found'; readonly facts: readonly FactRow[] }
    | { readonly kind: 'absent' }
    | { readonly kind: 'unknown-predicate' }
    | { readonly kind: 'wrong-arity'; readonly arities: readonly number[] };

/** The facts that an atom describes; variables and anonymous terms leave their columns open. */
export function findFacts(database: Database, atom: Atom, place: ClausePlace, pause: Pause = () => undefined): FoundFacts {
    const key = predicateKey(atom.predicate, atom.arguments.length);
    if (!database.program.predicates.has(key)) {
        const arities = [...database.program.predicates.values()].filter(({ name }) => name === atom.predicate).map(({ arity }) => arity);
        return arities.length === 0 ? { kind: 'unknown-predicate' } : { kind: 'wrong-arity', arities };
    }
    const relation = database.relation(key);
    if (relation === undefined) return { kind: 'absent' };
    const rows = patternRows(relation, askedValues(database, atom, place), pause);
    if (rows.length === 0) return { kind: 'absent' };
    pause();
    const keys = relation.columns.map((_, column) => ({ column, descending: false }));
    return {
        kind: 'found',
        facts: [...sortRows(database.dictionary, relation, Int32Array.from(rows), keys)].map(row => ({ predicate: key, row })),
    };
}

/** What values of constants are told by. */
type Values = Pick<Database, 'dictionary' | 'parameters'>;

/** The values that an atom gives to its columns; `undefined` for open ones. */
export function askedValues(database: Values, atom: Atom, place: ClausePlace): HeadPattern {
    return atom.arguments.map(argument => constantOf(database, argument, place));
}

function constantOf(database: Values, argument: Expression, place: ClausePlace): ValueId | undefined {
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
