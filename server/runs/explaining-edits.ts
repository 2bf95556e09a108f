import type { OutputKey } from '#server/protocol/runs.ts';

/** The rows of outputs, each as a text that only equal rows have; an output that is not there has none. */
export type RowTexts = ReadonlyMap<OutputKey, string>;

/** The search for the edits of a program that explain the rows of some outputs. */
export interface EditSearch {
    /** Edits are numbered from zero. */
    readonly edits: number;
    readonly outputs: readonly OutputKey[];
    /** The rows with none of the edits, and with all. */
    readonly none: RowTexts;
    readonly all: RowTexts;
    /** The rows with some of the edits; nothing where these make no program that can be evaluated. */
    evaluate(edits: readonly number[]): Promise<RowTexts | undefined>;
    /** Whether no more is to be evaluated. */
    enough(): boolean;
}

/** The edits that explain the change of an output's rows. */
export type Explained =
    /** The rows are the same with all of them and with none. */
    | { readonly kind: 'none' }
    | {
          readonly kind: 'edits';
          /** With these alone the rows are those with all; without one of them they are not, as far as there was time. */
          readonly edits: readonly number[];
          /** There are no fewer with which it is so. */
          readonly smallest: boolean;
          /** Edits without effect, alone and as the last. */
          readonly idle: readonly number[];
      }
    /** There was no time to find out. */
    | { readonly kind: 'undecided' };

/** Sets of edits that are tried for one that is smaller than what was found. */
const MOST_SETS = 500;

/**
 * Finds for each output few edits that make of its rows without edits those with all: single ones first, then by leaving out ever smaller parts
 * (delta debugging), then whether still fewer do.
 */
export async function explainingEdits(search: EditSearch): Promise<Map<OutputKey, Explained>> {
    const { edits: count, outputs, none, all, enough } = search;
    const every = Array.from({ length: count }, (_, edit) => edit);
    const known = new Map<string, RowTexts | undefined>([
        ['', none],
        [every.join(), all],
    ]);
    const rowsWith = async (edits: readonly number[]): Promise<RowTexts | undefined> => {
        const key = edits.join();
        if (!known.has(key) && !enough()) known.set(key, await search.evaluate(edits));
        return known.get(key);
    };
    const makes = async (output: OutputKey, edits: readonly number[], rows = all): Promise<boolean> => {
        const found = await rowsWith(edits);
        return found !== undefined && found.get(output) === rows.get(output);
    };

    const few = async (output: OutputKey): Promise<readonly number[]> => {
        for (const edit of every) if (await makes(output, [edit])) return [edit];
        let kept = every;
        for (let parts = 2; kept.length > 1 && !enough(); ) {
            const chunks = partsOf(kept, parts);
            const rests = chunks.map(chunk => kept.filter(edit => !chunk.includes(edit)));
            const chunk = await first(chunks, own => makes(output, own));
            const rest = chunk ?? (await first(rests, own => makes(output, own)));
            if (rest === undefined && parts === kept.length) break;
            parts = chunk !== undefined ? 2 : rest !== undefined ? Math.max(parts - 1, 2) : Math.min(2 * parts, kept.length);
            kept = rest ?? kept;
        }
        return kept;
    };
    const fewest = async (output: OutputKey, found: readonly number[]) => {
        let tried = 0;
        for (let size = 2; size < found.length; size++) {
            for (const edits of setsOf(every, size)) {
                if (++tried > MOST_SETS || enough()) return { edits: found, smallest: false };
                if (await makes(output, edits)) return { edits, smallest: true };
            }
        }
        return { edits: found, smallest: !enough() };
    };
    const isIdle = async (output: OutputKey, edit: number): Promise<boolean> =>
        (await makes(output, [edit], none)) &&
        makes(
            output,
            every.filter(other => other !== edit),
        );

    const differing = outputs.filter(output => none.get(output) !== all.get(output));
    const explained = new Map<OutputKey, Explained>(outputs.map(output => [output, { kind: 'none' }]));
    // Something of all comes before more of one.
    const found = new Map<OutputKey, readonly number[]>();
    for (const output of differing) found.set(output, await few(output));
    for (const [output, edits] of found) {
        if (edits.length === count && count > 1 && enough()) {
            explained.set(output, { kind: 'undecided' });
            continue;
        }
        const best = await fewest(output, edits);
        const idle: number[] = [];
        for (const edit of every) if (!best.edits.includes(edit) && (await isIdle(output, edit))) idle.push(edit);
        explained.set(output, { kind: 'edits', ...best, idle });
    }
    return explained;
}

async function first<T>(values: readonly T[], holds: (value: T) => Promise<boolean>): Promise<T | undefined> {
    for (const value of values) if (await holds(value)) return value;
    return undefined;
}

/** Numbers in so many parts of about the same length. */
function partsOf(numbers: readonly number[], parts: number): number[][] {
    const at = (part: number): number => Math.floor((part * numbers.length) / parts);
    return Array.from({ length: parts }, (_, part) => numbers.slice(at(part), at(part + 1)));
}

/** The sets of so many of some numbers. */
function* setsOf(numbers: readonly number[], size: number, from = 0): Generator<number[]> {
    if (size === 0) {
        yield [];
        return;
    }
    for (let at = from; at <= numbers.length - size; at++)
        for (const rest of setsOf(numbers, size - 1, at + 1)) yield [numbers[at] ?? 0, ...rest];
}
