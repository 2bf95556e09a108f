import type { AnalysedRule, Bind, Model, PredicateKey, QueryTable, SourceSchema } from '#language/program/analysed-program.ts';
import type {
    Aggregate,
    Annotation,
    AnnotationArgument,
    Atom,
    Clause,
    Expression,
    Fact,
    RelationCall,
    Rule,
    Variable,
} from '#language/program/program.ts';
import type { ClausePlace, Location, Span } from '#language/program/span.ts';
import type { SqlReader, SqlReading } from '#language/program/sql-reading.ts';
import type { Type } from '#language/program/types.ts';
import type { FactCensus } from './fact-census.ts';
import type { ModelText } from './model-text.ts';
import type { PostText } from './post-text.ts';
import type { RepeatedClauses } from './repeated-clauses.ts';
import type { SourceText } from './source-text.ts';

/** Knowledge of the host beyond the text. */
export interface AnalysisOptions {
    /** Reads the SQL queries of rules; without it nothing is known of them. */
    readonly sql?: SqlReader;
    /** Columns of sources, by `bindKey` or by predicate name. */
    readonly schemas?: ReadonlyMap<string, SourceSchema>;
    /** The files that binds read and that are not there, by `bindKey`. */
    readonly missingFiles?: ReadonlyMap<string, MissingFile>;
    /** Binds at which the host knows that a run would end, by `bindKey`. */
    readonly refusedBinds?: ReadonlyMap<string, RefusedBind>;
    /** Targets of binds that hold something which a run would replace, by `bindKey`. */
    readonly heldTargets?: ReadonlyMap<string, HeldTarget>;
    /** SQL queries to which the host knows that a run has no answer, by their texts. */
    readonly unansweredQueries?: ReadonlyMap<string, UnansweredQuery>;
    /** Knowledge of the host about scripts; without it no check looks at them. */
    readonly scripts?: KnownScripts;
    /** The values that the host gives parameters, by name. */
    readonly suppliedParameters?: ReadonlyMap<string, unknown>;
    /** The program is the body of a concept: callers may supply predicates and parameters. */
    readonly concept?: boolean;
}

export interface KnownScripts {
    /** Why none is run, and what to do about it. */
    readonly unavailable?: { readonly reason: string; readonly remedy: string } | undefined;
    /** Whether there is a script of a name for the rules of a file; undefined where that is not known. */
    readonly isThere?: (script: string, file: string) => boolean | undefined;
    /** The text of a script for the rules of a file; undefined where it cannot be read. */
    readonly textOf?: (script: string, file: string) => string | undefined;
}

/** A file that a bind names and that the host does not find. */
export interface MissingFile {
    /** The name in its folder that is most like it. */
    readonly nearest?: string;
}

/** Why a run would end at a bind, and what to do about it. */
export interface RefusedBind {
    readonly reason: string;
    readonly remedy?: string;
}

/** A target of a bind that already holds something. */
export interface HeldTarget {
    /** As people read it. */
    readonly name: string;
    /** Why a run does not replace it unasked; absent where it does. */
    readonly reason?: string;
}

/** Why a query has no answer, and where in its text that shows, where that is known. */
export interface UnansweredQuery {
    readonly reason: string;
    readonly place?: Span;
}

export interface PlacedAnnotation {
    readonly annotation: Annotation;
    readonly place: ClausePlace;
    readonly clause: Clause;
}

/** An annotation whose first argument names a predicate. */
export interface NamedAnnotation extends PlacedAnnotation {
    readonly predicate: string;
    readonly argument: AnnotationArgument;
}

export interface BindFacts extends NamedAnnotation {
    readonly bind: Bind;
    readonly text: SourceText;
}

export interface ModelFacts extends PlacedAnnotation {
    readonly model: Model;
    readonly text: ModelText;
    /** Another annotation gave the predicate its model before. */
    readonly repeated: boolean;
}

/** A `@mapping` (8.5). */
export interface MappingFacts extends NamedAnnotation {
    /** Zero-based, as written; it may lie outside the predicate. */
    readonly position: number;
    /** The name of the column in the source. */
    readonly column: string;
    readonly type: Type;
}

