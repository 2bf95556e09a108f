import type { Problem } from './problem.ts';
import type { Clause, Program } from './program.ts';

/** A file of which an `@include` adds the clauses. */
export interface Module {
    /** Its name, as in the places of its clauses. */
    readonly file: string;
    readonly clauses: readonly Clause[];
    /** Problems of reading its text. */
    readonly problems: readonly Problem[];
}

/** The target of a name in an `@include`, as the host found it. Places call files by these names. */
export type IncludeTarget =
    | { readonly kind: 'module'; readonly module: Module }
    /**
     * `looked` names the paths that hold no file; `nearest` is the module that was probably meant; `partly` says that there
     * were more files than are looked into.
     */
    | { readonly kind: 'missing'; readonly looked: readonly string[]; readonly nearest?: string; readonly partly?: boolean }
    | { readonly kind: 'several'; readonly files: readonly string[] }
    /** There may be a file that may not or cannot be read; why, in words that name it. */
    | { readonly kind: 'refused'; readonly reason: string };

/** Targets of the includes of a program, and of the includes in its modules. */
export interface Inclusion {
    /** Every included file once, in the order in which includes lead to them; never the program itself. */
    readonly modules: readonly Module[];
    /** By including file and included name. Absent where the host does not know yet. */
    readonly targets: ReadonlyMap<string, ReadonlyMap<string, IncludeTarget>>;
}

/** Returns the target of a name in a file of the program. */
export function includeTarget({ inclusion }: Program, name: string, from: string): IncludeTarget | undefined {
    return inclusion?.targets.get(from)?.get(name);
}

/** The clauses of the program and of all its modules: those of a file in text order, the program's own first. */
export function allClauses({ clauses, inclusion }: Program): readonly Clause[] {
    if (inclusion === undefined || inclusion.modules.length === 0) return clauses;
    return [...clauses, ...inclusion.modules.flatMap(module => module.clauses)];
}

/** The files that a file of the program includes, directly or through others, in the order in which they are met. */
export function filesBehind({ targets }: Inclusion, file: string): Set<string> {
    const found = new Set<string>();
    const waiting = [file];
    for (const from of waiting) {
        for (const target of targets.get(from)?.values() ?? []) {
            if (target.kind !== 'module' || found.has(target.module.file)) continue;
            found.add(target.module.file);
            waiting.push(target.module.file);
        }
    }
    return found;
}
