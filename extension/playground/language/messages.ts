import type { LanguageMethods } from '#extension/page/language/messages.ts';
import type { ProgramParameter } from '#extension/webviews/results/messages.ts';
import type { DependencyGraph, NamedPredicate } from '#server/protocol/graphs.ts';
import type { RunModules } from '#server/protocol/run-process.ts';
import type { AskedGraph } from '#server/workspace/dependency-graph-of.ts';
import type { FileBytes } from '../run/messages.ts';

/** Questions of the page to the worker with the language, beside those of the editor. */
export interface PlaygroundMethods extends LanguageMethods {
    /** The files that there are now. */
    files: { readonly params: readonly FileBytes[]; readonly result: null };
    /** Modules of the program. */
    modules: { readonly params: null; readonly result: RunModules };
    parameters: { readonly params: null; readonly result: readonly ProgramParameter[] };
    graph: { readonly params: AskedGraph; readonly result: DependencyGraph };
    place: { readonly params: NamedPredicate; readonly result: PredicatePlace | null };
    /** The clauses that read the rows of a file. */
    bind: { readonly params: string; readonly result: string | null };
}

/** The definition of a predicate: offsets in a file. */
export interface PredicatePlace {
    readonly file: string;
    readonly start: number;
    readonly end: number;
}
