import { type Listing, listPredicate } from '#engine/results/listing.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Handlers } from '#server/protocol/methods.ts';
import type { ProcessMethods } from '#server/protocol/run-process.ts';
import type { OutputKey } from '#server/protocol/runs.ts';
import { cellOf } from './cells.ts';
import type { Results } from './results.ts';

/** Columns that a sample shows and whose unknown values it counts. */
const MOST_COLUMNS = 50;
/** Rows whose texts are counted, and the length of texts that one would write in a program. */
const MOST_READ = 200_000;
const LONGEST = 200;

/** Answers about every relation that a run still has, not only about its outputs. */
export function relationAnswers({
    database,
    listings,
    label,
}: Results): Pick<Handlers<ProcessMethods, number>, 'rulelang/sample' | 'rulelang/texts'> {
    const listingOf = (predicate: OutputKey): Listing | undefined => {
        const key = predicate as PredicateKey;
        const shown = listings.find(listing => listing.predicate === key);
        if (shown !== undefined || database.relation(key) === undefined) return shown;
        return listPredicate(database, key, { unordered: true });
    };
    return {
        'rulelang/sample': ({ predicate, limit }) => {
            const listing = listingOf(predicate);
            if (listing === undefined) return null;
            const columns = listing.columns.slice(0, MOST_COLUMNS);
            const cells = Array.from({ length: Math.min(limit, listing.count) }, (_, row) =>
                columns.map(({ type }, column) => cellOf(listing.dictionary, listing.at(row, column), type, label)),
            );
            return { columns: columns.map(({ name }) => name), cells, unknown: columns.map((_, column) => unknownIn(listing, column)) };
        },
        'rulelang/texts': ({ predicate, column, begun, limit }) => {
            const listing = listingOf(predicate);
            return listing === undefined || column >= listing.columns.length ? [] : textsIn(listing, column, begun, limit);
        },
    };
}

function unknownIn({ dictionary, at, count }: Listing, column: number): number {
    let unknown = 0;
    for (let row = 0; row < count; row++) if (dictionary.isNull(at(row, column))) unknown++;
    return unknown;
}

function textsIn({ dictionary, at, count }: Listing, column: number, begun: string, limit: number): string[] {
    const times = new Map<number, number>();
    for (let row = 0; row < Math.min(count, MOST_READ); row++) {
        const id = at(row, column);
        times.set(id, (times.get(id) ?? 0) + 1);
    }
    const beginning = begun.toLowerCase();
    const texts: { readonly text: string; readonly often: number }[] = [];
    for (const [id, often] of times) {
        if (dictionary.kind(id) !== 'string') continue;
        const text = dictionary.stringOf(id);
        if (text.length <= LONGEST && text.toLowerCase().startsWith(beginning)) texts.push({ text, often });
    }
    texts.sort((a, b) => b.often - a.often || (a.text < b.text ? -1 : 1));
    return texts.slice(0, limit).map(({ text }) => text);
}