export interface PostFacts extends NamedAnnotation {
    readonly text: PostText;
    /** Parameters were put into the text, so that places in it say nothing about the program. */
    readonly substituted: boolean;
}

export interface ParameterUse extends Location {
    readonly name: string;
    /** True if the name may also be a secret, a variable or a column: no check reports it then. */
    readonly lenient: boolean;
}

/** Facts about one predicate name from the whole program. */
export interface NameFacts {
    readonly name: string;
    /** Heads and facts by arity, in the order of their first places. */
    readonly definitions: ReadonlyMap<number, Definition>;
    /** A rule has an atom of this name in its body. */
    readonly used: boolean;
    readonly model?: ModelFacts;
    readonly binds: readonly BindFacts[];
    readonly mappings: readonly MappingFacts[];
    readonly input?: NamedAnnotation;
    readonly output?: NamedAnnotation;
    /** Arities that the name is defined with; empty when nothing defines it. */
    readonly arities: readonly number[];
    /** The columns come from a source, a host or a query, and from nowhere else. */
    readonly openColumns: boolean;
    /** Columns from a source, as the host knows it. */
    readonly schema?: SourceSchema;
    /** Columns of rows that the host supplies itself. */
    readonly supplied?: SourceSchema;
    /** Defined by a clause with a syntax error, by an included module, or by a caller. */
    readonly possiblyDefined: boolean;
    /** A relation function, a query text or a broken clause mentions the name. */
    readonly mentioned: boolean;
}

/** Facts about a name that matter to the rules which mention it. While they stay the same, so does the meaning of those rules. */
export interface NameMeaning {
    readonly name: string;
    readonly arities: readonly number[];
    readonly openColumns: boolean;
    /** The columns are those of a file whose header names them. */
    readonly headed?: true;
    /** Names for its columns in queries, if something names them. */
    readonly columns?: readonly (string | undefined)[];
    /** The sign that the cells of its file seem to be separated by. */
    readonly delimiter?: string;
    readonly possiblyDefined: boolean;
    /** A model describes the predicate, and nothing gives it rows. */
    readonly emptyModel: boolean;
    /** It has one fact at most. */
    readonly hasOneFact?: true;
    /** It is bound to a store that answers vector searches. */
    readonly vectorStore?: true;
    /** The number of fields of its model. */
    readonly fields?: number;
    /** The arity of the predicate that an output bind writes. */
    readonly written?: number;
    /** The columns, counted from 1, that a query of it takes as parameters: rules must bind them. */
    readonly queryParameters?: readonly number[];
    /** The name that was probably meant, where nothing defines this one. */
    readonly nearest?: string;
    /** The name that its documentation recommends instead. */
    readonly successor?: string;
}

/** A query with the predicates that it reads. */
export interface QueryFacts {
    readonly reading: SqlReading;
    readonly tables: readonly QueryTableFacts[];
    /** How many columns its result has, where that is known. */
    readonly width?: number;
}

export interface QueryTableFacts extends QueryTable {
    /** The program has the predicate, and it is known which columns it has. */
    readonly isKnown: boolean;
    /** Of its name in the query. */
    readonly start: number;
    readonly end: number;
}

export type Meanings = (name: string) => NameMeaning | undefined;

export interface Definition {
    readonly arity: number;
    /** In text order. */
    readonly facts: readonly Fact[];
    readonly rules: readonly RuleHead[];
    /** The values in its facts, and the clauses that repeat others; both follow the program. */
    readonly census: FactCensus;
    readonly repeatedFacts: RepeatedClauses<Fact>;
    readonly repeatedRules: RepeatedClauses<Rule>;
}

export interface RuleHead {
    readonly rule: Rule;
    readonly atom: Atom;
    readonly place: ClausePlace;
}

/** How a body atom found its predicate (D-24). */
export type AtomMatch = 'exact' | 'projection' | 'open-projection' | 'ambiguous' | 'too-many' | 'undefined';

