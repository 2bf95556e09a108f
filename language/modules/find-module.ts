import { nearestName } from '#language/library/nearest-name.ts';
import type { IncludeTarget, Module } from '#language/program/inclusion.ts';
import { type FindModule, moduleNames } from './include.ts';

/** The files among which modules are found. */
export interface ModuleFiles {
    /** The files that call themselves so with `@module`; nothing while not all files are known. */
    named(name: string): readonly Module[] | undefined;
    /** There are more files than are looked into for names. */
    readonly isPartial: boolean;
    /** The names that files call themselves. */
    names(): Iterable<string>;
    /** The paths under which a file includes a name, the first one first. */
    candidates(name: string, from: string): readonly string[];
    at(path: string): FileAt;
    /** The path as people read it. */
    shown(path: string): string;
    /** The name of a file as people read it. */
    shownFile(file: string): string;
}

/** The file at a path; undefined while the host does not know. */
export type FileAt = Module | { readonly kind: 'absent' } | { readonly kind: 'refused'; readonly reason: string } | undefined;

/** Finds the modules of included names: a file that names itself so, else a file at that path (8.8). */
export function findModules(files: ModuleFiles): FindModule {
    return (name, from) => {
        const named = files.named(name);
        if (named === undefined) return undefined;
        const [first, second] = named;
        if (second !== undefined) return { kind: 'several', files: named.map(({ file }) => files.shownFile(file)).sort() };
        return first === undefined ? atPath(name, from, files) : { kind: 'module', module: first };
    };
}

function atPath(name: string, from: string, files: ModuleFiles): IncludeTarget | undefined {
    const looked: string[] = [];
    let refused: IncludeTarget | undefined;
    for (const path of files.candidates(name, from)) {
        const found = files.at(path);
        if (found === undefined) return undefined;
        if (!('kind' in found)) return { kind: 'module', module: found };
        if (found.kind === 'absent') looked.push(files.shown(path));
        else refused ??= found;
    }
    if (refused !== undefined) return refused;
    const nearest = nearestName(name, files.names());
    return { kind: 'missing', looked, ...(nearest !== undefined && { nearest }), ...(files.isPartial && { partly: true }) };
}

/** Files that are all there is, with names that are paths from one folder on. */
export function modulesAmong(modules: Iterable<Module>): ModuleFiles {
    const known = new Map([...modules].map(module => [module.file, module]));
    const named = (name: string): Module[] => [...known.values()].filter(({ clauses }) => moduleNames(clauses).own === name);
    return {
        named,
        isPartial: false,
        names: () => [...known.values()].flatMap(({ clauses }) => moduleNames(clauses).own ?? []),
        candidates: (name, from) => {
            const beside = joined(from.slice(0, from.lastIndexOf('/') + 1), name);
            return withExtensions([...new Set([beside, joined('', name)])]);
        },
        at: path => known.get(path) ?? { kind: 'absent' },
        shown: path => path,
        shownFile: file => file,
    };
}

/** The file ending of programs; an include may leave it out. */
export const EXTENSION = '.rulelang';

/** Each path, and with the extension of programs where it has none. */
export function withExtensions(paths: readonly string[]): string[] {
    return paths.flatMap(path => (path.endsWith(EXTENSION) ? [path] : [path, `${path}${EXTENSION}`]));
}

function joined(folder: string, path: string): string {
    const parts: string[] = [];
    for (const part of `${folder}${path}`.split('/')) {
        if (part === '..' && parts.length > 0) parts.pop();
        else if (part !== '.' && part !== '') parts.push(part);
    }
    return parts.join('/');
}
