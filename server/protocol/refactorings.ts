import { isPosition, isUri } from './runs.ts';
import { countUpTo, isFlag, listOf, object } from './shape.ts';

/**
 * The client's command that lets the user rename a thing which a refactoring made. Its arguments are the document's address, the zero-based
 * line and the character in UTF-16 units.
 */
export const NAME_MADE_UP = 'rulelang.nameMadeUp';

/**
 * The client's command that asks for a new order of a predicate's arguments. Its own arguments are the document's address, the zero-based
 * line and the character in UTF-16 units. The name of the predicate and a word for each column follow.
 */
export const REORDER_ARGUMENTS = 'rulelang.reorderArguments';

const MOST = 0x7fffffff;

/** Requests that change texts, by method name. They run nothing and need no trust. */
export const REFACTORING_METHODS = {
    /** Puts the arguments of the predicate at a place into an order, in all files: for each column, the zero-based one that comes there. */
    'rulelang/reorderArguments': {
        params: object({ uri: isUri, position: isPosition, order: listOf(countUpTo(MOST), MOST) }),
        /** Whether the client made the edits. */
        result: object({ applied: isFlag }),
        needs: 'a place and an order',
    },
} as const;
