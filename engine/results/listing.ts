import type { Column, PredicateKey } from '#language/program/analysed-program.ts';
import type { Database, Rows } from '../database.ts';
import type { OutputRows } from '../sources/source.ts';
import type { Dictionary, ValueId } from '../values/dictionary.ts';
import type { NullLabel } from '../values/text.ts';
import { allRows, postProcess } from './post-process.ts';

/** The rows of one output predicate after post-processing, in listing order. */
export interface Listing extends OutputRows {
    readonly name: string;
    readonly predicate: PredicateKey;
    readonly relation: Rows;
    /** The numbers of the rows in their relation. */
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
    const rows = options.unordered && post.length === 0 ? allRows(relation) : postProcess(dictionary, relation, post);
    return listed({ name, predicate, dictionary, columns, relation }, rows);
}

/** The listing with these rows of its relation instead of its own. */
export function withRows({ name, predicate, dictionary, columns, relation }: Listing, rows: Int32Array): Listing {
    return listed({ name, predicate, dictionary, columns, relation }, rows);
}

function listed(of: Omit<Listing, 'rows' | 'count' | 'at'>, rows: Int32Array): Listing {
    const values = of.relation.columns;
    return { ...of, rows, count: rows.length, at: (row, column) => values[column]![rows[row]!]! };
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
