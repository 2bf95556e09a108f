import type { AggregateName } from './aggregates.ts';
import type { Inclusion } from './inclusion.ts';
import type { ClausePlace, Span } from './span.ts';

/** A program as its text says it, before any analysis. Immutable but for the places of its clauses. */
export interface Program {
    /** Name of the file as the host gave it. */
    readonly file: string;
    /** The clauses of this file, in text order. */
    readonly clauses: readonly Clause[];
    /** Targets of its includes; absent if there are none, or if no host looked for them. */
    readonly inclusion?: Inclusion;
}

export type Clause = Fact | Rule | AnnotationClause | BrokenClause;

interface ClauseBase {
    readonly place: ClausePlace;
    /** The whole clause, its final dot included. */
    readonly span: Span;
    /** Annotations written before the fact or rule; for an annotation clause, the annotations themselves. */
    readonly annotations: readonly Annotation[];
    /** The text of the `%%` lines directly above the clause, without the marks. */
    readonly documentation?: string;
}

export interface Fact extends ClauseBase {
    readonly kind: 'fact';
    /** Arguments are constants, signed numbers, lists, sets, struct calls or parameters; anything else is a problem. */
    readonly atom: Atom;
}

export interface Rule extends ClauseBase {
    readonly kind: 'rule';
    readonly head: Head;
    readonly body: Body;
}

export interface AnnotationClause extends ClauseBase {
    readonly kind: 'annotation';
}

/** A clause with a syntax error. Whole-program checks skip it and treat its predicates as possibly defined. */
export interface BrokenClause extends ClauseBase {
    readonly kind: 'broken';
    /** Names that the reader recognised in it: the predicates it seems to define and to use. */
    readonly mentions: readonly string[];
}

export type Head =
    | { readonly kind: 'atoms'; readonly atoms: readonly Atom[]; readonly span: Span }
    | { readonly kind: 'equality'; readonly left: Variable; readonly right: Expression; readonly span: Span }
    | { readonly kind: 'falsity'; readonly span: Span };

export interface Atom {
    readonly predicate: string;
    readonly arguments: readonly Expression[];
    /** The predicate's name alone. */
    readonly nameSpan: Span;
    readonly span: Span;
}

export type Body =
    | { readonly kind: 'items'; readonly items: readonly Item[]; readonly span: Span }
    | { readonly kind: 'query'; readonly language: QueryLanguage; readonly text: string; readonly span: Span }
    | { readonly kind: 'relation-function'; readonly call: RelationCall; readonly span: Span }
    | { readonly kind: 'script'; readonly script: string; readonly span: Span };

export type QueryLanguage = 'sql' | 'cypher' | 'vector';

/** `#NAME(input, "options")` (7.1). */
export interface RelationCall {
    readonly name: string;
    readonly input: RelationInput;
    readonly options?: Extract<Constant, { kind: 'string' }>;
    readonly span: Span;
}

export type RelationInput =
    | { readonly kind: 'predicate'; readonly text: string; readonly span: Span }
    /** SQL in a string; `places` says where each unit of the text is written, where escapes move them. */
    | { readonly kind: 'query'; readonly text: string; readonly places?: readonly number[]; readonly span: Span };

/**
 * A body item as written. Whether `name(args)` alone is an atom or a boolean function call, and whether `V = e` assigns
 * or compares, depends on the rest of the program: `analysis/` decides it (1.1, decision D-25).
 */
export type Item =
    | { readonly kind: 'atom'; readonly negated: boolean; readonly atom: Atom; readonly span: Span }
    | { readonly kind: 'expression'; readonly expression: Expression; readonly span: Span }
    | { readonly kind: 'domain'; readonly span: Span };

export type Expression =
    | Constant
    | Variable
    | { readonly kind: 'anonymous'; readonly name: string; readonly span: Span }
    | { readonly kind: 'parameter'; readonly name: string; readonly span: Span }
    | { readonly kind: 'list' | 'set'; readonly items: readonly Expression[]; readonly span: Span }
    | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly operand: Expression; readonly span: Span }
    | {
          readonly kind: 'binary';
          readonly operator: BinaryOperator;
          readonly left: Expression;
          readonly right: Expression;
          /** The operator alone. */
          readonly operatorSpan: Span;
          readonly span: Span;
      }
    | Call
    | Aggregate
    | { readonly kind: 'skolem'; readonly name: string; readonly arguments: readonly Expression[]; readonly span: Span };

export interface Variable {
    readonly kind: 'variable';
    readonly name: string;
    readonly span: Span;
}

export interface Call {
    readonly kind: 'call';
    /** With its namespace: `math:sqrt`. */
    readonly name: string;
    readonly arguments: readonly Expression[];
    readonly nameSpan: Span;
    readonly span: Span;
}

export interface Aggregate {
    readonly kind: 'aggregate';
    readonly name: AggregateName;
    readonly arguments: readonly Expression[];
    /** The variables between `<` and `>`; absent when no such list is written. */
    readonly contributors?: readonly Variable[];
    readonly nameSpan: Span;
    readonly span: Span;
}

/** `<>` is read as `!=`. `=` stands only at the top of a body item. */
export type BinaryOperator = '=' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '!in' | '+' | '-' | '*' | '/' | '&' | '|' | '&&' | '||';

/**
 * A literal value. Integers beyond 2^53 are bigints. A date counts days and a timestamp microseconds since
 * 1970-01-01, UTC. `null` makes a fresh labelled null wherever it is evaluated.
 */
export type Constant =
    | { readonly kind: 'string'; readonly value: string; readonly span: Span }
    | { readonly kind: 'integer'; readonly value: number | bigint; readonly span: Span }
    | { readonly kind: 'double'; readonly value: number; readonly span: Span }
    | { readonly kind: 'boolean'; readonly value: boolean; readonly span: Span }
    | { readonly kind: 'date'; readonly days: number; readonly span: Span }
    | { readonly kind: 'timestamp'; readonly micros: bigint; readonly span: Span }
    | { readonly kind: 'null'; readonly span: Span };

export interface Annotation {
    /** Without the `@`. */
    readonly name: string;
    readonly arguments: readonly AnnotationArgument[];
    readonly nameSpan: Span;
    readonly span: Span;
    /** The clause goes on in the line where the annotation ends. Absent where the reader of the text does not tell. */
    readonly sameLine?: boolean;
}

/** A name as an annotation argument is accepted by the grammar and refused by RL6005 where a string is required. */
export type AnnotationArgument = Expression | { readonly kind: 'name'; readonly name: string; readonly span: Span };
