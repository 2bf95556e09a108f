import type { Listing } from '#engine/results/listing.ts';
import { allRows } from '#engine/results/post-process.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { translation } from './kept-rows.ts';
import { outputSummary } from './output-summary.ts';

/** The differences of an output's rows from one run to another. */
export interface ComparedOutput {
    /**
     * The rows that differ, in the order of the later run, with what became of each in a column before the others; a row of the earlier run
     * stands before the next one that both have. A changed row is there twice, as it was and as it is now.
     */
    readonly listing: Listing;
    /** The difference of each of its rows. */
    readonly kinds: readonly RowDifference[];
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
    /** A row counts as changed where these columns are the same; empty where rows are only added and removed. */
    readonly keys: readonly string[];
}

/** Of a changed row there are two: what it was, and what it is now. */
export type RowDifference = 'added' | 'removed' | 'was' | 'now';

/** Values of the columns of some rows in one dictionary. */
export interface Table {
    readonly count: number;
    readonly columns: readonly Int32Array[];
}

/** A row of one of the runs, and the row of the later run before which it stands. */
interface Difference {
    readonly rank: number;
    readonly from: 'before' | 'after';
    readonly row: number;
    readonly change: RowDifference;
}

/**
 * Compares the rows of two runs output by output, those of the later run first. Nulls are told apart within a row only: their labels differ
 * from run to run.
 */
export function compareListings(before: readonly Listing[], after: readonly Listing[]): ComparedOutput[] {
    const { dictionary } = after[0] ?? before[0] ?? {};
    if (dictionary === undefined) return [];
    const old = new Map(before.map(listing => [listing.predicate, listing]));
    const now = new Set(after.map(({ predicate }) => predicate));
    const translate = translationOf(before[0]?.dictionary ?? dictionary, dictionary);
    return [
        ...after.map(listing =>
            compared(
                listing,
                tableOf(old.get(listing.predicate), translate),
                tableOf(listing, id => id),
            ),
        ),
        ...before
            .filter(({ predicate }) => !now.has(predicate))
            .map(listing => compared({ ...listing, dictionary }, tableOf(listing, translate), tableOf(undefined, translate))),
    ];
}

/** Describes the difference of an output, as a sentence. */
export function differenceText({ listing: { name }, added, removed, changed, keys }: ComparedOutput): string {
    if (added + removed + changed === 0) return say`'${name}' has the same rows`;
    const counts = [countText(added), countText(removed), countText(changed)] as const;
    return keys.length === 0
        ? say`'${name}': ${counts[0]} added, ${counts[1]} removed; none counts as changed, since no columns before numbers tell its rows apart`
        : say`'${name}': ${counts[0]} added, ${counts[1]} removed, ${counts[2]} changed: the same ${keys.join(', ')}, but other values`;
}

function compared(described: Listing, before: Table, after: Table): ComparedOutput {
    const { dictionary, columns } = described;
    const every = columns.map((_, column) => column);
    const same = sameRows(dictionary, before, after, every);
    const removed = numbers(before.count).filter(row => same.partner[row] === -1);
    const added = numbers(after.count).filter(row => same.taken[row] === 0);
    const keys = keyColumns(described, before, after);
    const changes = keys.length === 0 ? [] : changedRows(dictionary, { before, removed, after, added }, keys);
    const [were, are] = [new Set(changes.map(([row]) => row)), new Set(changes.map(([, row]) => row))];
    const next = nextPartner(same.partner, after.count);
    const differences: Difference[] = [
        ...changes.flatMap(([was, row]): Difference[] => [
            { rank: row, from: 'before', row: was, change: 'was' },
            { rank: row, from: 'after', row, change: 'now' },
        ]),
        ...removed.flatMap((row): Difference[] =>
            were.has(row) ? [] : [{ rank: next[row] ?? 0, from: 'before', row, change: 'removed' }],
        ),
        ...added.flatMap((row): Difference[] => (are.has(row) ? [] : [{ rank: row, from: 'after', row, change: 'added' }])),
    ];
    // What stays equal keeps its order: the row as it was comes before the row as it is.
    differences.sort((a, b) => a.rank - b.rank);
    return {
        listing: listingOf(described, { before, after }, differences),
        kinds: differences.map(({ change }) => change),
        added: added.length - changes.length,
        removed: removed.length - changes.length,
        changed: changes.length,
        keys: keys.flatMap(column => columns[column]?.name ?? []),
    };
}

