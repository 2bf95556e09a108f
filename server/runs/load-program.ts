import { dirname, resolve } from 'node:path';
import { placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import { allProblems } from '#language/modules/all-problems.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Module } from '#language/program/inclusion.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Program } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { commandLineGrants } from '#server/files/grants.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { shownPath } from '#server/files/shown-path.ts';
import type { Access } from '#server/protocol/jobs.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { type SourceText, sourceText } from '#server/terminal/source-texts.ts';
import { linkProgram } from '#server/workspace/link-program.ts';
import { type ProgramFile, programIndex } from '#server/workspace/program-index.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';

/** A program file, read and analysed with the columns that its sources show. */
export interface LoadedProgram {
    readonly file: string;
    readonly source: SourceText;
    readonly program: AnalysedProgram;
    /** The texts of its modules, by the names of their files. */
    readonly modules: ReadonlyMap<string, SourceText>;
    /** Of all stages, file by file in text order. */
    readonly problems: readonly Problem[];
    readonly access: SourceAccess;
    /** The same for another text of the file, with what is known of sources by now. */
    readonly again: (text: string) => LoadedProgram;
    /** Looks up the sources that other texts have asked for; false where none has. */
    readonly complete: () => Promise<boolean>;
}

/** Reads and analyses a file that the user named; RT064 where it cannot be read. */
export function loadProgram(file: string, access: Access, given: ReadonlyMap<string, unknown>): Promise<LoadedProgram> {
    return analyseText(readNamedText(file).text, file, access, given);
}

/** Where modules come from beside the files that are found. */
export interface ModuleSources {
    /** Texts of modules by their names; they come before all files. */
    readonly otherPrograms?: ReadonlyMap<string, string>;
    /** Remembers the files that were read, for other programs of the same job. */
    readonly read?: Map<string, ProgramFile>;
}

/**
 * Analyses a text as if it stood in a file, with the modules that it includes: those that the host passes by name, and
 * those in files below the folder of the program and the current folder.
 */
export async function analyseText(
    text: string,
    file: string,
    place: Access,
    given: ReadonlyMap<string, unknown>,
    sources: ModuleSources = {},
): Promise<LoadedProgram> {
    const lookup = new SourceLookup({ tellsMissing: true });
    const loaded = (other: ReadText, program: AnalysedProgram): LoadedProgram => ({
        file,
        source: sourceText(other.text),
        program,
        modules: other.modules,
        problems: allProblems(program, other.problems),
        access: other.access,
        again: newer => {
            const read = readText(newer, file, place, given, sources);
            return loaded(read, lookup.known(read.linked, read.access, { suppliedParameters: given }));
        },
        complete: () => lookup.complete(),
    });
    const first = readText(text, file, place, given, sources);
    return loaded(first, await lookup.analysed(first.linked, first.access, { suppliedParameters: given }));
}

/** A text with its modules, and what its binds reach. */
interface ReadText extends Pick<LoadedProgram, 'modules' | 'access' | 'problems'> {
    readonly text: string;
    readonly linked: Program;
}

function readText(
    text: string,
    file: string,
    { currentFolder, allowRead, allowWrite }: Access,
    given: ReadonlyMap<string, unknown>,
    { otherPrograms = new Map(), read: known }: ModuleSources,
): ReadText {
    const read = readProgram(text, file);
    const path = resolve(currentFolder, file);
    const grants = commandLineGrants({ program: dirname(path), current: currentFolder, allowRead, allowWrite });
    const own = { file, clauses: read.value.clauses, problems: read.problems };
    const passed = new Map(Array.from(otherPrograms, ([name, other]) => [name, moduleOf(other, name)]));
    const index = programIndex({
        roots: () => [...new Set([dirname(path), currentFolder])],
        grants: () => grants,
        largest: () => LARGEST,
        nameOf: other => shownPath(other, currentFolder),
        pathOf: name => (otherPrograms.has(name) ? undefined : resolve(currentFolder, name)),
        shown: other => shownPath(other, currentFolder),
        held: () => [own],
        version: 0,
        given: passed,
        ...(known !== undefined && { known }),
    });
    const linked = linkProgram(read.value, index);
    const access: SourceAccess = {
        grants,
        programFile: file,
        pathOf: name => name,
        currentFolder,
        parameters: parameterTexts(declaredParameters(placedAnnotations(linked)), given),
    };
    const modules = (linked.inclusion?.modules ?? []).map(module => {
        const moduleText = otherPrograms.get(module.file) ?? index.file(module.file)?.text ?? '';
        return [module.file, sourceText(moduleText)] as const;
    });
    return { text, linked, access, modules: new Map(modules), problems: read.problems };
}

/** Bytes of a module at most. */
const LARGEST = 256 * 1024 * 1024;

function moduleOf(text: string, file: string): Module {
    const { value, problems } = readProgram(text, file);
    return { file, clauses: value.clauses, problems };
}
