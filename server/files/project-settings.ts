import { dirname, join, resolve } from 'node:path';
import { RunStopped } from '#engine/reports.ts';
import { say } from '#language/program/say.ts';
import { readSeverities, type Severities, USUAL_SEVERITIES } from '#language/reporting/severities.ts';
import { NO_GRANTS } from './grants.ts';
import { readText } from './named-text.ts';
import { accessContext, nodeFiles, openGranted } from './open-granted.ts';

/** What a project wants of its programs: the file `rulelang.json` beside a program or in a folder above it. */
export interface ProjectSettings {
    readonly severities: Severities;
    /** What is wrong with the file, as sentences without a dot that name it. What is right in it counts. */
    readonly complaints: readonly string[];
}

const NAME = 'rulelang.json';
const NONE: ProjectSettings = { severities: USUAL_SEVERITIES, complaints: [] };

/**
 * The settings for the programs of a folder, from the nearest file; folders above a repository, or above `top`, are not
 * looked at.
 */
export function projectSettings(folder: string, top?: string): ProjectSettings {
    const last = top === undefined ? undefined : resolve(top);
    for (let at = resolve(folder); ; at = dirname(at)) {
        if (exists(join(at, NAME))) return settingsIn(at);
        if (at === last || dirname(at) === at || exists(join(at, '.git'))) return NONE;
    }
}

function exists(path: string): boolean {
    return nodeFiles.statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function settingsIn(folder: string): ProjectSettings {
    const path = join(folder, NAME);
    try {
        const opened = openGranted({ base: folder, parts: [NAME], shown: path }, accessContext({ ...NO_GRANTS, readRoots: [folder] }));
        try {
            return settingsOf(readText(opened, path).text, path);
        } finally {
            opened.close();
        }
    } catch (error) {
        if (error instanceof RunStopped) return { ...NONE, complaints: [error.report.message] };
        throw error;
    }
}

function settingsOf(text: string, path: string): ProjectSettings {
    let read: unknown;
    try {
        read = JSON.parse(text);
    } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return { ...NONE, complaints: [say`${path} is not JSON: ${error.message}`] };
    }
    const { unknown: unknownSettings, value: problems } = onlyField(read, 'problems');
    const { unknown: unknownProblems, value: severity } = onlyField(problems, 'severity');
    const { severities, complaints } = severity === undefined ? { severities: USUAL_SEVERITIES, complaints: [] } : readSeverities(severity);
    return { severities, complaints: [...unknownSettings, ...unknownProblems, ...complaints].map(complaint => `${path}: ${complaint}`) };
}

/** The one field that an object may have, and what it has beside it. */
function onlyField(value: unknown, name: string): { readonly value: unknown; readonly unknown: readonly string[] } {
    if (value === undefined) return { value: undefined, unknown: [] };
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        return { value: undefined, unknown: [say`The settings are written as {"problems": {"severity": {"RL9001": "off"}}}`] };
    const fields = new Map(Object.entries(value));
    const others = [...fields.keys()].filter(key => key !== name && key !== '$schema');
    return { value: fields.get(name), unknown: others.map(key => say`There is no setting '${key}'; did you mean '${name}'?`) };
}
