import type { FollowedBlock, FollowWork } from '#engine/contracts/team.ts';
import type { PackedRange, RangeLayout } from '#engine/sources/csv-ranges.ts';

/** A task for a thread of a team: some of the blocks of a work. */
export interface Task {
    readonly work: TaskWork;
    readonly blocks: number;
    /** See `BlockClaims`. */
    readonly claims: SharedArrayBuffer;
}

export type TaskWork =
    /** Reads the ranges of a CSV file. */
    | { readonly kind: 'csv'; readonly descriptor: number; readonly size: number; readonly layout: RangeLayout }
    /** Follows the sources of a recursion. */
    | { readonly kind: 'follow'; readonly work: FollowWork };

/** The result of a block. */
export interface BlockDone {
    readonly block: number;
    readonly result: PackedRange | FollowedBlock;
}
