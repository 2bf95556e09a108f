import type { Column, PredicateKey } from '#language/program/analysed-program.ts';
import type { Database } from '../contracts/database.ts';
import type { Rows } from '../relations/rows.ts';
import type { OutputRows } from '../sources/source.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { NullLabel } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { allRows, postProcess } from './post-process.ts';

/** The rows of one output predicate after post-processing, in listing order. */
export interface Listing extends OutputRows {
    readonly name: string;
    readonly predicate: PredicateKey;
    readonly relation: Rows;
    /** The numbers of the rows in their relation, written down when first asked for where they are all rows in their order. */
    readonly rows: Int32Array;
}

export interface ListingOptions {
    /** Leaves out the sorting of a predicate without `@post` directives; the rows come in evaluation order. */
    readonly unordered?: boolean;
}

/** Lists a predicate of the program; one that derived nothing has no rows. */
export function listPredicate(database: Database, predicate: PredicateKey, options: ListingOptions = {}): Listing {
    const { dictionary } = database;
    const described = database.program.predicates.get(predicate);
    const relation = database.relation(predicate);
    const columns: readonly Column[] = described?.columns ?? [];
    const name = described?.name ?? predicate.slice(0, predicate.lastIndexOf('/'));
    if (relation === undefined)
        return listed({ name, predicate, dictionary, columns, relation: noRows(columns.length) }, new Int32Array(0));
    const post = described?.post ?? [];
    const of = { name, predicate, dictionary, columns, relation };
    return options.unordered && post.length === 0 ? listedAsFound(of) : listed(of, postProcess(dictionary, relation, post));
}

/** The listing with these rows of its relation instead of its own. */
export function withRows(
    { name, predicate, dictionary, columns, relation }: Omit<Listing, 'rows' | 'count' | 'at'>,
    rows: Int32Array,
): Listing {
    return listed({ name, predicate, dictionary, columns, relation }, rows);
}

function listed(of: Omit<Listing, 'rows' | 'count' | 'at'>, rows: Int32Array): Listing {
    const values = of.relation.columns;
    return { ...of, rows, count: rows.length, at: (row, column) => values[column]![rows[row]!]! };
}

/** All rows in the order of the relation. Most readers need no numbers for them, which are a third of the memory of a relation of pairs. */
function listedAsFound(of: Omit<Listing, 'rows' | 'count' | 'at'>): Listing {
    const { count, columns: values } = of.relation;
    let rows: Int32Array | undefined;
    return {
        ...of,
        count,
        at: (row, column) => values[column]![row]!,
        get rows() {
            rows ??= allRows(of.relation);
            return rows;
        },
    };
}

function noRows(arity: number): Rows {
    const columns = Array.from({ length: arity }, () => new Int32Array(0));
    return { arity, count: 0, columns, find: () => -1, match: () => undefined };
}

/** Numbers labelled nulls by first appearance: `z1`, `z2`… (decision D-22). */
export function nullLabels(dictionary: Dictionary): NullLabel {
    const labels = new Map<ValueId, string>();
    return id => {
        if (!dictionary.isNull(id)) throw new RangeError(`${id} is not a labelled null`);
        let label = labels.get(id);
        if (label === undefined) {
            label = `z${labels.size + 1}`;
            labels.set(id, label);
        }
        return label;
    };
}
