import { placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import { allProblems } from '#language/modules/all-problems.ts';
import { withModules } from '#language/modules/include.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { readProgram } from '#language/read-program.ts';
import type { ProgramRun } from '#server/protocol/run-process.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import { type FileAccess, peekSource } from '#server/sources/file-connectors.ts';
import { analyseWithSchemas } from '#server/workspace/analyse-with-schemas.ts';
import { editorGrants } from '#server/workspace/editor-grants.ts';
import { findRunModules } from './run-modules.ts';

/** The program of an editor's run, analysed with the columns that its sources show. */
export interface LoadedRun {
    readonly program: AnalysedProgram;
    /** Of all stages, file by file in text order. */
    readonly problems: readonly Problem[];
    readonly access: FileAccess;
}

export function loadRun({ text, file, modules, currentFolder, roots, parameters }: ProgramRun): LoadedRun {
    const read = readProgram(text, file);
    const linked = withModules(read.value, findRunModules(modules, read.value));
    const declared = declaredParameters(placedAnnotations(linked));
    const access: FileAccess = {
        grants: editorGrants(roots),
        programFile: file,
        pathOf: path => path,
        currentFolder,
        parameters: parameterTexts(declared, parameters),
    };
    const program = analyseWithSchemas(linked, bind => peekSource(bind, access), parameters);
    return { program, problems: allProblems(program, read.problems), access };
}
