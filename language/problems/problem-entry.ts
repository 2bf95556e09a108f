import type { SourceSchema } from '#language/program/analysed-program.ts';
import type { Severity } from '#language/program/problem.ts';

/** The catalogue's entry for one code. Words are those of section 13 of the language reference. */
export interface ProblemEntry {
    readonly name: string;
    /** The usual severity; a few checks raise or lower it where the reference gives two. */
    readonly severity: Severity;
    readonly message: (...args: never[]) => string;
    /** A phrase that says what to do about it. */
    readonly remedy?: string;
    /** Why it is a problem, in a sentence or two for someone who meets it for the first time. */
    readonly why: string;
    /** A program that has this problem and no other error. */
    readonly example: string;
    /** The name of the example's file, if it matters. */
    readonly file?: string;
    /** The files beside the example, by name, where it takes more than one. The example itself is the module `example`. */
    readonly modules?: Readonly<Record<string, string>>;
    /** The names of the columns of sources, with types where the source has some (`id:int`), by predicate, where the problem lies in them. */
    readonly sources?: Readonly<Record<string, readonly string[]>>;
    /** Columns of sources by predicate, if the example needs more than their names and types. */
    readonly schemas?: Readonly<Record<string, SourceSchema>>;
    /** The files of sources that are not there, by name, where the problem lies in them. */
    readonly missing?: Readonly<Record<string, { readonly nearest?: string }>>;
    /** The predicates at whose binds a run would end, where the problem lies in that. */
    readonly refused?: readonly string[];
    /** The columns that the targets of predicates have already, where the problem lies in them. */
    readonly held?: Readonly<Record<string, readonly string[]>>;
    /** A run has no answer to the queries of the example, which is where the problem lies. */
    readonly unanswered?: true;
    /** The texts of the scripts beside the example, by name, where the problem lies in them; none of them is run. */
    readonly scripts?: Readonly<Record<string, string>>;
    /** Only told where a project gives it a severity. */
    readonly offByDefault?: true;
    readonly tags?: readonly ('unnecessary' | 'deprecated')[];
}
