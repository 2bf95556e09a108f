import { isGivenText, isName, isUri } from './runs.ts';
import { isText, listOf, object, oneOf, optional } from './shape.ts';

const isRelation = object({ name: isName, columns: listOf(isName) });

/** Requests about documents that are concepts of a project, by method name. They run nothing and need no trust. */
export const CONCEPT_METHODS = {
    /** What the other concepts of its project supply to a concept, which is open or will be. */
    'rulelang/supplyConcept': {
        params: object({ uri: isUri, relations: listOf(isRelation) }),
        result: object({}),
        needs: 'an address and relations',
    },
    /** The definition with another name for a predicate or a table of it; nothing where it cannot have that name. */
    'rulelang/renamedConcept': {
        params: object({ type: oneOf('logic', 'sql'), definition: isGivenText, from: isName, to: isName }),
        result: object({ definition: optional(isText) }),
        needs: 'a definition and two names',
    },
} as const;
