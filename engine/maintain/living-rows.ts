import type { Relation } from '../relations/relation.ts';
import type { Rows } from '../relations/rows.ts';
import { livingCopy } from './fresh-rows.ts';

/** The rows of a relation that are there until it changes. They are copied once more than their number is asked for. */
export function livingRows(relation: Relation): Rows {
    if (relation.gone === 0) return relation;
    let copy: Relation | undefined;
    const copied = (): Relation => {
        copy ??= livingCopy(relation);
        return copy;
    };
    return {
        arity: relation.arity,
        count: relation.count - relation.gone,
        get columns() {
            return copied().columns;
        },
        find: (row, pause) => copied().find(row, pause),
        match: (columns, values, found, pause) => copied().match(columns, values, found, pause),
    };
}
