import { dirname, join, resolve } from 'node:path';
import { RunStopped } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { positionAt, type SourceText, sourceText } from '#server/notices/source-texts.ts';
import { NO_GRANTS } from './grants.ts';
import { readText } from './named-text.ts';
import { accessContext, nodeFiles, openGranted } from './open-granted.ts';
import { type Complaint, NO_PROJECT_FILE, type ProjectFile, readProjectFile } from './project-file.ts';

/** A project's settings for its programs: the file `rulelang.json` beside a program or in a folder above it. */
export interface ProjectSettings extends Omit<ProjectFile, 'complaints'> {
    /** Mistakes in the file, as sentences without a dot that name it. The rest of the file counts. */
    readonly complaints: readonly string[];
    /** Missing files that it names, in the same form. */
    readonly missing: readonly string[];
    /** The file, where there is one that can be read. */
    readonly found?: FoundProject;
}

export interface FoundProject {
    readonly folder: string;
    readonly path: string;
    readonly source: SourceText;
    readonly complaints: readonly Complaint[];
    readonly missing: readonly Complaint[];
}

const PROJECT_FILE = 'rulelang.json';
const NONE: ProjectSettings = { ...NO_PROJECT_FILE, complaints: [], missing: [] };

/**
 * The settings for the programs of a folder, from the nearest file; folders above a repository, or above `top`, are not
 * looked at.
 */
export function projectSettings(folder: string, top?: string): ProjectSettings {
    const last = top === undefined ? undefined : resolve(top);
    for (let at = resolve(folder); ; at = dirname(at)) {
        if (exists(join(at, PROJECT_FILE))) return settingsIn(at);
        if (at === last || dirname(at) === at || exists(join(at, '.git'))) return NONE;
    }
}

function exists(path: string): boolean {
    return nodeFiles.statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function settingsIn(folder: string): ProjectSettings {
    const path = join(folder, PROJECT_FILE);
    try {
        const opened = openGranted(
            { base: folder, parts: [PROJECT_FILE], shown: path },
            accessContext({ ...NO_GRANTS, readRoots: [folder] }),
        );
        try {
            return settingsOf(readText(opened, path).text, folder, path);
        } finally {
            opened.close();
        }
    } catch (error) {
        if (error instanceof RunStopped) return { ...NONE, complaints: [error.report.message] };
        throw error;
    }
}

function settingsOf(text: string, folder: string, path: string): ProjectSettings {
    const source = sourceText(text);
    const { complaints, ...settings } = readProjectFile(text);
    const missing = missingComplaints(settings, folder);
    const shown = ({ message, span }: Complaint): string => {
        const { line, character } = positionAt(source, span.start);
        return `${path}:${line + 1}:${character + 1}: ${message}`;
    };
    const found = { folder, path, source, complaints, missing };
    return { ...settings, complaints: complaints.map(shown), missing: missing.map(shown), found };
}

/** Finds missing files that the settings name. */
function missingComplaints({ roots, programs, tests }: Omit<ProjectFile, 'complaints'>, folder: string): Complaint[] {
    const isFile = (path: string): boolean => nodeFiles.statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    return [
        ...programs
            .filter(({ text }) => !isFile(resolve(folder, text)))
            .map(({ text, span }) => ({ message: say`There is no program '${text}'`, span })),
        ...roots
            .filter(({ text }) => nodeFiles.statSync(resolve(folder, text), { throwIfNoEntry: false })?.isDirectory() !== true)
            .map(({ text, span }) => ({ message: say`There is no folder '${text}'`, span })),
        ...tests
            .filter(({ text }) => !/[*?{]/u.test(text) && !exists(resolve(folder, text)))
            .map(({ text, span }) => ({ message: say`There is no file and no folder '${text}'`, span })),
    ];
}
