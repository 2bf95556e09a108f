import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Relation } from '../relations/relation.ts';
import type { RunContext } from './run-context.ts';

/** The rows that a stratum has seen, by relation. */
export type Seen = ReadonlyMap<PredicateKey, number>;

/** Makes the rows that are new the delta. */
export function moveWindow(relation: Relation): void {
    relation.groupNewRows(relation.to);
    relation.from = relation.to;
    relation.to = relation.count;
}

/** Makes the rows that have not been seen the delta. */
export function openWindows(relations: Iterable<readonly [PredicateKey, Relation]>, seen: Seen): void {
    for (const [key, relation] of relations) {
        relation.from = seen.get(key) ?? 0;
        relation.to = relation.count;
    }
}

/** The height of the highest fact so far; 0 without heights. */
export function greatestHeight({ relations, options }: RunContext): number {
    let greatest = 0;
    if (!options.heights) return greatest;
    for (const { notes, count } of relations.values()) {
        const { heights } = notes;
        for (let row = 0; heights !== undefined && row < count; row++) if (heights[row]! > greatest) greatest = heights[row]!;
    }
    return greatest;
}

/** Finds the first row above a height; rows lie in the order of their heights. */
export function endOfHeight(relation: Relation, from: number, height: number): number {
    const { count } = relation;
    const { heights } = relation.notes;
    if (heights === undefined) return count;
    let row = from;
    while (row < count && heights[row]! <= height) row++;
    return row;
}
