import { isOutputColumn } from '#server/protocol/runs.ts';
import { either, isAnything, isFlag, isText, listOf, type Of, object, oneOf } from '#server/protocol/shape.ts';
import { isColumnProfile } from './profile-shape.ts';

/** The state of a table's first rows, and of the profile of one of its columns. */
export const isSourceMessage = either(
    object({ kind: oneOf('loading'), name: isText }),
    object({
        kind: oneOf('rows'),
        name: isText,
        columns: listOf(isOutputColumn, 10_000),
        rows: listOf(listOf(isAnything, 10_000), 10_000),
        more: isFlag,
        distinct: isFlag,
    }),
    /** Why there are none; `login` where another user or password may help. */
    object({ kind: oneOf('failed'), name: isText, message: isText, login: isFlag }),
    object({ kind: oneOf('stopped'), name: isText }),
    object({ kind: oneOf('profiling'), column: isText }),
    object({ kind: oneOf('profile'), profile: isColumnProfile }),
    object({ kind: oneOf('unprofiled'), column: isText, message: isText }),
);
export type SourceMessage = Of<typeof isSourceMessage>;
