import { dirname, resolve } from 'node:path';
import type { OpenDocument } from '#language/document/open-document.ts';
import { moduleNames } from '#language/modules/include.ts';
import type { Problem } from '#language/program/problem.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import type { Documents } from './documents.ts';
import { filePath, type WorkspaceFolders } from './folders.ts';

/** Facts about a program's problems from the including programs of its project. */
export interface IncludingPrograms {
    /** Whether a problem of a document is one where it is run: it is none where the programs of its project that include it do not have it. */
    isProblem(document: OpenDocument): (problem: Problem) => boolean;
    /** The documents whose problems depend on such programs. */
    dependents(): Iterable<string>;
}

/** Problems of a file that others may take away, by what they define or use. */
const OF_WHOLE_PROGRAM: ReadonlySet<string> = new Set(['RL1101', 'RL1110', 'RL1112', 'RL6013']);

export function includingPrograms(documents: Documents, folders: WorkspaceFolders): IncludingPrograms {
    const dependents = new Set<string>();
    const everything = (): boolean => true;
    /** The programs that the project of a file names, other than itself, that include it. */
    const programsWith = ({ file }: OpenDocument): OpenDocument[] => {
        const path = filePath(file);
        if (path === undefined) return [];
        const { programs, found } = projectSettings(dirname(path), folders.around(path));
        if (found === undefined) return [];
        const paths = new Set(programs.map(({ text }) => resolve(found.folder, text)).filter(other => other !== path));
        if (paths.size > 0) dependents.add(file);
        return [...documents.documents()].filter(program => {
            const isNamed = paths.has(filePath(program.file) ?? '');
            return isNamed && program.analysed.program.inclusion?.modules.some(module => module.file === file) === true;
        });
    };
    return {
        dependents: () => dependents,
        isProblem(document) {
            dependents.delete(document.file);
            if (!document.analysed.problems.some(({ code }) => OF_WHOLE_PROGRAM.has(code))) return everything;
            if (isReadingModules(document)) return ({ code }) => !OF_WHOLE_PROGRAM.has(code);
            const programs = programsWith(document);
            if (programs.length === 0) return everything;
            const known = new Set(
                programs.flatMap(({ analysed }) => analysed.problems.filter(({ code }) => OF_WHOLE_PROGRAM.has(code)).map(keyOf)),
            );
            return problem => !OF_WHOLE_PROGRAM.has(problem.code) || known.has(keyOf(problem));
        },
    };
}

function keyOf({ code, arguments: given }: Problem): string {
    return JSON.stringify([code, given]);
}

/** Whether a module that a document includes has not been looked for yet. */
function isReadingModules({ analysed: { program } }: OpenDocument): boolean {
    const { inclusion, file, clauses } = program;
    if (inclusion === undefined) return false;
    const files = [{ file, clauses }, ...inclusion.modules];
    return files.some(one => moduleNames(one.clauses).included.some(name => inclusion.targets.get(one.file)?.has(name) !== true));
}
