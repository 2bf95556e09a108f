import fs from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** The usual name of the interpreter. */
export const USUAL_INTERPRETER = 'python3';

/** Finds the program of a name, or of a path from the current folder; undefined if there is none. */
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
