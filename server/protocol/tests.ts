/** Results of the test files of a job. Lines count from 0. */
export interface TestReport {
    readonly files: readonly TestedFile[];
    /** Of the programs that were tested, where that was asked for. */
    readonly coverage?: readonly CoveredFile[];
}

/** The same in lines: the files as they end, and the coverage at last. */
export type TestLine = TestedFile | Required<Pick<TestReport, 'coverage'>>;

export interface TestedFile {
    readonly file: string;
    readonly cases: readonly TestedCase[];
    /** Errors of the file as a whole, which kept all cases from running. */
    readonly problems: readonly string[];
}

export interface TestedCase {
    readonly name: string;
    readonly line: number;
    readonly milliseconds: number;
    /** None where it passed. */
    readonly failures: readonly TestFailure[];
}

export interface TestFailure {
    readonly message: string;
    /** Lines below it. */
    readonly details: readonly string[];
    readonly line: number;
    /** The facts as they were expected and as they are, in order, where they were compared. */
    readonly expected?: readonly string[];
    readonly actual?: readonly string[];
    /** Expected facts that are missing, each with what would derive it. */
    readonly missing: readonly ToldFact[];
    /** Facts that the case does not expect, each with its reason. */
    readonly unexpected: readonly ToldFact[];
    /** The replacement that makes the test pass: the facts as they are, instead of the expected ones. */
    readonly acceptance?: TextReplacement;
}

/** A text that takes the place of a part of a file. */
export interface TextReplacement {
    readonly start: TextPlace;
    readonly end: TextPlace;
    readonly text: string;
}

export interface ToldFact {
    readonly fact: string;
    /** Lines; none where enough others were explained. */
    readonly why: readonly string[];
}

export interface CoveredFile {
    readonly file: string;
    /** In text order. */
    readonly rules: readonly CoveredRule[];
}

export interface CoveredRule {
    readonly start: number;
    readonly end: number;
    readonly rule: string;
    /** Test cases in which it fired. */
    readonly cases: number;
    /** In text order, as far as some case has counted them. */
    readonly items: readonly CoveredItem[];
    /** A case had too many matches to look through, so that items may have done what is not counted. */
    readonly cutShort?: true;
}

/** Figures of an atom, a condition or an assignment of a body; the cases are numbers of test cases. */
export interface CoveredItem {
    readonly item: string;
    readonly start: TextPlace;
    readonly end: TextPlace;
    /** It refuses some matches; an atom that only gives variables their values refuses none. */
    readonly tests: boolean;
    /** Cases in which all before it had a match. */
    readonly reached: number;
    /** Cases in which it held for such a match. */
    readonly held: number;
    /** Cases in which it did not hold for such a match. */
    readonly failed: number;
}

/** Both count from 0; a character is a UTF-16 unit. */
export interface TextPlace {
    readonly line: number;
    readonly character: number;
}

export const TEST_FORMATS = ['pretty', 'json', 'jsonl', 'junit'] as const;
export type TestFormat = (typeof TEST_FORMATS)[number];
