import { isUri } from './runs.ts';
import { isAnything, isFlag, isText, object, optional, recordOf, textUpTo } from './shape.ts';

/** Arguments of a tool at most. */
const ARGUMENTS = 64;

/** Tools for language models, by method name. They answer only in a workspace that is trusted. */
export const AGENT_TOOL_METHODS = {
    'rulelang/callTool': {
        params: object({
            name: textUpTo(64),
            input: recordOf(isAnything, ARGUMENTS),
            /** A program in whose folder programs that are given as texts are read; else the first folder of the workspace. */
            uri: optional(isUri),
            /** A model wrote the program, and nobody has seen it: no host is reached and no script runs for it. */
            unseen: optional(isFlag),
            /** Where the services of this machine keep their data; the usual place where absent. */
            dataDirectory: optional(textUpTo(4096)),
        }),
        result: object({
            text: isText,
            /** The call failed. */
            isError: isFlag,
            /** It was done, and the program has errors. */
            hasErrors: isFlag,
        }),
        needs: 'the name of a tool and its arguments',
    },
    /** What a model is told before it writes rules, without rows unless they are asked for. */
    'rulelang/modelContext': {
        params: object({ uri: optional(isUri), rows: isFlag }),
        /** The language on a page, and the predicates of the program, where one is named and open. */
        result: object({ language: isText, program: optional(isText) }),
    },
} as const;
