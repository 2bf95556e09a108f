import fs from 'node:fs';
import { resolve } from 'node:path';
import { say } from '#language/program/say.ts';
import { flavourOf, isInside } from '#server/files/path-rule.ts';
import type { ProgramFolder } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Returns the path of a program that a caller names. It lies below one of the folders, links followed. */
export function fileOf(name: string, { folders, hasFiles }: Pick<ProgramFolder, 'folders' | 'hasFiles'>): string {
    if (!hasFiles) throw new ToolError('validation_error', say`Files cannot be named here: give the text of the program`);
    const path = realPath(resolve(folders[0] ?? '.', name));
    if (path === undefined) throw new ToolError('validation_error', say`There is no file '${name}' below ${folders.join(', ')}`);
    const flavour = flavourOf(process.platform);
    if (!folders.some(folder => isInside(realPath(folder) ?? folder, path, flavour)))
        throw new ToolError(
            'validation_error',
            say`'${name}' lies outside of ${folders.join(', ')}; the user may add its folder with --allow-read`,
        );
    return path;
}

function realPath(path: string): string | undefined {
    try {
        return fs.realpathSync(path);
    } catch {
        return undefined;
    }
}
