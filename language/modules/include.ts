import { textOf } from '#language/analysis/annotation-arguments.ts';
import { commonEnds } from '#language/analysis/common-ends.ts';
import type { IncludeTarget, Inclusion, Module } from '#language/program/inclusion.ts';
import type { Clause, Program } from '#language/program/program.ts';

/** Tells what a name in an `@include` of a file stands for; nothing while that is not known. */
export type FindModule = (name: string, from: string) => IncludeTarget | undefined;

/**
 * Follows the includes of a program from module to module; undefined for a program without includes. Each file is met once, so that modules
 * may include each other (D-65).
 */
export function inclusionOf(program: Pick<Program, 'file' | 'clauses'>, find: FindModule): Inclusion | undefined {
    if (moduleNames(program.clauses).included.length === 0) return undefined;
    const modules = new Map<string, Module>();
    const targets = new Map<string, ReadonlyMap<string, IncludeTarget>>();
    const follow = (file: string, clauses: readonly Clause[]): void => {
        const own = new Map<string, IncludeTarget>();
        targets.set(file, own);
        for (const name of moduleNames(clauses).included) {
            const target = find(name, file);
            if (target === undefined) continue;
            own.set(name, target);
            if (target.kind !== 'module' || targets.has(target.module.file)) continue;
            modules.set(target.module.file, target.module);
            follow(target.module.file, target.module.clauses);
        }
    };
    follow(program.file, program.clauses);
    return { modules: [...modules.values()], targets };
}

/** The program with what its includes stand for. */
export function withModules(program: Program, find: FindModule): Program {
    const inclusion = inclusionOf(program, find);
    return inclusion === undefined ? program : { ...program, inclusion };
}

/** True when both say the same and the modules have the same clauses. */
export function sameInclusion(a: Inclusion | undefined, b: Inclusion | undefined): boolean {
    if (a === b) return true;
    if (a === undefined || b === undefined || a.modules.length !== b.modules.length || a.targets.size !== b.targets.size) return false;
    if (!a.modules.every((module, i) => sameModule(module, b.modules[i]))) return false;
    return [...a.targets].every(([file, targets]) => sameTargets(targets, b.targets.get(file)));
}

function sameModule(a: Module, b: Module | undefined): boolean {
    return a.file === b?.file && a.clauses === b.clauses && a.problems.length === b.problems.length;
}

function sameTargets(a: ReadonlyMap<string, IncludeTarget>, b: ReadonlyMap<string, IncludeTarget> | undefined): boolean {
    return a.size === b?.size && [...a].every(([name, target]) => sameTarget(target, b.get(name)));
}

function sameTarget(a: IncludeTarget, b: IncludeTarget | undefined): boolean {
    switch (a.kind) {
        case 'module':
            return b?.kind === 'module' && a.module.file === b.module.file;
        case 'missing':
            return b?.kind === 'missing' && a.nearest === b.nearest && a.partly === b.partly && a.looked.join('\n') === b.looked.join('\n');
        case 'several':
            return b?.kind === 'several' && a.files.join('\n') === b.files.join('\n');
        case 'refused':
            return b?.kind === 'refused' && a.reason === b.reason;
    }
}

/** The module names in a file: its own, and the names that it includes. */
export interface ModuleNames {
    readonly own: string | undefined;
    readonly included: readonly string[];
}

const NAMES = new WeakMap<readonly Clause[], ModuleNames>();

export function moduleNames(clauses: readonly Clause[]): ModuleNames {
    let names = NAMES.get(clauses);
    if (names === undefined) {
        names = readNames(clauses);
        NAMES.set(clauses, names);
    }
    return names;
}

/** Hands on what is known of some clauses to what a change made of them, when it concerns no names of modules. */
export function carryModuleNames(from: readonly Clause[], to: readonly Clause[]): void {
    const names = NAMES.get(from);
    if (names === undefined || from === to) return;
    const { start, tail } = commonEnds(from, to);
    const changed = [...from.slice(start, from.length - tail), ...to.slice(start, to.length - tail)];
    const concerned = changed.some(({ annotations }) => annotations.some(({ name }) => name === 'module' || name === 'include'));
    if (!concerned) NAMES.set(to, names);
}

function readNames(clauses: readonly Clause[]): ModuleNames {
    let own: string | undefined;
    const included = new Set<string>();
    for (const { annotations } of clauses) {
        if (annotations.length === 0) continue;
        for (const {
            name,
            arguments: [argument],
        } of annotations) {
            const text = name === 'module' || name === 'include' ? textOf(argument) : undefined;
            if (text === undefined) continue;
            if (name === 'include') included.add(text);
            else own ??= text;
        }
    }
    return { own, included: [...included] };
}
