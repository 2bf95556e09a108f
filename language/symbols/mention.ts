import type { Span } from '#language/program/span.ts';
import type { SqlPart } from '#language/sql/sql-outline.ts';

/** Something in the text of a clause that has a name or a meaning of its own. */
export type Mention =
    | PredicateMention
    | VariableMention
    | ParameterMention
    | { readonly kind: 'anonymous'; readonly name: string; readonly span: Span }
    | { readonly kind: 'call'; readonly name: string; readonly span: Span }
    | { readonly kind: 'aggregate' | 'skolem' | 'relation-function'; readonly name: string; readonly span: Span }
    | { readonly kind: 'annotation'; readonly name: string; readonly span: Span }
    | {
          readonly kind: 'source-type' | 'field' | 'type' | 'directive' | 'expectation' | 'library';
          readonly name: string;
          readonly span: Span;
      }
    | { readonly kind: 'option'; readonly name: string; readonly sourceType: string; readonly span: Span }
    | { readonly kind: 'option-value'; readonly option: string; readonly sourceType: string; readonly name: string; readonly span: Span }
    | { readonly kind: 'file'; readonly path: string; readonly part: 'directory' | 'file'; readonly span: Span }
    | { readonly kind: 'query'; readonly span: Span }
    | SqlMention
    | { readonly kind: 'literal'; readonly literal: 'string' | 'number' | 'time' | 'boolean' | 'null'; readonly span: Span };

/** A piece of a SQL query that names no predicate. */
export interface SqlMention {
    readonly kind: 'sql';
    readonly part: SqlPart;
    /** Of a query in a string, where its pieces are written. */
    readonly span: Span;
    /** The place that names its source, if it lies in the query too. */
    readonly definition?: Span;
}

export interface PredicateMention {
    readonly kind: 'predicate';
    readonly name: string;
    /** The name alone, without the quotes that may be around it. */
    readonly span: Span;
    readonly role: PredicateRole;
    /** The number of terms, where terms are written. */
    readonly terms?: number;
    /** The annotation in which the name stands. */
    readonly annotation?: string;
}

/**
 * `item` stands for an item of a body, which may turn out to be a function; `query-column` is the first part of `p_0`
 * in a query, which is a use of `p` where the column has this name.
 */
export type PredicateRole = 'fact' | 'head' | 'item' | 'negated' | 'relation-input' | 'query' | 'query-column' | 'annotation' | 'model';

export interface VariableMention {
    readonly kind: 'variable';
    readonly name: string;
    readonly span: Span;
    /** `assigned` is the left side of `V = e`. */
    readonly role: 'head' | 'body' | 'negated' | 'assigned';
}

export interface ParameterMention {
    readonly kind: 'parameter';
    readonly name: string;
    /** The name alone. */
    readonly span: Span;
    readonly role: 'declaration' | 'use';
}

export type MentionOf<K extends Mention['kind']> = Extract<Mention, { kind: K }>;
