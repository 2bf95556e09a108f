import { placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import type { AnalysisOptions } from '#language/analysis/program-facts.ts';
import { allProblems } from '#language/modules/all-problems.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Program } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import type { Grants } from '#server/files/grants.ts';
import { type SourceText, sourceText } from '#server/notices/source-texts.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';

/** A program to be loaded: its text, what its includes stand for, what it may reach, and what it is given. */
export interface ProgramSource {
    /** The name of the text in places. */
    readonly file: string;
    readonly text: string;
    /** Reads its text, where that is not done from the first character to the last. */
    readonly read?: typeof readProgram;
    /** The program with its modules, and without what does not count. */
    readonly linked: (program: Program) => Program;
    /** The text of a module, where it is to be shown. */
    readonly textOf?: (file: string) => string | undefined;
    readonly grants: Grants;
    /** The folder from which paths are shown. */
    readonly currentFolder: string;
    readonly parameters: ReadonlyMap<string, unknown>;
    /** Further options for the analysis. */
    readonly analysis?: Pick<AnalysisOptions, 'schemas' | 'concept'>;
}

/** A program with what its binds reach. */
export interface ReadSource {
    readonly linked: Program;
    /** Of reading alone. */
    readonly problems: readonly Problem[];
    readonly access: SourceAccess;
}

/** A program, analysed with the columns that its sources show. */
export interface LoadedProgram {
    readonly file: string;
    readonly source: SourceText;
    readonly program: AnalysedProgram;
    /** Of all stages, file by file in text order. */
    readonly problems: readonly Problem[];
    readonly access: SourceAccess;
    readonly parameters: ReadonlyMap<string, unknown>;
    /** Its text and those of its modules, by the names of their files. */
    readonly texts: ReadonlyMap<string, SourceText>;
}

export function readSource({ text, file, read = readProgram, linked: link, grants, currentFolder, parameters }: ProgramSource): ReadSource {
    const { value, problems } = read(text, file);
    const linked = link(value);
    const texts = parameterTexts(declaredParameters(placedAnnotations(linked)), parameters);
    return { linked, problems, access: { grants, programFile: file, pathOf: path => path, currentFolder, parameters: texts } };
}

export async function loadProgram(source: ProgramSource, lookup = new SourceLookup()): Promise<LoadedProgram> {
    const read = readSource(source);
    return loaded(source, read, await lookup.analysed(read.linked, read.access, optionsOf(source)));
}

/** The same with what is known of its sources by now. */
export function loadKnown(source: ProgramSource, lookup: SourceLookup): LoadedProgram {
    const read = readSource(source);
    return loaded(source, read, lookup.known(read.linked, read.access, optionsOf(source)));
}

function optionsOf({ analysis, parameters }: ProgramSource): AnalysisOptions {
    return { ...analysis, suppliedParameters: parameters };
}

function loaded(
    { file, text, textOf, parameters }: ProgramSource,
    { problems, access }: ReadSource,
    program: AnalysedProgram,
): LoadedProgram {
    const source = sourceText(text);
    const texts = new Map([[file, source]]);
    for (const module of program.program.inclusion?.modules ?? []) {
        const known = textOf?.(module.file);
        if (known !== undefined) texts.set(module.file, sourceText(known));
    }
    return { file, source, program, problems: allProblems(program, problems), access, parameters, texts };
}
