import { isRange } from './runs.ts';
import { either, isCount, isFlag, isText, listOf, object, textUpTo } from './shape.ts';

const isSearch = textUpTo(1 << 12);

/** The form of a pattern that cannot be read: why. */
const isWrong = object({ wrong: isText });

/** Places in an answer at most; `total` counts all. */
export const MOST_FOUND = 10_000;

/** Requests that look for rules and facts by their structure, by method name. They run nothing and need no trust. */
export const SEARCH_METHODS = {
    /** Places in the programs of the workspace that match a pattern. */
    'rulelang/search': {
        params: object({ search: isSearch }),
        result: either(isWrong, object({ places: listOf(object({ uri: isText, range: isRange }), MOST_FOUND), total: isCount })),
        needs: 'a pattern',
    },
    /** Has the client put the replacement in its place, after it was looked at where the client can show that. */
    'rulelang/replaceFound': {
        params: object({ search: isSearch }),
        result: either(isWrong, object({ applied: isFlag, edits: isCount })),
        needs: 'a pattern and a replacement',
    },
} as const;
