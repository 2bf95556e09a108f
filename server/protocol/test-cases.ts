import { isRange } from './runs.ts';
import { isText, listOf, type Of, object, textUpTo } from './shape.ts';

/** Characters of a test file at most whose cases are listed. */
export const LONGEST_TEST_FILE = 1 << 24;

/** A case of a test file: from its annotation to what comes before the next one. Zero-based, in UTF-16 units. */
const isListedCase = object({ name: isText, range: isRange });
export type ListedCase = Of<typeof isListedCase>;

/** Requests about tests, by method name. They run nothing and need no trust. */
export const TEST_METHODS = {
    /** The addresses of the test files in the folders of the workspace. */
    'rulelang/testFiles': { params: object({}), result: listOf(isText) },
    /** The cases in the text of a test file, in text order. */
    'rulelang/testCases': { params: object({ text: textUpTo(LONGEST_TEST_FILE) }), result: listOf(isListedCase), needs: 'a text' },
} as const;
