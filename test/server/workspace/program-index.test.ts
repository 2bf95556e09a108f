import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { findModules } from '#language/modules/find-module.ts';
import type { IncludeTarget } from '#language/program/inclusion.ts';
import { editorIndex } from '#server/workspace/editor-index.ts';
import { workspaceFolders } from '#server/workspace/folders.ts';
import { projectRoots } from '#server/workspace/project-roots.ts';
import { folderWith } from '../../cli/command-line.ts';

const GEO = '@module("geo").\nnear(1).';

/** The programs of a folder, all of which have been read. */
function indexed(files: Readonly<Record<string, string>>) {
    const root = folderWith(files);
    const folders = workspaceFolders([pathToFileURL(root).href]);
    const index = editorIndex(
        { held: () => [], version: 0 },
        { folders, projects: projectRoots(folders), trust: { granted: true }, wanted: () => undefined },
    );
    const read = (): void => {
        while (index.step());
    };
    index.walk();
    read();
    const path = (name: string): string => join(root, name);
    const main = pathToFileURL(path('main.rulelang')).href;
    /** A name that a file beside the folders includes, once it is known: the kind of what it stands for, or the path of the module. */
    const found = (name: string): string | undefined => {
        const find = (): IncludeTarget | undefined => findModules(index)(name, main);
        let target = find();
        while (target === undefined && index.step()) target = find();
        return target?.kind === 'module' ? target.module.file.slice(main.length - 'main.rulelang'.length) : target?.kind;
    };
    /** A file is compared with the disk once for all that is asked at once. */
    const later = async (): Promise<void> => await Promise.resolve();
    return { index, path, read, found, later };
}

const HERE = { 'lib/geo.rulelang': GEO, 'lib/deep/er.rulelang': 'far(2).', 'libs/other.rulelang': 'b(1).' };
const NAMES = ['geo', 'lib/geo', 'lib/deep/er', 'libs/other'];

test('a folder that is gone takes its programs along, and those of a folder that has come are found', () => {
    const { index, path, read, found } = indexed(HERE);
    const before = ['lib/geo.rulelang', 'lib/geo.rulelang', 'lib/deep/er.rulelang', 'libs/other.rulelang'];
    expect(NAMES.map(found)).toEqual(before);
    fs.renameSync(path('lib'), path('lib2'));
    expect([index.refresh(path('lib')), index.refresh(path('lib2'))]).toEqual([true, true]);
    read();
    expect(NAMES.map(found)).toEqual(['lib2/geo.rulelang', 'missing', 'missing', 'libs/other.rulelang']);
    expect([found('lib2/deep/er'), index.noticed]).toEqual(['lib2/deep/er.rulelang', 0]);
    fs.renameSync(path('lib2'), path('lib'));
    index.refresh(path('lib'));
    index.refresh(path('lib2'));
    read();
    expect(NAMES.map(found)).toEqual(before);
});

test('a folder that is gone is noticed by the first question about one of its programs, and where they are now is found', async () => {
    const { index, path, read, found, later } = indexed(HERE);
    const file = pathToFileURL(path('lib/geo.rulelang')).href;
    expect([index.file(file)?.text, index.noticed]).toEqual([GEO, 0]);
    await later();
    fs.renameSync(path('lib'), path('lib2'));
    expect([index.file(file), index.noticed]).toEqual([undefined, 1]);
    read();
    await later();
    expect(NAMES.map(found)).toEqual(['lib2/geo.rulelang', 'missing', 'missing', 'libs/other.rulelang']);
});

test('a file that was missing and has come, and one that has another size, are read again', async () => {
    const { path, index, found, later } = indexed(HERE);
    const other = (): string | undefined => index.file(pathToFileURL(path('libs/other.rulelang')).href)?.text;
    expect([found('lib/new'), other()]).toEqual(['missing', 'b(1).']);
    await later();
    fs.writeFileSync(path('lib/new.rulelang'), 'c(1).');
    fs.writeFileSync(path('libs/other.rulelang'), 'b(1). b(2).');
    expect([found('lib/new'), other()]).toEqual(['lib/new.rulelang', undefined]);
    while (index.step());
    expect(other()).toBe('b(1). b(2).');
});

test('what cannot concern a program is left: files of other kinds, hidden folders, links, what lies outside', () => {
    const { index, path } = indexed({ ...HERE, 'notes.txt': '', '.git/a.rulelang': 'g(1).', 'node_modules/m/a.rulelang': 'm(1).' });
    fs.symlinkSync(path('lib'), path('linked'));
    const refreshed = ['notes.txt', 'gone.tmp', '.git', 'node_modules/m', 'linked', '../elsewhere'].map(name => index.refresh(path(name)));
    expect(refreshed).toEqual([false, false, false, false, false, false]);
    expect([index.step(), index.refresh(dirname(path('lib/geo.rulelang')))]).toEqual([false, true]);
});
