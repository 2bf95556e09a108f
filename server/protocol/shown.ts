import { isPosition, isUri } from './runs.ts';
import { either, isText, object, oneOf, optional, textUpTo } from './shape.ts';

/** The scheme of read-only documents that show the server's view of a program. */
export const SHOWN_SCHEME = 'rulelang-show';

/**
 * The parts to show: the plan of a program; the rules of a predicate as they are read and as they would be run; the needs of each
 * predicate, as a Mermaid flowchart; the columns of the sources of a predicate; what is known of a predicate and of its rows.
 */
const SHOWN_PARTS = ['plan', 'rules', 'graph', 'columns', 'predicate'] as const;
export type ShownPart = (typeof SHOWN_PARTS)[number];

const isShownPart = oneOf(...SHOWN_PARTS);

/** The query of such a document's address, behind its question mark, as JSON; a predicate with its number of columns: `reach/2`. */
export const isShownAddress = object({ program: isUri, part: isShownPart, predicate: optional(textUpTo(1 << 12)) });

/** Requests for documents that show something, by method name. They run nothing and need no trust. */
export const SHOWN_METHODS = {
    /**
     * The address of a document and its text; of a predicate that which stands at the position, or has the name, `reach` or
     * `reach/2`. Nothing where there is none.
     * Clients that can ask for `workspace/textDocumentContent` get the text there as well.
     */
    'rulelang/show': {
        params: object({ uri: isUri, part: isShownPart, position: optional(isPosition), predicate: optional(textUpTo(1 << 12)) }),
        result: either(object({ uri: isText, text: isText }), oneOf(null)),
        needs: 'the address of a program and what of it is shown',
    },
} as const;

/** The same for clients without commands of their own, by `workspace/executeCommand`: address, part, and a position or the name of a predicate. */
export const SHOW = 'rulelang.show';
