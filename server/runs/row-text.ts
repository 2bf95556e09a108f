import { createHash } from 'node:crypto';
import type { Listing } from '#engine/results/listing.ts';
import { termText } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED } from '#language/program/types.ts';

const WORDS = 8;

/**
 * Returns a text that listings share if they have the same rows, each as often, in whatever order and dictionary. Nulls are told apart
 * within a row only: their labels differ from run to run.
 */
export function rowText(listing: Listing): string {
    const known = texts.get(listing) ?? textOfRows(listing);
    texts.set(listing, known);
    return known;
}

const texts = new WeakMap<Listing, string>();

function textOfRows({ dictionary, count, columns, at }: Listing): string {
    const sum = new Uint32Array(WORDS);
    for (let row = 0; row < count; row++) {
        const nulls: ValueId[] = [];
        const label = (id: ValueId): string => {
            if (!nulls.includes(id)) nulls.push(id);
            return `${dictionary.isInvented(id) ? 'z' : 'm'}${nulls.indexOf(id)}`;
        };
        const text = columns.map((_, column) => termText(dictionary, at(row, column), MIXED, label)).join('\t');
        const digest = createHash('sha256').update(text).digest();
        for (let word = 0; word < WORDS; word++) sum[word] = (sum[word] ?? 0) + digest.readUInt32LE(4 * word);
    }
    return `${count} ${sum.join(' ')}`;
}
