import { RunStopped } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { readText } from '#server/files/named-text.ts';
import { accessContext, openGranted } from '#server/files/open-granted.ts';
import { engineError } from './engine-error.ts';
import { shown } from './validate.ts';

const LONGEST_PATH = 4096;

/** The text of a program in the repository folder of the engine, by its path there. */
export function repositoryProgram(repository: string, name: string): string {
    const path = `'${shown(name)}'`;
    if (name.length > LONGEST_PATH || /^[\\/]|\\|^[A-Za-z]:/u.test(name) || name.split('/').includes('..'))
        throw engineError('INVALID_PARAMETER', say`${path} is no path inside the repository`);
    const context = accessContext({ readRoots: [repository], writeRoots: [], grantBy: () => say`put the program into the repository` });
    try {
        const opened = openGranted({ base: repository, parts: [name] }, context);
        try {
            return readText(opened, name).text;
        } finally {
            opened.close();
        }
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        if (error.report.code === 'RT063') throw engineError('INVALID_PARAMETER', say`${path} is no path inside the repository`);
        throw engineError('NOT_FOUND', say`There is no program ${path} in the repository`);
    }
}