/** For each row of the earlier run the equal one of the later run, each taken once, or -1. */
function sameRows(dictionary: Dictionary, before: Table, after: Table, columns: readonly number[]) {
    const rows = new Map<string, number[]>();
    for (let row = after.count - 1; row >= 0; row--) {
        const text = textOfRow(dictionary, after, row, columns);
        const known = rows.get(text);
        if (known === undefined) rows.set(text, [row]);
        else known.push(row);
    }
    const partner = new Int32Array(before.count).fill(-1);
    const taken = new Uint8Array(after.count);
    for (let row = 0; row < before.count; row++) {
        const found = rows.get(textOfRow(dictionary, before, row, columns))?.pop();
        if (found === undefined) continue;
        partner[row] = found;
        taken[found] = 1;
    }
    return { partner, taken };
}

/** The row of the later run before which each row of the earlier one stands. */
function nextPartner(partner: Int32Array, end: number): Int32Array {
    const next = new Int32Array(partner.length);
    let rank = end;
    for (let row = partner.length - 1; row >= 0; row--) {
        const own = partner[row] ?? -1;
        if (own >= 0) rank = own;
        next[row] = rank;
    }
    return next;
}

interface Sides {
    readonly before: Table;
    readonly removed: readonly number[];
    readonly after: Table;
    readonly added: readonly number[];
}

function changedRows(dictionary: Dictionary, { before, removed, after, added }: Sides, keys: readonly number[]): [number, number][] {
    const now = new Map(added.map(row => [textOfRow(dictionary, after, row, keys), row]));
    return removed.flatMap((row): [number, number][] => {
        const found = now.get(textOfRow(dictionary, before, row, keys));
        return found === undefined ? [] : [[row, found]];
    });
}

/** The columns before the last ones that hold numbers or times, where they tell the rows of both runs apart. */
function keyColumns(described: Listing, before: Table, after: Table): number[] {
    const { dictionary } = described;
    const { columns } = outputSummary(described);
    const values = columns.length - 1 - columns.findLastIndex(({ shape }) => shape !== 'number' && shape !== 'time');
    const keys = numbers(columns.length - values);
    if (values === 0 || keys.length === 0) return [];
    const tellsApart = (table: Table): boolean => {
        const seen = new Set<string>();
        for (let row = 0; row < table.count; row++) seen.add(textOfRow(dictionary, table, row, keys));
        return seen.size === table.count;
    };
    return tellsApart(before) && tellsApart(after) ? keys : [];
}

/** Equal for rows with the same values in these columns, but for what nulls are called. */
export function textOfRow(dictionary: Dictionary, table: Table, row: number, columns: readonly number[]): string {
    const nulls: ValueId[] = [];
    let text = '';
    for (const column of columns) {
        const id = table.columns[column]?.[row] ?? 0;
        if (id < 0 || !dictionary.isNull(id)) {
            text += `${id},`;
            continue;
        }
        if (!nulls.includes(id)) nulls.push(id);
        text += `${dictionary.isInvented(id) ? 'z' : 'm'}${nulls.indexOf(id)},`;
    }
    return text;
}

function listingOf(
    described: Listing,
    sides: { readonly before: Table; readonly after: Table },
    differences: readonly Difference[],
): Listing {
    const { name, predicate, dictionary, columns } = described;
    const words: Readonly<Record<RowDifference, ValueId>> = {
        added: dictionary.string(say`added`),
        removed: dictionary.string(say`removed`),
        was: dictionary.string(say`changed, was`),
        now: dictionary.string(say`changed, is now`),
    };
    const values = [
        Int32Array.from(differences, ({ change }) => words[change]),
        ...columns.map((_, column) => Int32Array.from(differences, ({ from, row }) => sides[from].columns[column]?.[row] ?? 0)),
    ];
    const count = differences.length;
    const relation = { arity: values.length, count, columns: values, find: () => -1, match: () => undefined };
    const change: Column = { name: freeName(columns), type: { kind: 'string' }, cast: false };
    const at = (row: number, column: number): ValueId => values[column]?.[row] ?? 0;
    return { name, predicate, dictionary, columns: [change, ...columns], relation, rows: allRows(relation), count, at };
}

function freeName(columns: readonly Column[]): string {
    let name = say`change`;
    while (columns.some(column => column.name === name)) name += '_';
    return name;
}

export function tableOf(listing: Listing | undefined, translate: (id: ValueId) => ValueId): Table {
    if (listing === undefined) return { count: 0, columns: [] };
    const { columns, count, at } = listing;
    return {
        count,
        columns: columns.map((_, column) => Int32Array.from({ length: count }, (__, row) => translate(at(row, column)))),
    };
}

function translationOf(from: Dictionary, to: Dictionary): (id: ValueId) => ValueId {
    const numbered = new Map<ValueId, number>();
    const numberOf = (id: ValueId): number => {
        const known = numbered.get(id) ?? numbered.size;
        numbered.set(id, known);
        return known;
    };
    return from === to ? id => id : translation(from, numberOf, to);
}

function numbers(count: number): number[] {
    return Array.from({ length: count }, (_, at) => at);
}
