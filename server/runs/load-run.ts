import { placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { readProgram } from '#language/read-program.ts';
import type { ProgramRun } from '#server/protocol/run-process.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import { type FileAccess, peekSource } from '#server/sources/file-connectors.ts';
import { analyseWithSchemas } from '#server/workspace/analyse-with-schemas.ts';
import { editorGrants } from '#server/workspace/editor-grants.ts';

/** The program of an editor's run, analysed with the columns that its sources show. */
export interface LoadedRun {
    readonly program: AnalysedProgram;
    /** Of all stages, in text order. */
    readonly problems: readonly Problem[];
    readonly access: FileAccess;
}

export function loadRun({ text, file, currentFolder, roots, parameters }: ProgramRun): LoadedRun {
    const read = readProgram(text, file);
    const declared = declaredParameters(placedAnnotations(read.value));
    const access: FileAccess = {
        grants: editorGrants(roots),
        programFile: file,
        currentFolder,
        parameters: parameterTexts(declared, parameters),
    };
    const program = analyseWithSchemas(read.value, bind => peekSource(bind, access), parameters);
    const problems = [...read.problems, ...program.problems].sort((a, b) => offsetOf(a) - offsetOf(b));
    return { program, problems, access };
}

function offsetOf({ place, span }: Problem): number {
    return place.offset + span.start;
}
