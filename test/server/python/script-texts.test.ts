import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandLineGrants } from '#server/files/grants.ts';
import { keptScripts, scriptName, scriptsBeside, withSiblings } from '#server/python/script-texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'rulelang-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'programs'));
writeFileSync(join(folder, 'programs', 'fetch.py'), 'import other\n');
writeFileSync(join(folder, 'programs', 'other.py'), 'from third import x\n');
writeFileSync(join(folder, 'programs', 'third.py'), 'x = 1\n');
writeFileSync(join(folder, 'programs', 'unused.py'), '');
writeFileSync(join(folder, 'secret.py'), '');
symlinkSync(join(folder, 'secret.py'), join(folder, 'programs', 'linked.py'));

const program = join(folder, 'programs', 'p.rulelang');
const grants = commandLineGrants({ program: join(folder, 'programs'), current: join(folder, 'programs'), allowRead: [], allowWrite: [] });
const access = { grants, programFile: program, currentFolder: join(folder, 'programs'), parameters: () => undefined };
const beside = scriptsBeside(access, program);

test('scripts lie beside the program, called as people call their files', () => {
    expect(beside.find('fetch')).toEqual({ text: 'import other\n', file: 'fetch.py', path: join(folder, 'programs', 'fetch.py') });
    expect(beside.find('absent')).toBeUndefined();
    expect([...beside.names()].sort()).toEqual(['fetch', 'linked', 'other', 'third', 'unused']);
});

test('no name leads to another folder', () => {
    for (const name of ['../secret', '..\\secret', join(folder, 'secret'), 'c:secret']) expect(beside.find(name)).toBeUndefined();
    expect(() => beside.find('linked')).toThrow('not granted');
});

test('a script takes along what its text, or the text of one of those, has the name of', () => {
    const fetch = beside.find('fetch');
    expect([...withSiblings('fetch', fetch ?? { text: '', file: '' }, beside).keys()]).toEqual(['fetch', 'other', 'third']);
});

test('names are the same with and without their ending', () => {
    const kept = keptScripts({ 'fetch.py': 'a', __proto__x: 'b' });
    expect(scriptName('fetch.py')).toBe(scriptName('fetch'));
    expect(kept.find(scriptName('fetch.py'))).toEqual({ text: 'a', file: 'fetch.py' });
    expect(kept.find('constructor')).toBeUndefined();
});
