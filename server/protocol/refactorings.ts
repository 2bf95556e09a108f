import { countUpTo, listOf, object, type Shape, textUpTo } from './shape.ts';

/**
 * What the client calls to have somebody name what a refactoring made: the document's address, the zero-based line and the
 * character in UTF-16 units are its arguments.
 */
export const NAME_MADE_UP = 'rulelang.nameMadeUp';

/**
 * What the client calls to ask for a new order of the arguments of a predicate: the document's address, the zero-based line and the
 * character in UTF-16 units, the name of the predicate and a word for each of its columns are its arguments.
 */
export const REORDER_ARGUMENTS = 'rulelang.reorderArguments';

/** Requests that change texts, by method name. They run nothing and need no trust. */
export type RefactoringRequests = {
    /** Puts the arguments of the predicate at a place into an order, in all files: for each column, the zero-based one that comes there. */
    'rulelang/reorderArguments': {
        readonly params: {
            readonly uri: string;
            readonly position: { readonly line: number; readonly character: number };
            readonly order: readonly number[];
        };
        /** Whether the client made the edits. */
        readonly result: { readonly applied: boolean };
    };
};

const LONGEST = 1 << 16;
const MOST = 0x7fffffff;

export const isReordering: Shape<RefactoringRequests['rulelang/reorderArguments']['params']> = object({
    uri: textUpTo(LONGEST),
    position: object({ line: countUpTo(MOST), character: countUpTo(MOST) }),
    order: listOf(countUpTo(MOST), MOST),
});
