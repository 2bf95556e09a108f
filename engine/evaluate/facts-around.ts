import type { Predicate } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { byCodePoint } from '#language/program/by-code-point.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { factText } from '../values/fact-text.ts';
import type { ValueId } from '../values/value-id.ts';

/** Facts around one row at most. */
const MOST_FACTS = 100;

/** A predicate whose facts are looked at. */
export interface NearFacts {
    readonly predicate: Predicate;
    readonly rows: () => Iterable<readonly ValueId[]>;
}

/**
 * Finds the facts around the values of a row: those that share a text with it, in the next step those that share one with these, and so on; the nearest
 * first, those of a step by their texts, a line for each. Only texts lead on: numbers are in too many facts to mean anything.
 */
export function factsAround(dictionary: Dictionary, near: readonly NearFacts[], steps: number): (row: readonly ValueId[]) => string {
    const isText = (id: ValueId): boolean => dictionary.kind(id) === 'string';
    const textsIn = (row: readonly ValueId[]): ValueId[] => row.map(id => dictionary.resolve(id)).filter(isText);
    let places: Map<ValueId, { readonly predicate: Predicate; readonly row: readonly ValueId[] }[]> | undefined;
    const indexed = (): NonNullable<typeof places> => {
        const found: NonNullable<typeof places> = new Map();
        for (const { predicate, rows } of near)
            for (const row of rows()) for (const id of new Set(textsIn(row))) append(found, id, { predicate, row });
        return found;
    };
    return row => {
        places ??= indexed();
        const seen = new Set<ValueId>();
        const told = new Set<string>();
        let open = textsIn(row);
        for (let step = 0; step < steps && told.size < MOST_FACTS; step++) {
            const next: ValueId[] = [];
            const found = new Set<string>();
            for (const id of open) {
                if (seen.has(id)) continue;
                seen.add(id);
                for (const { predicate, row: values } of places.get(id) ?? []) {
                    found.add(factText(dictionary, predicate, values, () => '_'));
                    next.push(...textsIn(values));
                }
            }
            for (const text of [...found].sort(byCodePoint)) if (told.size < MOST_FACTS) told.add(text);
            open = next;
        }
        return [...told].join('\n');
    };
}
