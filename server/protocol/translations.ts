import { isGivenText, isName, isRange, isUri } from './runs.ts';
import { either, isText, listOf, object, oneOf, optional, textUpTo } from './shape.ts';

/** The scheme of texts that are proposed as programs, at a path beside the file that they are for, or that they come from. */
export const PROPOSAL_SCHEME = 'rulelang-proposal';

/** Characters of a document that is translated, as the services have it. */
const LONGEST = 5 * 1024 * 1024;
const isRelation = object({ name: isName, columns: listOf(isName) });
const isRemark = object({ message: isText, range: isRange });

/** Requests about translations into rules, by method name. They run nothing and need no trust. */
export const TRANSLATION_METHODS = {
    'rulelang/translate': {
        params: object({
            kind: oneOf('sql', 'rdf', 'owl'),
            text: textUpTo(LONGEST),
            /** The program that the rules are for, which is open: it has tables, and names that are taken. */
            uri: optional(isUri),
            /** Further tables that there are. */
            tables: listOf(isRelation),
            /** The wanted name of the query's rows; the answer may vary it. */
            name: isName,
        }),
        result: either(
            object({
                kind: oneOf('program'),
                program: isText,
                /** The predicate with the rows of a query. */
                output: optional(isText),
                /** Untranslated parts, and their places in the text. */
                unmapped: listOf(isRemark),
            }),
            /** The text is not what it is said to be, and why; or it is a query that nothing is written for. */
            object({ kind: oneOf('refused'), problems: listOf(isRemark) }),
        ),
        needs: 'a kind of text, a text of at most 5 MiB, tables and a name',
    },
} as const;

const isRow = listOf(isText);

/** Requests about what translations give. They answer only in a workspace that is trusted. */
export const TRIAL_METHODS = {
    /** Runs a program, which has the translation of a query in it, and the query beside it; writes nothing, and runs no scripts. */
    'rulelang/compareTranslation': {
        params: object({ uri: isUri, program: isGivenText, query: isGivenText, output: isName }),
        result: either(
            object({
                kind: oneOf('compared'),
                columns: listOf(isText),
                /** Rows as texts of their cells. A query gives each row once, too. */
                equal: listOf(isRow),
                ofQuery: listOf(isRow),
                ofRules: listOf(isRow),
            }),
            object({ kind: oneOf('not-run'), reason: isText }),
        ),
        needs: 'an address, a program, a query, and the name of an output',
    },
} as const;
