import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLineGrants, NO_GRANTS, serviceGrants } from '#server/files/grants.ts';
import { type ScriptFolders, scriptFolders } from '#server/python/script-folders.ts';
import { editorGrants } from '#server/workspace/editor-grants.ts';

let base: string;
beforeAll(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'rulelang-folders-')));
    for (const name of ['program/kept/auth', 'program/plain/auth', 'data/store', 'real']) mkdirSync(join(base, name), { recursive: true });
    for (const name of [
        'program/kept/auth/key',
        'program/kept/auth/token',
        'program/plain/auth/key',
        'data/store/rulelang.duckdb',
        'real/x.csv',
    ])
        writeFileSync(join(base, name), '');
    symlinkSync('real', join(base, 'link'));
});
afterAll(() => rmSync(base, { recursive: true }));

/** The folders of a program on the command line, whose current folder is `base`. */
function foldersOf(program: string, ...allowRead: readonly string[]): ScriptFolders {
    const grants = commandLineGrants({ program: dirname(join(base, program)), current: base, allowRead, allowWrite: [] });
    return scriptFolders({ grants, programFile: program, currentFolder: base, parameters: () => undefined });
}

test('a script sees the folder of its program, where it starts, and those that flags name', () => {
    expect(foldersOf('program/p.rulelang')).toMatchObject({ start: join(base, 'program'), shown: [join(base, 'program')] });
    expect(foldersOf('program/p.rulelang', 'link', 'absent').shown).toEqual([join(base, 'program'), join(base, 'link')]);
});

test('a home folder, and the folder of temporary files, are shown where a flag names them', () => {
    const inHome = join(homedir(), 'p.rulelang');
    const grants = (allowRead: readonly string[]) => commandLineGrants({ program: homedir(), current: base, allowRead, allowWrite: [] });
    const shown = (programFile: string, ...allowRead: readonly string[]): ScriptFolders =>
        scriptFolders({ grants: grants(allowRead), programFile, currentFolder: base, parameters: () => undefined });
    expect(shown(inHome)).toMatchObject({ shown: [] });
    expect(shown(inHome).start).toBeUndefined();
    expect(shown(inHome, homedir())).toMatchObject({ start: homedir(), shown: [homedir()] });
    expect(shown(join(tmpdir(), 'p.rulelang')).shown).toEqual([]);
    expect(shown('/p.rulelang').shown).toEqual([]);
});

test('data directories of services are closed, above, at and below a granted folder', () => {
    expect(foldersOf('data/p.rulelang', 'data', 'data/store').shown).toEqual([]);
    expect(foldersOf('data/store/p.rulelang').start).toBeUndefined();
    const { closed } = foldersOf('program/p.rulelang');
    expect(closed.filter(folder => folder.startsWith(base))).toEqual(process.platform === 'linux' ? [join(base, 'program', 'kept')] : []);
    expect(foldersOf('program/p.rulelang', '/proc').shown).toEqual([join(base, 'program')]);
});

test('the remedy for a file names the flag, but for what is closed, absent or seen', () => {
    const { remedyFor } = foldersOf('program/p.rulelang');
    expect(remedyFor('../real/x.csv')).toBe(
        `'../real/x.csv' lies outside the folders that scripts see: add --allow-read ${join(base, 'real')}.`,
    );
    expect(remedyFor(join(base, 'link'))).toMatch(`--allow-read ${join(base, 'real')}.`);
    expect(remedyFor(join(base, 'data/store/rulelang.duckdb'))).toMatch('is closed to scripts.');
    expect([remedyFor('absent.csv'), remedyFor('plain/auth/key'), remedyFor('\0')]).toEqual([undefined, undefined, undefined]);
});

test('scripts of an editor see its workspace, and those of services nothing', () => {
    const surroundings = { programFile: join(base, 'program/p.rulelang'), currentFolder: base, parameters: () => undefined };
    const editor = scriptFolders({ ...surroundings, grants: editorGrants({ roots: [base, homedir()] }) });
    expect(editor.shown).toEqual([join(base, 'program'), base]);
    const service = serviceGrants({ read: ['/'], write: [], denied: [] });
    for (const grants of [service, NO_GRANTS]) expect(scriptFolders({ ...surroundings, grants })).toMatchObject({ shown: [], closed: [] });
    expect(scriptFolders(undefined)).not.toHaveProperty('start');
});
