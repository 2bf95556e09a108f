import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RunStopped } from '#engine/reports/reports.ts';
import { commandLineGrants } from '#server/files/grants.ts';
import { accessContext, type Files, nodeFiles } from '#server/files/open-granted.ts';
import { rewriteNamed, writeTarget } from '#server/files/write-granted.ts';

let base: string;
let root: string;

beforeEach(() => {
    base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rulelang-write-')));
    root = join(base, 'project');
    fs.mkdirSync(root);
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

function target(path: string, files: Files = nodeFiles, allowWrite: readonly string[] = []) {
    const grants = commandLineGrants({ program: root, current: root, allowRead: [], allowWrite });
    return writeTarget({ base: root, parts: ['', path] }, accessContext(grants, {}, files));
}

function write(path: string, text: string, files: Files = nodeFiles): void {
    const prepared = target(path, files).prepare();
    try {
        prepared.write(new TextEncoder().encode(text));
        prepared.finish();
        prepared.commit();
    } catch (error) {
        prepared.discard();
        throw error;
    }
}

function refusal(action: () => unknown): string {
    try {
        action();
    } catch (error) {
        if (error instanceof RunStopped) return `${error.report.code} ${error.report.message.replaceAll(base, '')}`;
        throw error;
    }
    return 'not refused';
}

function everything(): string[] {
    return fs.readdirSync(base, { recursive: true }).map(String).sort();
}

test('new files, old files with their mode, and folders that did not exist', () => {
    write('a.csv', 'one');
    fs.chmodSync(join(root, 'a.csv'), 0o640);
    write('a.csv', 'two');
    write('b/c/d.csv', 'three');
    expect(fs.readFileSync(join(root, 'a.csv'), 'utf8')).toBe('two');
    expect(fs.statSync(join(root, 'a.csv')).mode & 0o777).toBe(0o640);
    expect(fs.readFileSync(join(root, 'b/c/d.csv'), 'utf8')).toBe('three');
    expect(everything()).toEqual(['project', 'project/a.csv', 'project/b', 'project/b/c', 'project/b/c/d.csv']);
});

test('nothing shows before the commit, and a discarded write leaves nothing', () => {
    const prepared = target('new/x.csv').prepare();
    prepared.write(new Uint8Array(10));
    prepared.finish();
    expect(fs.existsSync(join(root, 'new/x.csv'))).toBe(false);
    prepared.discard();
    expect(everything()).toEqual(['project']);
});

test('a folder that is granted need not be there, whatever leads to it', () => {
    fs.symlinkSync(root, join(base, 'link'));
    const made = target('../link/new/out/x.csv', nodeFiles, [join(base, 'link/new/out')]).prepare();
    made.finish();
    made.commit();
    expect(fs.readdirSync(join(root, 'new/out'))).toEqual(['x.csv']);
    const beside = (path: string) => refusal(() => target(path, nodeFiles, [join(base, 'far/out')]));
    expect(beside('../far/out/deep/x.csv')).toBe('not refused');
    for (const path of ['../far/x.csv', '../far/outside/x.csv', '../far/out/.vscode/x.csv']) expect(beside(path)).toContain('RT063');
    fs.symlinkSync(join(base, 'absent'), join(base, 'far'));
    const through = target('../far/out/x.csv', nodeFiles, [join(base, 'far/out')]);
    expect(refusal(() => through.prepare())).toContain('RT064');
    expect(fs.existsSync(join(base, 'absent'))).toBe(false);
});

describe('refused', () => {
    test('outside the roots, with the flag', () => {
        expect(refusal(() => target('../x.csv'))).toBe(
            `RT063 Access to '/x.csv' is not granted: it lies outside the folders of this run; add --allow-write ${base}`.replace(base, ''),
        );
        expect(refusal(() => target('../absent/x.csv'))).toContain('RT063');
    });

    test('through links', () => {
        fs.writeFileSync(join(base, 'victim.csv'), 'old');
        fs.symlinkSync(join(base, 'victim.csv'), join(root, 'link.csv'));
        fs.symlinkSync(base, join(root, 'up'));
        fs.symlinkSync(join(base, 'absent'), join(root, 'dangling'));
        expect(refusal(() => target('link.csv'))).toContain('it is a link, and runs do not write through links');
        expect(refusal(() => target('up/x.csv'))).toContain('RT063');
        expect(refusal(() => write('dangling/x.csv', 'x'))).not.toBe('not refused');
        expect(fs.readFileSync(join(base, 'victim.csv'), 'utf8')).toBe('old');
        expect(fs.existsSync(join(base, 'absent'))).toBe(false);
    });

    test('programs, hidden files, scripts, executables, folders', () => {
        fs.writeFileSync(join(root, 'tool.csv'), '', { mode: 0o755 });
        fs.mkdirSync(join(root, 'folder.csv'));
        expect(refusal(() => target('x.rulelang'))).toContain('runs do not write programs or workspaces');
        expect(refusal(() => target('.vscode/x.json'))).toContain("'.vscode' is hidden");
        expect(refusal(() => target('x.sh'))).toContain('runs do not write scripts or programs');
        expect(refusal(() => target('tool.csv'))).toContain('it is an executable file');
        expect(refusal(() => target('folder.csv'))).toContain('is a folder');
    });
});

/** What a crash at a step of the file system leaves behind: no clean-up runs after it. */
class Killed extends Error {}

/** The file system until its n-th call, at which the process dies. */
function dyingAt(step: number): { files: Files; steps: () => number } {
    let count = 0;
    const files = new Proxy(nodeFiles, {
        get: (all, name: keyof Files) => {
            return (...args: unknown[]) => {
                if (++count >= step) throw new Killed();
                return (all[name] as (...values: unknown[]) => unknown)(...args);
            };
        },
    });
    return { files, steps: () => count };
}

/** The file system with an n-th call that fails as a full disk does. */
function failingAt(step: number): { files: Files; failed: () => boolean } {
    let count = 0;
    const files = new Proxy(nodeFiles, {
        get: (all, name: keyof Files) => {
            return (...args: unknown[]) => {
                if (++count === step) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
                return (all[name] as (...values: unknown[]) => unknown)(...args);
            };
        },
    });
    return { files, failed: () => count >= step };
}

describe('at every step', () => {
    const OLD = 'old'.repeat(1000);
    const NEW = 'new'.repeat(2000);

    test('a killed process leaves the old file or the new one, whole', () => {
        const seen = new Set<string>();
        for (let step = 1; ; step++) {
            fs.writeFileSync(join(root, 'x.csv'), OLD);
            const { files, steps } = dyingAt(step);
            try {
                write('x.csv', NEW, files);
            } catch (error) {
                if (!(error instanceof Killed)) throw error;
            }
            const found = fs.readFileSync(join(root, 'x.csv'), 'utf8');
            expect([OLD, NEW]).toContain(found);
            seen.add(found);
            if (steps() < step) break;
        }
        expect(seen.size).toBe(2);
    });

    test('a failing call gives RT064 and the old state, or the new one; no temporary file', () => {
        for (let step = 1; ; step++) {
            fs.rmSync(root, { recursive: true });
            fs.mkdirSync(root);
            fs.writeFileSync(join(root, 'x.csv'), OLD);
            const { files, failed } = failingAt(step);
            const outcome = refusal(() => write('x.csv', NEW, files));
            if (!failed()) break;
            if (outcome !== 'not refused') expect(outcome).toBe("RT064 '/project/x.csv' could not be written: the disk is full");
            expect([OLD, NEW]).toContain(fs.readFileSync(join(root, 'x.csv'), 'utf8'));
            expect(everything()).toEqual(['project', 'project/x.csv']);
        }
    });

    test('folders that were made for a write that fails are gone', () => {
        for (let step = 1; ; step++) {
            const { files, failed } = failingAt(step);
            const outcome = refusal(() => write('a/b/x.csv', NEW, files));
            if (!failed()) break;
            if (outcome !== 'not refused') expect(everything().filter(path => path.endsWith('.tmp'))).toEqual([]);
            fs.rmSync(join(root, 'a'), { recursive: true, force: true });
        }
    });
});

test('a named file is rewritten in place, through links, with its mode', () => {
    fs.writeFileSync(join(root, 'p.rulelang'), 'old', { mode: 0o600 });
    fs.symlinkSync('p.rulelang', join(root, 'link.rulelang'));
    rewriteNamed(join(root, 'link.rulelang'), 'new');
    expect(fs.readFileSync(join(root, 'p.rulelang'), 'utf8')).toBe('new');
    expect(fs.statSync(join(root, 'p.rulelang')).mode & 0o777).toBe(0o600);
    expect(fs.lstatSync(join(root, 'link.rulelang')).isSymbolicLink()).toBe(true);
    expect(everything()).toEqual(['project', 'project/link.rulelang', 'project/p.rulelang']);
});
