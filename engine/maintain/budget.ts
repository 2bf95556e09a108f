import { Checkpoint } from '../evaluate/checkpoint.ts';

/** An update costs more than it may: the stratum had better be evaluated again. */
export class BudgetSpent extends Error {}

/** Counts the rows that an update looks at, in batches. */
export class BudgetedCheckpoint extends Checkpoint {
    #allowed = Number.POSITIVE_INFINITY;

    /** From now on so many rows may be looked at. */
    allow(rows: number): void {
        this.#allowed = Number.POSITIVE_INFINITY;
        this.check();
        this.#allowed = rows - this.left;
        if (this.#allowed < 0) this.left = rows;
    }

    override check(): void {
        if (this.#allowed < 0) throw new BudgetSpent();
        super.check();
        this.#allowed -= this.left;
    }
}
