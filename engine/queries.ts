import type { Type } from '#language/program/types.ts';
import type { AnswerTarget } from './answer-target.ts';
import type { Dictionary } from './values/dictionary.ts';
import type { ValueId } from './values/value-id.ts';

/** Answers SQL queries over finished relations. Without it a rule with a query ends the run with RT062. */
export interface QueryEngine {
    /** Adds the rows of a query's result, once each or more often. Throws `QueryFailed` for what it refuses or cannot compute. */
    answer(query: RelationalQuery, target: AnswerTarget): Promise<void>;
}

export interface RelationalQuery {
    readonly text: string;
    readonly tables: readonly QueryInput[];
    /** The values of its `?name` parameters. */
    parameter(name: string): { readonly value: ValueId; readonly type: Type };
    readonly dictionary: Dictionary;
}

/** A relation as a table. */
export interface QueryInput {
    /** As the query writes it. */
    readonly name: string;
    /** What tells the relation from others, however the query writes its name. */
    readonly relation: string;
    /** Names that the query may use: `edge_0` where nothing else names a column, and besides other names. */
    readonly columns: readonly { readonly name: string; readonly type: Type }[];
    readonly count: number;
    readonly ids: readonly Int32Array[];
}

/** Why a query has no answer, and where in its text that shows, where that is known. */
export class QueryFailed extends Error {
    readonly place: { readonly start: number; readonly end: number } | undefined;

    constructor(message: string, place?: { readonly start: number; readonly end: number }) {
        super(message);
        this.place = place;
    }
}
