import type { NumberForm } from './number-form.ts';
import type { Problem } from './problem.ts';
import type { Aggregate, Annotation, Atom, Expression, Fact, Program, Rule, Variable } from './program.ts';
import type { ClausePlace } from './span.ts';
import type { QuerySchema } from './sql-reading.ts';
import type { Type } from './types.ts';

/** Name and arity of a predicate, `edge/2` (decision D-24). */
export type PredicateKey = string & { readonly brand: 'PredicateKey' };

export function predicateKey(name: string, arity: number): PredicateKey {
    return `${name}/${arity}` as PredicateKey;
}

/** The meaning of a program, as far as its text and the known columns of its sources show it. The engine reads nothing else. */
export interface AnalysedProgram {
    readonly program: Program;
    readonly predicates: ReadonlyMap<PredicateKey, Predicate>;
    /** The predicates of one name by the number of their columns. It is quick where `predicates` has to be made first. */
    predicatesNamed(name: string): readonly Predicate[];
    /** All names of predicates, in no particular order. */
    predicateNames(): Iterable<PredicateName>;
    /** Every rule without a syntax error, in text order. */
    readonly rules: readonly AnalysedRule[];
    /** The strongly connected components of the dependency graph, lowest first; constraints and equality heads belong to none. */
    readonly strata: readonly Stratum[];
    /** The same by what has to be complete first, with the equality heads, lowest first. */
    readonly levels: readonly Level[];
    /** In the order of their `@output` annotations. */
    readonly outputs: readonly PredicateKey[];
    readonly parameters: ReadonlyMap<string, Parameter>;
    /** The prefixes that `@library` declares, and the libraries that they stand for. */
    readonly libraryPrefixes?: ReadonlyMap<string, string>;
    readonly binds: readonly Bind[];
    /** The targets of `@chase` and `@explain`, in text order. */
    readonly provenance: readonly ProvenanceTarget[];
    /** Constructs that the evaluator refuses before a run. */
    readonly unsupported: readonly Unsupported[];
    /** Input binds to files whose columns the analysis asks for: they were not among the schemas given to the analysis. */
    readonly schemaNeeds: readonly Bind[];
    /** Known columns: of sources by the keys of their binds, of relations that a host supplies by their names. */
    readonly schemas: ReadonlyMap<string, SourceSchema>;
    readonly hasSql: boolean;
    /** Returns the tables and the columns of a rule's SQL query. Undefined for other rules, and if the host has no reader of SQL. */
    querySchema(rule: Rule): QuerySchema | undefined;
    readonly chase: ChaseFacts;
    readonly problems: readonly Problem[];
}

export interface PredicateName {
    readonly name: string;
    /** The numbers of columns of the predicates that have the name, ascending. */
    readonly predicates: readonly number[];
}

export interface Predicate {
    readonly key: PredicateKey;
    readonly name: string;
    readonly arity: number;
    readonly columns: readonly Column[];
    readonly facts: readonly Fact[];
    /** Indexes into `AnalysedProgram.rules` of the rules with this predicate in their head. */
    readonly rules: readonly number[];
    readonly inputBinds: readonly Bind[];
    readonly outputBinds: readonly Bind[];
    readonly input: boolean;
    readonly output: boolean;
    readonly model?: Model;
    /** In textual order. */
    readonly post: readonly PostDirective[];
    /** Zero-based columns that rules aggregate; the other columns are the group key. Empty for most predicates. */
    readonly aggregatedColumns: readonly number[];
}

export interface Column {
    /** Model field, mapping, head variable, header of the bind, else `p_0`; made distinct with `_2` (12.5). */
    readonly name: string;
    /** The inferred type, or the one that a model or mapping fixes. */
    readonly type: Type;
    /** True when a model or mapping fixes the type, so that values are cast to it (8.4). */
    readonly cast: boolean;
    /** The column of the source that `@mapping` names; it counts where the source has names (8.5). */
    readonly mapped?: string;
    /** The column's name in the file of the only bind, if the host knows it. */
    readonly header?: string;
    /** Some of the texts that the file of its only bind has in the column, where the host has looked. */
    readonly examples?: readonly string[];
}

