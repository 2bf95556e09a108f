import fs from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** What an interpreter is called where nobody names one. */
export const USUAL_INTERPRETER = 'python3';

/** The file that a name, or a path from the current folder, stands for; undefined where it is no program there. */
export function findInterpreter(name: string, currentFolder: string, path = process.env.PATH ?? ''): string | undefined {
    if (/[/\\]/u.test(name) || isAbsolute(name)) return onlyPrograms([resolve(currentFolder, name)])[0];
    const folders = path.split(delimiter).filter(folder => isAbsolute(folder));
    return onlyPrograms(folders.map(folder => join(folder, name)))[0];
}

function onlyPrograms(paths: readonly string[]): string[] {
    const endings = process.platform === 'win32' ? ['', '.exe'] : [''];
    return paths.flatMap(path => endings.map(ending => `${path}${ending}`)).filter(isProgram);
}

function isProgram(path: string): boolean {
    try {
        fs.accessSync(path, fs.constants.X_OK);
        return fs.statSync(path).isFile();
    } catch {
        return false;
    }
}
