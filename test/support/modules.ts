import { type OpenDocument, openDocument } from '#language/editing/open-document.ts';
import { findModules, modulesAmong } from '#language/modules/find-module.ts';
import type { FindModule } from '#language/modules/include.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import type { Module } from '#language/program/inclusion.ts';
import { readProgram } from '#language/read-program.ts';

/** Finds modules among texts, by the names of their files. */
export function finding(texts: Iterable<readonly [file: string, text: string]>): FindModule {
    return findModules(modulesAmong(Array.from(texts, ([file, text]) => moduleOf(text, file))));
}

export function moduleOf(text: string, file: string): Module {
    const { value, problems } = readProgram(text, file);
    return { file, clauses: value.clauses, problems };
}

/** The example of a problem as the file `example.rulelang` beside its modules and sources. */
export function exampleDocument(text: string, { modules = {}, sources = {} }: Pick<ProblemEntry, 'modules' | 'sources'>): OpenDocument {
    const file = 'example.rulelang';
    const schemas = new Map(
        Object.entries(sources).map(([name, columns]) => [name, { columns: columns.map(column => ({ name: column })) }]),
    );
    return openDocument(text, file, { schemas }, finding([[file, text], ...Object.entries(modules)]));
}
