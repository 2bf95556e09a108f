import type { Listing } from '#engine/results/listing.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { NullLabel } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';

/**
 * Gives labels to the nulls of rows that are not printed but come before printed ones, so that a label does not depend
 * on which outputs and how many rows are printed (D-22).
 */
export function labelNulls(
    answer: { readonly listings: readonly Listing[]; readonly all: readonly Listing[]; readonly label: NullLabel },
    limit: number,
): void {
    const isWhole = answer.listings.length === answer.all.length && answer.all.every(({ count }) => count <= limit);
    if (isWhole) return;
    for (const { dictionary, columns, count, at } of answer.all) {
        if (!dictionary.hasNulls) continue;
        for (let row = 0; row < count; row++)
            for (let column = 0; column < columns.length; column++) labelValue(dictionary, at(row, column), answer.label);
    }
}

function labelValue(dictionary: Dictionary, id: ValueId, label: NullLabel): void {
    switch (dictionary.kind(id)) {
        case 'null':
            label(id);
            return;
        case 'list':
        case 'set':
        case 'struct':
        case 'map':
            for (const member of dictionary.membersOf(id)) labelValue(dictionary, member, label);
            return;
        default:
            return;
    }
}
