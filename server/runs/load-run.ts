import { namedAnnotations, placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import { allProblems } from '#language/modules/all-problems.ts';
import { findGivenModules } from '#language/modules/given-modules.ts';
import { withModules } from '#language/modules/include.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { readProgram } from '#language/read-program.ts';
import { serviceGrants } from '#server/files/grants.ts';
import type { ProgramRun } from '#server/protocol/run-process.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { editorGrants } from '#server/workspace/editor-grants.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import { findRunModules } from './run-modules.ts';

/** The program of an editor's run, analysed with the columns that its sources show. */
export interface LoadedRun {
    readonly program: AnalysedProgram;
    /** Of all stages, file by file in text order. */
    readonly problems: readonly Problem[];
    readonly access: SourceAccess;
    /** What the run shows unless it is told what. */
    readonly outputs: readonly PredicateKey[];
}

export async function loadRun({
    text,
    file,
    modules,
    otherPrograms,
    currentFolder,
    roots,
    writeFiles,
    folders,
    parameters,
}: ProgramRun): Promise<LoadedRun> {
    const read = readProgram(text, file);
    const linked = withModules(
        read.value,
        otherPrograms === undefined ? findRunModules(modules, read.value) : findGivenModules(otherPrograms),
    );
    const declared = declaredParameters(placedAnnotations(linked));
    const access: SourceAccess = {
        grants: folders === undefined ? editorGrants(roots, writeFiles) : serviceGrants(folders),
        programFile: file,
        pathOf: path => path,
        currentFolder,
        parameters: parameterTexts(declared, parameters),
    };
    const program = await new SourceLookup().analysed(linked, access, { suppliedParameters: parameters });
    // A parameter that the run gives needs no declaration.
    const isGiven = (problem: Problem): boolean =>
        problem.code === 'RL8001' && problem.place.file === file && parameters.has(argumentsOf(problem, problem.code)[0]);
    const problems = allProblems(program, read.problems).filter(problem => !isGiven(problem));
    return { program, problems, access, outputs: otherPrograms === undefined ? program.outputs : withModuleOutputs(program) };
}

/** The outputs of the program and those of the modules that come with it. */
function withModuleOutputs({ program, outputs, predicatesNamed }: AnalysedProgram): PredicateKey[] {
    const named = namedAnnotations(placedAnnotations(program), 'output').flatMap(({ predicate }) => predicatesNamed(predicate));
    return [...new Set([...outputs, ...named.map(({ key }) => key)])];
}