/** A rule whose names are resolved. Literals keep the order of the text. */
export interface AnalysedRule {
    readonly index: number;
    readonly rule: Rule;
    /** Empty for equality heads, constraints. A head term may be any expression without aggregates. */
    readonly heads: readonly ResolvedAtom[];
    readonly literals: readonly Literal[];
    /** Boolean expressions that must hold for every match; those that need an aggregate's result are marked. */
    readonly conditions: readonly Condition[];
    /** In an order in which each right side is bound by the literals and the assignments before it. */
    readonly assignments: readonly Assignment[];
    /** Variables bound by positive literals and assignments. */
    readonly bound: ReadonlySet<string>;
    /** Variables of the head that nothing binds, in order of occurrence; anonymous head terms are not listed. */
    readonly existential: readonly string[];
    /** Every match that binds a variable to a labelled null is discarded (`dom(*)`). */
    readonly constantsOnly: boolean;
    /** The predicates that have to be complete before the rule: that which its relation function reads, or the tables of its query. */
    readonly reads: readonly PredicateKey[];
    /** The tables of its SQL query. */
    readonly tables?: readonly QueryTable[];
    /** How many columns the result of that query has, where that is known. */
    readonly width?: number;
    readonly types: ReadonlyMap<string, Type>;
}

/** A table of a query, and the predicate that it stands for. */
export interface QueryTable {
    /** As the query writes it. */
    readonly name: string;
    readonly predicate: PredicateKey;
    /** Names for the columns in a query: `edge_0` if nothing else names one. */
    readonly columns: readonly string[];
}

export interface ResolvedAtom {
    readonly atom: Atom;
    readonly predicate: PredicateKey;
}

/** The atom may have fewer arguments than the predicate has columns: the missing trailing ones are anonymous (D-24.3). */
export interface Literal extends ResolvedAtom {
    readonly negated: boolean;
    /** A negated atom with a variable that depends on an aggregate: it filters groups, not matches (5.2). */
    readonly afterAggregation: boolean;
}

export interface Condition {
    readonly expression: Expression;
    /** The expression uses a variable that depends on an aggregate: it filters groups, not matches (5.2). */
    readonly afterAggregation: boolean;
}

export interface Assignment {
    readonly variable: Variable;
    readonly value: Expression;
    /** The aggregates inside `value`, in text order. */
    readonly aggregates: readonly Aggregate[];
    /** The value is an aggregate or is computed from one. */
    readonly afterAggregation: boolean;
}

export interface Stratum {
    readonly predicates: readonly PredicateKey[];
    /** Indexes into `AnalysedProgram.rules` of the rules with one of these predicates in their head. */
    readonly rules: readonly number[];
    readonly recursive: boolean;
    /** A recursive component that may create values for ever (RL2204): round limits apply (D-29.4). */
    readonly growing: boolean;
}

/** A stratum in the sense of 4.9: components that need not be complete before each other, and what is made equal after them. */
export interface Level {
    /** Components in dependency order: each one after the components that it needs. */
    readonly components: readonly Stratum[];
    /**
     * Indexes of rules with an equality head; also of lower ones that what this level makes equal concerns. Those of a later
     * list are matched where those before replace nothing more.
     */
    readonly equalities: readonly (readonly number[])[];
    /** The components that are evaluated again where something was made equal: those of the level, and lower ones that it concerns. */
    readonly again: readonly Stratum[];
}

/**
 * Facts that decide how the engine evaluates rules which create nulls. They leave out literal `null`s and nulls of sources, which are as
 * many as the rows they come from.
 */
export interface ChaseFacts {
    /** Some rule has an existential variable, an anonymous head variable or a Skolem term. */
    readonly createsNulls: boolean;
    /** The rules create finitely many nulls from any database. */
    readonly weaklyAcyclic: boolean;
    readonly warded: boolean;
    /** By predicate, the zero-based columns that may hold nulls which rules create. */
    readonly affected: ReadonlyMap<PredicateKey, ReadonlySet<number>>;
    /** By the indexes of the rules. */
    readonly rules: readonly RuleWardedness[];
    /** A harmful join reads a position that recursive creation of nulls feeds (RT030). */
    readonly harmfulJoinOverRecursiveNulls: boolean;
}

/** The effect of created nulls in one rule (4.7). */
export interface RuleWardedness {
    /** Variables that may hold created nulls, those that `V = W` copies included. */
    readonly harmful: ReadonlySet<string>;
    /** Variables of positive atoms whose created nulls the head receives, directly or through `V = W`. */
    readonly dangerous: ReadonlySet<string>;
    readonly warded: boolean;
    /** Index among the literals of the atom that guards the dangerous variables; absent if nothing is dangerous or nothing guards. */
    readonly ward?: number;
    /** Harmful variables that stand in several positive atoms. */
    readonly harmfulJoins: readonly string[];
    /** An equality head of which one side may hold created nulls; false for all other rules. */
    readonly equatesNulls: boolean;
}

export interface Parameter {
    readonly name: string;
    /** The declared default; absent for a parameter that is used but not declared. */
    readonly value?: Expression;
    readonly place: ClausePlace;
}

