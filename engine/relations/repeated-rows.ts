import type { Memory } from '../values/memory.ts';
import { mix } from '../values/mix.ts';
import { HASH_SEED, hashStep } from './hash.ts';

/** Rows that are hashed at a time. */
const CHUNK = 1024;
/** About as many rows are in a part: its table and its hashes fit into the innermost caches. */
const PART_BITS = 11;
const MOST_PART_BITS = 12;

/**
 * Marks the rows, of the first `count` of these columns, that are equal to an earlier one; undefined where there are none. The caller
 * gives up the memory of the marks. The rows are divided by their hashes first, so that each table is small (Manegold, Boncz and
 * Kersten 2002): a fifth of the time of one table for two million rows, which would be four times as large as the rows.
 */
export function repeatedRows(columns: readonly Int32Array[], count: number, memory: Memory): Uint8Array | undefined {
    let bits = 0;
    while (bits < MOST_PART_BITS && count >> (bits + PART_BITS) > 0) bits++;
    const shift = 31 - bits;
    const held = count * 8;
    memory.reserve(held);
    const hashes = new Int32Array(Math.min(count, CHUNK));
    const ends = new Int32Array((1 << bits) + 1);
    for (let from = 0; from < count; from += CHUNK) {
        const rows = hashRows(columns, from, count, hashes);
        for (let i = 0; i < rows; i++) ends[((hashes[i]! >>> 1) >>> shift) + 1]!++;
    }
    let largest = 0;
    for (let part = 1; part < ends.length; part++) {
        largest = Math.max(largest, ends[part]!);
        ends[part]! += ends[part - 1]!;
    }
    const rowsByPart = new Int32Array(count);
    const hashesByPart = new Int32Array(count);
    for (let from = 0; from < count; from += CHUNK) {
        const rows = hashRows(columns, from, count, hashes);
        for (let i = 0; i < rows; i++) {
            const hash = hashes[i]!;
            const place = ends[(hash >>> 1) >>> shift]!++;
            rowsByPart[place] = from + i;
            hashesByPart[place] = hash;
        }
    }
    // What was the start of a part is its end now.
    const slots = slotsFor(largest);
    memory.reserve(slots * 4);
    const table = new Int32Array(slots);
    let repeated: Uint8Array | undefined;
    for (let part = 0, start = 0; part < ends.length - 1; start = ends[part++]!) {
        const end = ends[part]!;
        const mask = slotsFor(end - start) - 1;
        table.fill(0, 0, mask + 1);
        for (let i = start; i < end; i++) {
            const hash = hashesByPart[i]!;
            const row = rowsByPart[i]!;
            let slot = hash & mask;
            for (let entry = table[slot]!; entry !== 0; entry = table[slot]!) {
                if (hashesByPart[entry - 1] === hash && isSameRow(columns, rowsByPart[entry - 1]!, row)) {
                    if (repeated === undefined) {
                        memory.reserve(count);
                        repeated = new Uint8Array(count);
                    }
                    repeated[row] = 1;
                    break;
                }
                slot = (slot + 1) & mask;
            }
            if (table[slot] === 0) table[slot] = i + 1;
        }
    }
    memory.release(held + slots * 4);
    return repeated;
}

function slotsFor(rows: number): number {
    let slots = 4;
    while (slots < rows * 2) slots *= 2;
    return slots;
}

/** The hashes of up to `CHUNK` rows from this one on; returns of how many. */
function hashRows(columns: readonly Int32Array[], from: number, count: number, hashes: Int32Array): number {
    const rows = Math.min(CHUNK, count - from);
    hashes.fill(HASH_SEED);
    for (const column of columns) for (let i = 0; i < rows; i++) hashes[i] = hashStep(hashes[i]!, column[from + i]!);
    for (let i = 0; i < rows; i++) hashes[i] = mix(hashes[i]!);
    return rows;
}

function isSameRow(columns: readonly Int32Array[], left: number, right: number): boolean {
    for (const column of columns) if (column[left] !== column[right]) return false;
    return true;
}
