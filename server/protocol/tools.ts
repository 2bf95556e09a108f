import { isUri } from './runs.ts';
import { either, isFlag, isText, listOf, object, oneOf, optional, textUpTo } from './shape.ts';

/** Methods of an editor about an open program as a whole. Nothing runs for it, and it needs no trust. */

/** Names of predicates, each once, in the order of their first appearance. */
const isInterface = object({ headPredicates: listOf(isText), inputPredicates: listOf(isText) });

/** `annotation` is whole, with a final dot. */
const isBind = object({ predicate: isText, annotation: isText });

const isBinds = object({
    /** The program without its annotations. */
    code: isText,
    binds: object({ input: listOf(isBind), output: listOf(isBind) }),
});

const name = textUpTo(1 << 16);

/** Requests, by method name. The answer is null if the program is closed or has syntax errors, or if the text is not a bind. */
export const TOOL_METHODS = {
    'rulelang/analyze': { params: object({ uri: isUri }), result: either(isInterface, oneOf(null)) },
    'rulelang/parseBinds': { params: object({ uri: isUri, outputPredicate: optional(name) }), result: either(isBinds, oneOf(null)) },
    'rulelang/buildBind': {
        params: object({ annotation: name, predicateName: name, isOutput: isFlag }),
        result: either(object({ annotation: isText }), oneOf(null)),
    },
} as const;
