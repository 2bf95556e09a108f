import type { PassName } from '../plan/program-passes.ts';

/** Passes that split rules for the sake of the joins here; an engine orders joins itself, and knows a recursion best as it is written. */
const LOCAL_PASSES: readonly PassName[] = ['shared-prefixes', 'helper-relations', 'parts'];

export function withoutLocalPasses(disabled: ReadonlySet<PassName> = new Set()): ReadonlySet<PassName> {
    return new Set([...disabled, ...LOCAL_PASSES]);
}
