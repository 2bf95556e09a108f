import type { Listing } from '#engine/results/listing.ts';
import type { GivenRows, RowTarget } from '#engine/sources/source.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { setOf } from '#engine/values/set-of.ts';
import type { ValueId } from '#engine/values/value-id.ts';

/** The rows of an evaluation that is over, for those that follow. */
export interface KeptRows {
    readonly listing: Listing;
    /** Of a labelled null, the same in all evaluations. */
    readonly numberOf: (id: ValueId) => number;
}

/** Bytes that kept rows hold. */
export function bytesOfRows({ listing: { dictionary, relation, rows } }: KeptRows): number {
    return relation.columns.reduce((bytes, column) => bytes + column.byteLength, dictionary.bytes + rows.byteLength);
}

/** Rows of an earlier evaluation as the rows of an input predicate. */
export function rowsAsSource(name: string, kept: KeptRows): GivenRows {
    const { listing } = kept;
    return {
        name,
        types: listing.columns.map(({ type }) => type),
        load: target => {
            const translate = translation(kept.listing.dictionary, kept.numberOf, target.dictionary);
            const row = new Int32Array(target.columns.length);
            for (let at = 0; at < listing.count; at++) {
                for (let column = 0; column < row.length; column++) row[column] = translate(listing.at(at, column));
                target.add(row, 0);
            }
        },
    };
}

/** A predicate without rows. */
export function noRowsAsSource(name: string): GivenRows {
    return { name, types: [], load: (_: RowTarget) => undefined };
}

/** Values of one dictionary in another, where nulls have the numbers that they are given. */
export function translation(from: Dictionary, numberOf: KeptRows['numberOf'], to: Dictionary): (id: ValueId) => ValueId {
    const known = new Int32Array(from.size).fill(-1);
    const translate = (id: ValueId): ValueId => {
        // Small integers are the same everywhere.
        if (id < 0) return id;
        let other = known[id] ?? -1;
        if (other < 0) {
            other = translated(id);
            known[id] = other;
        }
        return other;
    };
    const translated = (id: ValueId): ValueId => {
        switch (from.kind(id)) {
            case 'boolean':
                return id;
            case 'number':
                return from.isExactDouble(id) ? to.number(from.numberOf(id)) : to.bigint(from.bigintOf(id));
            case 'string': {
                const bytes = from.utf8Of(id);
                return to.utf8(bytes, 0, bytes.length);
            }
            case 'date':
                return to.date(from.daysOf(id));
            case 'timestamp':
                return to.timestamp(from.microsOf(id));
            case 'list':
                return to.list(from.membersOf(id).map(translate));
            case 'set':
                return setOf(to, from.membersOf(id).map(translate));
            case 'struct':
                return to.struct(from.membersOf(id).map(translate));
            case 'map':
                return to.map(from.membersOf(id).map(translate));
            case 'null':
                return to.givenNull(numberOf(id), from.isInvented(id));
        }
    };
    return translate;
}
