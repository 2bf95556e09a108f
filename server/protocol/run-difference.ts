import { either, isCount, isFlag, isText, listOf, type Of, object, oneOf, optional } from './shape.ts';

/** Rows of an output that are more, less or other than in an earlier run. */
export const isRowCounts = object({ added: isCount, removed: isCount, changed: isCount });
export type RowCounts = Of<typeof isRowCounts>;

/** A change to the program, or to its inputs; clauses are in their normal form. */
const isChange = either(
    object({ kind: oneOf('parameter'), name: isText, before: optional(isText), after: optional(isText) }),
    object({
        kind: oneOf('added', 'removed', 'changed'),
        before: optional(isText),
        after: optional(isText),
        /** The name of the file, where it is a module. */
        module: optional(isText),
    }),
    /** Clauses about one predicate, where there are many edits. */
    object({ kind: oneOf('clauses'), subject: isText, added: isCount, removed: isCount, changed: isCount }),
);
export type Change = Of<typeof isChange>;

const isSourceChange = object({
    name: isText,
    /** Nothing tells whether a database has the same rows as before. */
    kind: oneOf('changed', 'unknown'),
    /** Bytes, where it is one file. */
    before: optional(isCount),
    after: optional(isCount),
});
export type SourceChange = Of<typeof isSourceChange>;

/** Differences between the inputs of two runs. */
export const isRunDifference = object({
    changes: listOf(isChange),
    sources: listOf(isSourceChange),
    /** Both programs are kept, so that nothing else was edited. */
    known: isFlag,
});
export type RunDifference = Of<typeof isRunDifference>;

const isExplained = either(
    /** The rows are the same with all changes as with none, over the data of now. */
    object({ kind: oneOf('none') }),
    object({
        kind: oneOf('edits'),
        /** Changes that suffice to give these rows, by their positions among the changes. */
        edits: listOf(isCount),
        /** No fewer do. */
        smallest: isFlag,
        /** Changes without effect. */
        idle: listOf(isCount),
    }),
    /** There was no time to find out. */
    object({ kind: oneOf('undecided') }),
);

/** A row that differs, as a fact, and the edits that alone make it what it is in the later run. */
const isRowEffect = object({
    /** Of a changed row there are two: what it was, and what it is now. */
    change: oneOf('added', 'removed', 'was', 'now'),
    fact: isText,
    /** By their positions among the changes; none where something else makes the difference, or nothing was found in time. */
    edits: listOf(isCount),
    /** No fewer do. */
    smallest: isFlag,
});
export type RowEffect = Of<typeof isRowEffect>;

/** The reasons for the difference between the rows of an output in two runs. */
const isOutputEffect = object({
    output: isText,
    explained: isExplained,
    /** The row counts of the earlier program over the current data and over the earlier data, if its rows differ. */
    data: optional(isRowCounts),
    /** Sources it depends on that changed between the runs. */
    sources: listOf(isText),
    /** The later program finds over the data of now what it found then. */
    repeats: isFlag,
    /** The first rows that differ. */
    rows: listOf(isRowEffect),
});
export type OutputEffect = Of<typeof isOutputEffect>;

/** The changes between two runs that make the difference. */
export const isRunEffects = either(
    object({
        kind: oneOf('found'),
        outputs: listOf(isOutputEffect),
        /** Sources that changed after the later run. */
        since: listOf(isText),
        /** Sources of which nothing tells whether they changed. */
        unknown: listOf(isText),
        /** Programs that were evaluated. */
        evaluations: isCount,
    }),
    /** Nothing could be found out; why, as a sentence. */
    object({ kind: oneOf('failed'), reason: isText }),
);
export type RunEffects = Of<typeof isRunEffects>;
