import type { LanguageMethods } from '#extension/page/language/messages.ts';
import type { ProgramParameter } from '#extension/webviews/results/messages.ts';
import type { DependencyGraph, NamedPredicate } from '#server/protocol/graphs.ts';
import type { RunModules } from '#server/protocol/run-process.ts';
import type { AskedGraph } from '#server/workspace/dependency-graph-of.ts';
import type { FileBytes } from '../run/messages.ts';

/** What the page asks the worker that has the language, beside what the editor asks it. */
export interface PlaygroundMethods extends LanguageMethods {
    /** The files that there are now. */
    files: { readonly params: readonly FileBytes[]; readonly result: null };
    /** What the program includes. */
    modules: { readonly params: null; readonly result: RunModules };
    parameters: { readonly params: null; readonly result: readonly ProgramParameter[] };
    graph: { readonly params: AskedGraph; readonly result: DependencyGraph };
    place: { readonly params: NamedPredicate; readonly result: PredicatePlace | null };
    /** The clauses that read the rows of a file. */
    bind: { readonly params: string; readonly result: string | null };
}

/** Where a predicate is defined: offsets in a file. */
export interface PredicatePlace {
    readonly file: string;
    readonly start: number;
    readonly end: number;
}
