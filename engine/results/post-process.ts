import type { PostDirective } from '#language/program/analysed-program.ts';
import type { Rows } from '../relations/rows.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { type SortKey, sortRows } from './sort-rows.ts';

/**
 * The row numbers that remain after the `@post` directives, in listing order. Directives apply in the phases of
 * decision D-66: prelimit, certain, minima and maxima, orderby, limit.
 */
export function postProcess(dictionary: Dictionary, relation: Rows, directives: readonly PostDirective[]): Int32Array {
    let rows = sortRows(dictionary, relation, allRows(relation), ascending(relation.arity));
    rows = rows.subarray(0, smallest(directives, 'prelimit'));
    if (directives.some(directive => directive.kind === 'certain')) {
        rows = rows.filter(row => relation.columns.every(column => !dictionary.isNull(column[row]!)));
    }
    for (const directive of directives) rows = optimised(dictionary, relation, rows, directive);
    const order = directives.flatMap(directive => (directive.kind === 'orderby' ? directive.keys : []));
    if (order.length > 0) rows = sortRows(dictionary, relation, rows, order);
    return rows.subarray(0, smallest(directives, 'limit'));
}

/** The order of the steps of `postProcess`. */
const PHASES: Readonly<Record<PostDirective['kind'], number>> = {
    prelimit: 0,
    certain: 1,
    unique: 1,
    min: 2,
    max: 2,
    argmin: 2,
    argmax: 2,
    orderby: 3,
    limit: 4,
};

/** Sorts directives by the phases in which they apply. */
export function inPhases(directives: readonly PostDirective[]): PostDirective[] {
    return directives.toSorted((one, other) => PHASES[one.kind] - PHASES[other.kind]);
}

export function allRows(relation: Rows): Int32Array {
    const rows = new Int32Array(relation.count);
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    return rows;
}

function ascending(arity: number): SortKey[] {
    return Array.from({ length: arity }, (_, column) => ({ column, descending: false }));
}

function smallest(directives: readonly PostDirective[], kind: 'prelimit' | 'limit'): number {
    return Math.min(
        ...directives.map(directive => (directive.kind === kind && 'count' in directive ? directive.count : Infinity)),
        0x7fffffff,
    );
}

function optimised(dictionary: Dictionary, relation: Rows, rows: Int32Array, directive: PostDirective): Int32Array {
    switch (directive.kind) {
        case 'min':
        case 'max': {
            const groups = ascending(relation.arity).filter(key => !directive.columns.includes(key.column));
            const targets = directive.columns.map(column => ({ column, descending: directive.kind === 'max' }));
            return bestOfGroups(dictionary, relation, rows, groups, targets, []);
        }
        case 'argmin':
        case 'argmax': {
            const groups = directive.groups.map(column => ({ column, descending: false }));
            const target = { column: directive.column, descending: directive.kind === 'argmax' };
            return bestOfGroups(dictionary, relation, rows, groups, [target], [target]);
        }
        case 'prelimit':
        case 'limit':
        case 'certain':
        case 'unique':
        case 'orderby':
            return rows;
    }
}

/**
 * Keeps the first row of each group by the targets, and those that are equal to it in the `ties` columns where there are any. A known value
 * comes before an unknown one, whichever way a target is sorted.
 */
function bestOfGroups(
    dictionary: Dictionary,
    relation: Rows,
    rows: Int32Array,
    groups: readonly SortKey[],
    targets: readonly SortKey[],
    ties: readonly SortKey[],
): Int32Array {
    const equal = (keys: readonly SortKey[], left: number, right: number): boolean =>
        keys.every(({ column }) => relation.columns[column]![left] === relation.columns[column]![right]);
    const isKnownFirst = (best: number, row: number): boolean => {
        const decisive = targets.find(target => !equal([target], best, row));
        const [was, is] = [best, row].map(at => decisive && dictionary.isNull(relation.columns[decisive.column]![at]!));
        return was === true && is === false;
    };
    const kept: number[] = [];
    let best = -1;
    let groupStart = 0;
    for (const row of sortRows(dictionary, relation, rows, [...groups, ...targets])) {
        const isSameGroup = best >= 0 && equal(groups, best, row);
        if (!isSameGroup) groupStart = kept.length;
        if (!isSameGroup || isKnownFirst(best, row)) {
            kept.length = groupStart;
            best = row;
            kept.push(row);
        } else if (ties.length > 0 && equal(ties, best, row)) kept.push(row);
    }
    return sortRows(dictionary, relation, Int32Array.from(kept), ascending(relation.arity));
}
