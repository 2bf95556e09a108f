import type { Cell, ResultPage } from '#server/protocol/runs.ts';

/** Rows are asked for in blocks of this many. */
export const BLOCK = 200;
/** As many blocks are kept; the longest unused one goes first. */
const KEPT = 100;
/** Requests under way at a time, so that a fast scroll asks for what is seen last. */
const IN_FLIGHT = 2;

export type Row = readonly Cell[];

/** The change of a row since it was loaded. */
export type RowMark = 'added' | 'removed';

export interface RowStore {
    /** Rows that pass the filters; unknown before the first page. */
    readonly matching: number | undefined;
    row(index: number): Row | undefined;
    mark(row: Row): RowMark | undefined;
    /** Asks for the blocks of these rows, unless they are there; what was asked for before and has not begun is dropped. */
    want(first: number, last: number): void;
    /** The rows, after loading what is missing. */
    rows(first: number, last: number): Promise<readonly Row[]>;
}

export type PageSource = (offset: number, limit: number) => Promise<ResultPage>;

/** Pages of one view of an output; `changed` is called when rows have come, `failed` when a request was refused. */
export function createRowStore(source: PageSource, changed: () => void, failed: (reason: Error) => void): RowStore {
    const blocks = new Map<number, readonly Row[]>();
    const asked = new Map<number, Promise<readonly Row[]>>();
    const marks = new WeakMap<Row, RowMark>();
    let wanted: number[] = [];
    let matching: number | undefined;

    const keep = (block: number, rows: readonly Row[]): void => {
        blocks.delete(block);
        blocks.set(block, rows);
        for (const oldest of blocks.keys()) {
            if (blocks.size <= KEPT) break;
            blocks.delete(oldest);
        }
    };
    const load = (block: number): Promise<readonly Row[]> => {
        const found = blocks.get(block);
        if (found) return Promise.resolve(found);
        const running = asked.get(block);
        if (running) return running;
        const loading = source(block * BLOCK, BLOCK).then(page => {
            matching = page.matching;
            for (const { place, mark } of page.marks ?? []) {
                const row = page.cells[place];
                if (row !== undefined) marks.set(row, mark);
            }
            keep(block, page.cells);
            return page.cells;
        });
        asked.set(block, loading);
        const done = (): void => {
            asked.delete(block);
        };
        loading.then(done, done);
        return loading;
    };
    const begin = (): void => {
        while (asked.size < IN_FLIGHT) {
            const next = wanted.shift();
            if (next === undefined) return;
            if (blocks.has(next) || asked.has(next)) continue;
            load(next).then(() => {
                changed();
                begin();
            }, failed);
        }
    };
    return {
        get matching() {
            return matching;
        },
        row(index) {
            const block = Math.floor(index / BLOCK);
            const rows = blocks.get(block);
            return rows?.[index - block * BLOCK];
        },
        mark: row => marks.get(row),
        want(first, last) {
            wanted = blockNumbers(first, last);
            for (const block of wanted) {
                const rows = blocks.get(block);
                if (rows) keep(block, rows);
            }
            begin();
        },
        async rows(first, last) {
            const found: Row[] = [];
            for (const block of blockNumbers(first, last)) {
                const rows = await load(block);
                const base = block * BLOCK;
                found.push(...rows.slice(Math.max(0, first - base), last - base + 1));
            }
            return found;
        },
    };
}

function blockNumbers(first: number, last: number): number[] {
    const from = Math.floor(first / BLOCK);
    return Array.from({ length: Math.floor(last / BLOCK) - from + 1 }, (_, index) => from + index);
}
