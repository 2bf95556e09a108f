import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { QueryLineage, ResultLineage, RowLineage } from '../contracts/lineage.ts';
import type { Rows } from '../relations/rows.ts';

/** Collects lineages while an answer is added, and knows the rows that they are of once it is complete. */
export class LineageRecorder {
    #kind: QueryLineage['kind'] = 'matches';
    #inputs: readonly PredicateKey[] = [];
    #columns: Int32Array[][] = [];
    readonly #counts: number[] = [];
    readonly #ends: number[] = [];
    #told = new Int32Array(1024);
    #length = 0;
    /** Numbers of rows that may be kept; then each result keeps its first match. */
    #left: number;

    constructor(most: number) {
        this.#left = most;
    }

    begin(kind: QueryLineage['kind'], inputs: readonly PredicateKey[]): void {
        this.#kind = kind;
        this.#inputs = inputs;
    }

    /** Takes rows that are added to the answer, the first `count` of these columns; gives the bytes that it keeps for them. */
    add(columns: readonly Int32Array[], count: number, lineageOf: (row: number) => RowLineage): number {
        const before = this.#length;
        this.#columns.push(columns.map(ids => ids.slice(0, count)));
        for (let row = 0; row < count; row++) {
            const lineage = lineageOf(row);
            const length = this.#left > 0 ? lineage.told.length : Math.min(lineage.told.length, this.#inputs.length);
            this.#left -= length;
            this.#counts.push(lineage.count);
            for (let i = 0; i < length; i++) this.#keep(lineage.told[i] ?? -1);
            this.#ends.push(this.#length);
        }
        return 4 * ((columns.length + 4) * count + this.#length - before);
    }

    #keep(number: number): void {
        if (this.#length === this.#told.length) {
            const longer = new Int32Array(2 * this.#length);
            longer.set(this.#told);
            this.#told = longer;
        }
        this.#told[this.#length++] = number;
    }

    /** The lineage of a complete answer; undefined where none was told. */
    of(answer: Pick<Rows, 'find' | 'count'>): QueryLineage | undefined {
        if (this.#inputs.length === 0) return undefined;
        const results = this.#counts.length;
        const rows = new Int32Array(results);
        let result = 0;
        for (const columns of this.#columns) {
            const length = columns[0]?.length ?? 0;
            for (let i = 0; i < length; i++) rows[result++] = answer.find(columns.map(ids => ids[i]!));
        }
        this.#columns = [];
        const { starts, order } = grouped(rows, answer.count);
        const [kind, inputs] = [this.#kind, this.#inputs];
        return {
            kind,
            inputs,
            of: row => {
                const found: ResultLineage[] = [];
                for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) found.push(this.#result(order[at] ?? 0));
                return found;
            },
        };
    }

    #result(result: number): ResultLineage {
        const width = this.#inputs.length;
        const matches: Int32Array[] = [];
        for (let at = this.#ends[result - 1] ?? 0; at < (this.#ends[result] ?? 0); at += width)
            matches.push(this.#told.subarray(at, at + width));
        return { count: this.#counts[result] ?? 0, matches };
    }
}

/** Sorts the results by row, with a counting sort: `starts` says where those of each row begin in `order`. */
function grouped(rows: Int32Array, count: number): { readonly starts: Int32Array; readonly order: Int32Array } {
    const starts = new Int32Array(count + 2);
    for (const row of rows) if (row >= 0) starts[row + 2]!++;
    for (let row = 2; row < starts.length; row++) starts[row]! += starts[row - 1]!;
    const order = new Int32Array(rows.length);
    for (const [result, row] of rows.entries()) if (row >= 0) order[starts[row + 1]!++] = result;
    return { starts, order };
}