/** `@bind` or `@qbind`, parsed. Options keep the text of their values; parameters in them are not substituted yet. */
export interface Bind {
    readonly annotation: Annotation;
    readonly place: ClausePlace;
    readonly kind: 'bind' | 'qbind';
    readonly predicate: string;
    readonly direction: 'input' | 'output';
    /** Lower-case, aliases resolved: `csv`, `postgresql`. */
    readonly type: string;
    readonly options: ReadonlyMap<string, string>;
    readonly outer: string;
    /** The inner container, or the query of a `@qbind`. */
    readonly inner: string;
    /** Of an output bind: rows of the target are deleted or changed instead of replaced. */
    readonly keyed?: KeyedWrite;
}

/** A target for the derivations of a run: `@chase`, `@explain` (11.2, 11.3). */
export interface ProvenanceTarget {
    readonly kind: 'chase' | 'explain';
    /** The target as the bind of an output. */
    readonly bind: Bind;
    /** The predicates that are explained instead of the outputs. */
    readonly predicates?: readonly string[];
    /** The explanations are those of a chase that was written before. */
    readonly recorded: boolean;
    /** The chase becomes a folder of nodes and one of edges. */
    readonly asGraph: boolean;
}

/** `@delete` or `@update`: which rows of a target are meant is said by their cells in these zero-based columns. */
export interface KeyedWrite {
    readonly kind: 'delete' | 'update';
    readonly columns: readonly number[];
}

/** The columns of a source, as the host found them. */
export interface SourceSchema {
    readonly columns: readonly {
        readonly name?: string;
        readonly type?: Type;
        /** Some of the texts that it holds, where the host has looked. */
        readonly examples?: readonly string[];
        /** Facts about its texts, if it has no type, that of texts or of several classes, and the host has read some. */
        readonly texts?: ColumnTexts;
    }[];
    /** The first record, where the bind speaks of no header and it looks like one. */
    readonly seemsNamed?: readonly string[];
    /** The sign that the cells seem to be separated by, where that is another one than the bind says. */
    readonly delimiter?: string;
}

/** Facts about a column of texts that the first records show. */
export interface ColumnTexts {
    readonly records: number;
    readonly empty: number;
    /** The type that all texts read as; `string` where that is none, and absent where all are empty. */
    readonly seems?: 'int' | 'long' | 'double' | 'boolean' | 'date' | 'string';
    /** How all of them are written as numbers where that is not `1234.5`; several where nothing shows what a comma is. */
    readonly forms?: readonly NumberForm[];
    /** The patterns of days, other than that of literals, which all texts fit; none where each fits one, and no pattern fits all. */
    readonly days?: readonly string[];
    /** The sign for a currency or percents that all texts have beside a number. */
    readonly sign?: string;
    /** Two numbers or days, of which the smaller one is the greater text, or two days in different forms. */
    readonly misordered?: readonly [string, string];
    /** One of the texts, where all of them read as numbers. */
    readonly number?: string;
    /** A number or a date and a text that reads as one, both as they are written in a program, in a column that has both. */
    readonly mixed?: readonly [string, string];
}

/** A table that binds can name, or a schema, behind whose name others stand. */
export interface SourceTable {
    readonly name: string;
    readonly kind: 'table' | 'view' | 'sheet' | 'schema';
    /** None where only reading the table tells them, and of a schema. */
    readonly columns: readonly { readonly name: string; readonly type?: Type }[];
}

export interface Model {
    readonly predicate: string;
    readonly fields: readonly ModelField[];
    readonly description?: string;
    readonly superModel?: string;
    readonly relationship?: { readonly from: string; readonly to: string };
    readonly place: ClausePlace;
    readonly annotation: Annotation;
}

export interface ModelField {
    readonly name: string;
    readonly type: Type;
    readonly key?: 'ID' | 'sID' | 'tID';
}

/** A directive of `@post` (8.9). Positions are zero-based here. */
export type PostDirective =
    | { readonly kind: 'prelimit' | 'limit'; readonly count: number }
    | { readonly kind: 'certain' | 'unique' }
    | { readonly kind: 'min' | 'max'; readonly columns: readonly number[] }
    | { readonly kind: 'argmin' | 'argmax'; readonly column: number; readonly groups: readonly number[] }
    | { readonly kind: 'orderby'; readonly keys: readonly { readonly column: number; readonly descending: boolean }[] };

export interface Unsupported {
    readonly code: 'RT062';
    /** The construct in words: `A Cypher body`. */
    readonly construct: string;
    readonly place: ClausePlace;
    readonly span: { readonly start: number; readonly end: number };
}
