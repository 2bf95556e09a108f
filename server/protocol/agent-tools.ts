import { isUri } from './runs.ts';
import { either, isAnything, isCount, isFlag, isText, listOf, object, oneOf, optional, recordOf, textUpTo } from './shape.ts';

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
            /**
             * A model wrote the program, and the user has not seen it. The run reaches no host, runs no script, writes nothing, and has
             * little time.
             */
            unseen: optional(isFlag),
            /** The folder in which the services of this machine keep their data; the usual place if absent. */
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
    /** Tries rules that a model has written, on the files of the workspace. The answer counts their rows. */
    'rulelang/tryRules': {
        params: object({ uri: isUri, program: isText, rules: isText }),
        result: object({
            /** The predicates of the rules, with their rows, of which so many are counted at most. */
            predicates: optional(listOf(object({ name: isText, rows: isCount }))),
            most: isCount,
            /** Why they were not evaluated. */
            reason: optional(isText),
        }),
    },
    /** Asks the model that is configured on this machine. */
    'rulelang/askModel': {
        params: object({
            system: isText,
            messages: listOf(object({ role: oneOf('user', 'assistant'), text: isText })),
            dataDirectory: optional(textUpTo(4096)),
        }),
        result: either(
            object({ kind: oneOf('answer'), text: isText }),
            /** There is none, and how to get one. */
            object({ kind: oneOf('none'), reason: isText }),
        ),
    },
    /** The configured model: the provider, the name of the model and its address; null if none is configured. */
    'rulelang/configuredModel': {
        params: object({ dataDirectory: optional(textUpTo(4096)) }),
        result: either(
            object({ kind: oneOf('model'), provider: isText, name: isText, address: isText }),
            object({ kind: oneOf('none'), reason: isText }),
        ),
    },
    /** The text that a model gets before it writes rules, without rows unless `rows` asks for them. */
    'rulelang/modelContext': {
        params: object({ uri: optional(isUri), rows: isFlag }),
        /** The language on a page, and the predicates of the program, where one is named and open. */
        result: object({ language: isText, program: optional(isText) }),
    },
} as const;
