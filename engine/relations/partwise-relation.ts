import type { Relation } from './relation.ts';
import { SourceSet } from './source-set.ts';

/**
 * A relation that is filled part by part: no row of a part is in another one, so that what tells rows apart forgets those of earlier
 * parts. It must have no rows before the first part.
 */
export class PartwiseRelation {
    readonly relation: Relation;
    readonly forgets: boolean;
    /** The values beside the one that all rows of the present part have. */
    readonly #source: SourceSet | undefined;
    readonly #column: 0 | 1;
    /** The first row of the present part. */
    first = 0;

    /**
     * `forgets` gives up the rows of earlier parts, which are only counted, if no rule reads them. Each part of pairs may have one value in
     * the column `source`; then rows come by `insert2` and `insertRun`.
     */
    constructor(relation: Relation, forgets: boolean, source?: 0 | 1) {
        this.relation = relation;
        this.forgets = forgets;
        this.#column = source ?? 0;
        relation.useTable();
        if (source === undefined) return;
        this.#source = new SourceSet(relation.memory);
        relation.tellBySource(this.#source, source);
    }

    /** The next rows are a part of their own. */
    startPart(): void {
        const { relation } = this;
        this.#source?.clear(relation.columns[1 - this.#column]!, this.first, relation.count);
        if (this.forgets) relation.forget();
        this.first = relation.count;
        relation.passOver(this.first);
        relation.from = this.first;
        relation.to = this.first;
    }

    /** Takes the rows of the present part back; returns what stands in them beside the value of the part. */
    takeBack(): Int32Array {
        const { relation } = this;
        const values = relation.columns[1 - this.#column]!.slice(this.first, relation.count);
        this.#source?.clear(values, 0, values.length);
        relation.count = this.first;
        return values;
    }

    /** Adds parts that were found elsewhere: of each source so many rows, and what stands beside it in them. No other rows may come before `endParts`. */
    addParts(sources: Int32Array, counts: Int32Array, values: Int32Array): void {
        const { relation } = this;
        if (this.forgets) {
            for (const count of counts) relation.forgotten += count;
            return;
        }
        const column = new Int32Array(values.length);
        let free = 0;
        for (const [i, count] of counts.entries()) {
            column.fill(sources[i]!, free, free + count);
            free += count;
        }
        relation.append(this.#column === 1 ? [values, column] : [column, values], values.length);
    }

    /** Joins the parts: from now on rows are told apart from all others. */
    endParts(): void {
        const { relation } = this;
        if (this.forgets) relation.forget();
        relation.useTable();
        relation.passOver(0);
        relation.isLive = false;
    }
}
