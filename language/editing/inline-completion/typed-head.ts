/** The head of a rule as far as it is typed. */
export interface TypedHead {
    readonly name: string;
    readonly variables: readonly string[];
    /** No further variables come. */
    readonly isClosed: boolean;
}

/** A whole rule: all variables of its head, and its body as text without a dot. */
export interface RuleSkeleton {
    readonly variables: readonly string[];
    readonly body: string;
}
