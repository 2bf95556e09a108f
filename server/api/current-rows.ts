import { apiError } from '#server/protocol/platform/api-error.ts';
import { type StoredResult, storedResults } from '#server/store/results.ts';
import type { Store } from '#server/store/store.ts';

/** How often rows are read again that were replaced meanwhile. */
const ATTEMPTS = 5;

/**
 * Reads the stored rows of a concept, with the result to which they belong. `read` returns undefined if another result replaced it
 * meanwhile.
 */
export async function currentRows<T>(
    store: Store,
    concept: { readonly id: string; readonly name: string },
    read: (result: StoredResult) => Promise<T | undefined>,
): Promise<readonly [result: StoredResult, read: T]> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const result = (await storedResults(store, [concept.id])).get(concept.id);
        if (result === undefined) break;
        const found = await read(result);
        if (found !== undefined) return [result, found];
    }
    throw apiError('results_not_found', [concept.name], { details: { concept_name: concept.name } });
}
