import { isAbsolute, relative, resolve } from 'node:path';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import type { SourceBind } from './source-bind.ts';

/** Where a program is to stand that names files. */
export interface ProgramPlace {
    /** An absolute path. */
    readonly folder: string;
    /** Files below it are named from `folder`, and so may be moved with the program; those below `folder` where absent. */
    readonly root?: string;
}

/** A bind that services read from `currentFolder`, as a program has to say it that stands somewhere else. */
export function bindAt<B extends Pick<SourceBind, 'type' | 'outer'>>(bind: B, currentFolder: string, place: ProgramPlace | undefined): B {
    const source = dataSourceNamed(bind.type);
    if (place === undefined || (source?.isFile !== true && source?.type !== 'sqlite')) return bind;
    const path = resolve(currentFolder, bind.outer);
    const { folder, root = folder } = place;
    if (!isWithin(path, root) || !isWithin(folder, root)) return { ...bind, outer: path };
    return { ...bind, outer: relative(folder, path).replaceAll('\\', '/') || '.' };
}

function isWithin(path: string, root: string): boolean {
    const way = relative(root, path);
    return !isAbsolute(way) && way.split(/[\\/]/u)[0] !== '..';
}
