/** A row that one of two runs has and the other has not, or has otherwise. */
export interface DifferentRow {
    /** Sets of edits that may make the difference, by what its explanations use: the most likely first. */
    likely(): Iterable<readonly number[]>;
}

/** The search for the edits between two runs that make the difference in each row. */
export interface CauseSearch {
    /** Edits are numbered from zero. */
    readonly edits: number;
    readonly rows: readonly DifferentRow[];
    /** For each row, whether it is as in the later run where some of the edits are done; nothing where these make no program that can be evaluated. */
    evaluate(edits: readonly number[]): Promise<Uint8Array | undefined>;
    /** Whether no more is to be evaluated. */
    enough(): boolean;
}

/** Edits which alone make a row what it is in the later run. */
export interface RowCause {
    /** Without one of them it is not so, as far as there was time. */
    readonly edits: readonly number[];
    /** No fewer make it so. */
    readonly smallest: boolean;
}

/** Up to this many edits are tried each alone. */
const MOST_ALONE = 64;

/** Finds for each row few edits that make it what it is; undefined where there was no time, or where something else does. */
export async function rowCauses({ edits: count, rows, evaluate, enough }: CauseSearch): Promise<(RowCause | undefined)[]> {
    const every = Array.from({ length: count }, (_, edit) => edit);
    const known = new Map<string, Uint8Array | undefined>([['', new Uint8Array(rows.length)]]);
    const evaluated = async (edits: readonly number[]): Promise<Uint8Array | undefined> => {
        const key = edits.join();
        if (!known.has(key) && !enough()) known.set(key, await evaluate(edits));
        return known.get(key);
    };
    const makes = async (row: number, edits: readonly number[]): Promise<boolean> => (await evaluated(edits))?.[row] === 1;
    const alone = async (row: number, edits: readonly number[]): Promise<number | undefined> => {
        for (const edit of edits) if (await makes(row, [edit])) return edit;
        return undefined;
    };
    const causeOf = async (row: number, likely: Iterable<readonly number[]>): Promise<RowCause | undefined> => {
        for (const edits of [...likely, every]) {
            if (!(await makes(row, edits))) continue;
            const only = edits.length <= MOST_ALONE ? await alone(row, edits) : undefined;
            if (only !== undefined) return { edits: [only], smallest: true };
            const few = await fewer(edits, some => makes(row, some));
            const other = few.length > 1 && count <= MOST_ALONE ? await alone(row, every) : undefined;
            if (other !== undefined) return { edits: [other], smallest: true };
            return { edits: few, smallest: few.length === 1 || (few.length === 2 && count <= MOST_ALONE && !enough()) };
        }
        return undefined;
    };
    const causes: (RowCause | undefined)[] = [];
    for (const [row, { likely }] of rows.entries()) causes.push(await causeOf(row, enough() ? [] : likely()));
    return causes;
}

/** Few of some edits that still do, by leaving out ever smaller parts (delta debugging). */
async function fewer(edits: readonly number[], suffice: (edits: readonly number[]) => Promise<boolean>): Promise<readonly number[]> {
    let kept = edits;
    for (let size = Math.ceil(kept.length / 2); size >= 1 && kept.length > 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
        for (let at = 0; at < kept.length && kept.length > 1; ) {
            const rest = [...kept.slice(0, at), ...kept.slice(at + size)];
            if (rest.length > 0 && (await suffice(rest))) kept = rest;
            else at += size;
        }
    }
    return kept;
}
