import { placedAnnotations, textOf } from '#language/analysis/annotation-arguments.ts';
import { problem } from '#language/problems/catalogue.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { filesBehind } from '#language/program/inclusion.ts';
import type { Problem } from '#language/program/problem.ts';
import { compareLocations } from '#language/program/span.ts';

/** The problems of a program and of the modules in it, of reading and of analysis: file by file, in text order. */
export function allProblems(analysed: AnalysedProgram, reading: readonly Problem[]): readonly Problem[] {
    const { file, inclusion } = analysed.program;
    const modules = inclusion?.modules ?? [];
    const all = [...reading, ...modules.flatMap(module => module.problems), ...analysed.problems];
    if (modules.length === 0) return all.sort(compareLocations);
    const ranks = new Map([file, ...modules.map(module => module.file)].map((name, i) => [name, i]));
    const rank = ({ place }: Problem): number => ranks.get(place.file) ?? 0;
    return all.sort((a, b) => rank(a) - rank(b) || compareLocations(a, b));
}

/**
 * The problems of the file of a program alone, in text order. Someone who sees nothing else has to know of errors in its
 * modules: RL8016 at each include that leads to some.
 */
export function ownProblems(analysed: AnalysedProgram): readonly Problem[] {
    const { file, inclusion } = analysed.program;
    if (inclusion === undefined) return analysed.problems;
    const own = analysed.problems.filter(({ place }) => place.file === file);
    return [...own, ...errorsBehindIncludes(analysed)].sort(compareLocations);
}

function errorsBehindIncludes({ program, problems }: AnalysedProgram): readonly Problem[] {
    const { file, inclusion } = program;
    if (inclusion === undefined) return [];
    const errors = new Map<string, Problem>();
    const reading = inclusion.modules.flatMap(module => module.problems);
    for (const found of [...reading, ...problems]) {
        if (found.severity === 'error' && found.place.file !== file && !errors.has(found.place.file)) errors.set(found.place.file, found);
    }
    if (errors.size === 0) return [];
    return placedAnnotations({ file, clauses: program.clauses }).flatMap(({ annotation, place }) => {
        const [argument] = annotation.arguments;
        const name = annotation.name === 'include' ? textOf(argument) : undefined;
        const target = name === undefined ? undefined : inclusion.targets.get(file)?.get(name);
        if (argument === undefined || name === undefined || target?.kind !== 'module') return [];
        const first = [target.module.file, ...filesBehind(inclusion, target.module.file)].find(behind => errors.has(behind));
        const error = first === undefined ? undefined : errors.get(first);
        return error === undefined ? [] : [problem('RL8016', place, argument.span, name, shortName(error.place.file), error.message)];
    });
}

/** The last part of a path or address. */
function shortName(file: string): string {
    const last = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    try {
        return decodeURIComponent(last);
    } catch {
        return last;
    }
}
