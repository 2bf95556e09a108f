/** Limits of answers: without one in the call, and for all calls. */
export const LIMITS = {
    /** Rows of each output of a program that is evaluated. */
    rows: { usual: 100, most: 1000 },
    /** Stored rows of a concept, from the first or on a page. */
    storedRows: 50,
    /** Stored rows that a language model checks. */
    checkedRows: { usual: 200, most: 1000 },
    /** Stored facts around named values. */
    facts: 200,
    /** Sections of the documentation. */
    sections: { usual: 3, most: 10 },
} as const;