/** A body item with its names read (1.1). */
export type ReadItem =
    | {
          readonly kind: 'literal';
          readonly atom: Atom;
          readonly negated: boolean;
          readonly span: Span;
          /** Written with `!`, or with `-`, where `not` belongs. */
          readonly exclamation: boolean;
          /** A function of this name would fit as well. */
          readonly doubtful: boolean;
      }
    | { readonly kind: 'condition'; readonly expression: Expression; readonly span: Span }
    /** `V = e`; what it means depends on the other items (D-25). */
    | {
          readonly kind: 'equation';
          readonly variable: Variable;
          readonly value: Expression;
          readonly expression: Expression;
          readonly span: Span;
      }
    | { readonly kind: 'negated-condition'; readonly expression: Expression; readonly span: Span }
    | {
          readonly kind: 'joined-atoms';
          readonly expression: Expression;
          readonly operator: string;
          readonly operatorSpan: Span;
          readonly span: Span;
      }
    | { readonly kind: 'domain'; readonly span: Span };

export type NamedAnonymous = Extract<Expression, { kind: 'anonymous' }>;

export type OccurrencePlace = 'head' | 'positive' | 'negated' | 'condition' | 'assigned' | 'value' | 'contributor';

export interface Occurrence {
    readonly variable: Variable;
    readonly where: OccurrencePlace;
    /** Index into the items of the rule; -1 in the head. */
    readonly item: number;
}

/** An expression with parts that is not itself part of another one. */
export interface RuleExpression {
    readonly expression: Expression;
    /** `value` is the right side of `V = e`, whether it assigns or compares. */
    readonly where: 'head' | 'atom' | 'condition' | 'value';
    /** The right side of an equation that assigns. */
    readonly assigned: boolean;
}

/** A rule with its names resolved, before its number in the program and the types of its variables are known. */
export type UntypedRule = Omit<AnalysedRule, 'types' | 'index'>;

/** Everything that analysis knows about one rule. */
export interface RuleFacts {
    readonly rule: Rule;
    readonly place: ClausePlace;
    readonly items: readonly ReadItem[];
    readonly resolved: UntypedRule;
    /** Of a rule with a SQL query, where the host reads SQL. */
    readonly query?: QueryFacts;
    /** Of each literal of `resolved`, how it found its predicate. */
    readonly matches: readonly AtomMatch[];
    /** Every occurrence of every named variable, in text order. */
    readonly occurrences: ReadonlyMap<string, readonly Occurrence[]>;
    /** Occurrences of anonymous variables that have a name, `_Name`, in text order. */
    readonly anonymous: readonly NamedAnonymous[];
    readonly expressions: readonly RuleExpression[];
    /** Variables of positive literals. */
    readonly positive: ReadonlySet<string>;
    /** Variables that are computed from aggregates. */
    readonly aggregated: ReadonlySet<string>;
    /** Variables in circles of assignments, each circle in order. */
    readonly circles: readonly (readonly string[])[];
    /** Items of the form `V = e` that are conditions because another item assigns `V`. */
    readonly secondAssignments: readonly number[];
}

export interface DependencyEdge {
    readonly from: PredicateKey;
    readonly to: PredicateKey;
    readonly kind: 'positive' | 'negative' | 'aggregated';
    readonly location: Location;
    /** The non-monotonic aggregate that needs its whole input. */
    readonly aggregate?: Aggregate;
    /** The relation function that does. */
    readonly call?: RelationCall;
    /** A query does. */
    readonly isQuery?: true;
}

/** A way back from a predicate to itself through a predicate that has to be finished first. */
export interface ForbiddenCycle {
    readonly kind: 'negative' | 'aggregated';
    /** In order; the first is the edge that must not be there. */
    readonly edges: readonly DependencyEdge[];
}

/** How one rule fills one column of a predicate that some rule aggregates. */
export interface ColumnSource {
    readonly place: ClausePlace;
    readonly term: Expression;
    /** The aggregate that is the whole value of the column. */
    readonly aggregate?: Aggregate;
    /** The value depends on an aggregate. */
    readonly aggregated: boolean;
}

/** The columns of one predicate that some rule aggregates, each with the way every rule fills it. */
export type AggregatedColumns = ReadonlyMap<number, readonly ColumnSource[]>;

/** Edges from a head predicate to the predicates that it needs. */
export type DependencyGraph = (key: PredicateKey) => readonly DependencyEdge[];
