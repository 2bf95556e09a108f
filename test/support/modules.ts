import { findModules, modulesAmong } from '#language/modules/find-module.ts';
import type { FindModule } from '#language/modules/include.ts';
import type { Module } from '#language/program/inclusion.ts';
import { readProgram } from '#language/read-program.ts';

/** Finds modules among texts, by the names of their files; the texts are read when a module is looked for. */
export function finding(texts: Iterable<readonly [file: string, text: string]>): FindModule {
    let find: FindModule | undefined;
    return (name, from) => {
        find ??= findModules(modulesAmong(Array.from(texts, ([file, text]) => moduleOf(text, file))));
        return find(name, from);
    };
}

export function moduleOf(text: string, file: string): Module {
    const { value, problems } = readProgram(text, file);
    return { file, clauses: value.clauses, problems };
}
