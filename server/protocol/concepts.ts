import { isGivenText, isName, isUri } from './runs.ts';
import { isCount, isText, listOf, object, oneOf, optional } from './shape.ts';

const isRelation = object({ name: isName, columns: listOf(object({ name: isName, type: optional(isName) })) });

/** Offsets in a text, in UTF-16 units. */
const PLACE = { start: isCount, end: isCount };
/** The definition of a concept that is a query, and what the other concepts of its project supply. */
const QUERY = { text: isGivenText, relations: listOf(isRelation) };
const isItem = object({ label: isText, kind: isText, insert: isText, detail: optional(isText) });

/** Requests about documents that are concepts of a project, by method name. They run nothing and need no trust. */
export const CONCEPT_METHODS = {
    /** Relations that the other concepts of its project supply to a concept, open now or later. */
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
    'rulelang/queryProblems': {
        params: object(QUERY),
        result: listOf(
            object({
                ...PLACE,
                code: isText,
                severity: oneOf('error', 'warning', 'information', 'hint'),
                message: isText,
                remedy: optional(isText),
            }),
        ),
        needs: 'a definition and relations',
    },
    /** Completions at an offset, for the text between start and end. */
    'rulelang/queryCompletions': {
        params: object({ ...QUERY, offset: isCount }),
        result: object({ found: optional(object({ ...PLACE, items: listOf(isItem) })) }),
        needs: 'a definition, relations and an offset',
    },
    /** The card for an offset, and the concept there. */
    'rulelang/queryHover': {
        params: object({ ...QUERY, offset: isCount }),
        result: object({ card: optional(object({ ...PLACE, markdown: isText })), table: optional(isText) }),
        needs: 'a definition, relations and an offset',
    },
} as const;
