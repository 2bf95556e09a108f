import type { FindModule } from '#language/modules/include.ts';
import type { IncludeTarget, Inclusion, Module } from '#language/program/inclusion.ts';
import type { Program } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import type { RunInclude, RunModules } from '#server/protocol/run-process.ts';

/** Collects the modules of a program for the process of a run, which knows files by their paths. */
export function runModules(
    inclusion: Inclusion | undefined,
    textOf: (file: string) => string,
    pathOf: (file: string) => string,
): RunModules {
    const files = (inclusion?.modules ?? []).map(({ file }) => ({ file: pathOf(file), text: textOf(file) }));
    const includes = [...(inclusion?.targets ?? [])].flatMap(([from, targets]) =>
        Array.from(targets, ([name, target]) => ({ from: pathOf(from), name, target: includeOf(target, pathOf) })),
    );
    return { files, includes };
}

function includeOf(target: IncludeTarget, pathOf: (file: string) => string): RunInclude {
    return target.kind === 'module' ? { kind: 'module', file: pathOf(target.module.file) } : target;
}

/** Finds the modules that the process of a run was given, and the program itself. */
export function findRunModules({ files, includes }: RunModules, program: Program, read = readProgram): FindModule {
    const own: Module = { file: program.file, clauses: program.clauses, problems: [] };
    const modules = new Map(
        files.map(({ file, text }) => {
            const { value, problems } = read(text, file);
            return [file, { file, clauses: value.clauses, problems }] as const;
        }),
    );
    modules.set(own.file, own);
    const targets = new Map(includes.map(({ from, name, target }) => [`${from}\n${name}`, target]));
    return (name, from) => {
        const target = targets.get(`${from}\n${name}`);
        if (target?.kind !== 'module') return target;
        const module = modules.get(target.file);
        return module && { kind: 'module', module };
    };
}
