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
    /** The first row of the present part. */
    #first = 0;

    /**
     * Where nobody looks at rows of earlier parts, it `forgets` them: they are given up, and only counted. Each part of pairs may have one
     * value in the column `source`; then rows come by `insert2` and `insertRun`.
     */
    constructor(relation: Relation, forgets: boolean, source?: 0 | 1) {
        this.relation = relation;
        this.forgets = forgets;
        relation.useTable();
        if (source === undefined) return;
        this.#source = new SourceSet(relation.memory);
        relation.tellBySource(this.#source, source);
    }

    /** The next rows are a part of their own. */
    startPart(): void {
        const { relation } = this;
        this.#source?.clear(relation.columns[relation.sourceColumn === 1 ? 0 : 1]!, this.#first, relation.count);
        if (this.forgets) relation.forget();
        this.#first = relation.count;
        relation.passOver(this.#first);
        relation.from = this.#first;
        relation.to = this.#first;
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
