import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commandLineGrants } from '#server/files/grants.ts';
import { scriptFolders } from '#server/python/script-folders.ts';
import { runScriptProcess } from '#server/python/script-process.ts';

/** Needs a Python from 3.9 on, and namespaces. */
const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
const SECRET = 'canary';
let base: string;

beforeAll(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'rulelang-seen-')));
    const files = {
        'home/.ssh/id': SECRET,
        'home/.local/share/rulelang/auth/key': SECRET,
        'home/project/rows.csv': 'rows',
        'home/project/kept/auth/key': SECRET,
        'home/project/kept/auth/token': SECRET,
        'home/project/inner/more.csv': 'more',
        'home/neighbour/x.csv': SECRET,
        'data/rows.csv': 'data',
    };
    for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(base, name)), { recursive: true });
        writeFileSync(join(base, name), text);
    }
    symlinkSync(join(base, 'home/neighbour/x.csv'), join(base, 'home/project/out.csv'));
    symlinkSync('data', join(base, 'link'));
    vi.stubEnv('HOME', join(base, 'home'));
    vi.stubEnv('XDG_DATA_HOME', '');
});
afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(base, { recursive: true });
});

/** Returns the values of expressions in a script of a program, as text; of one that fails, its error. */
async function tried(program: string, allowRead: readonly string[], expressions: Record<string, string>): Promise<Record<string, string>> {
    const text = `
import glob, os, socket, tempfile
def read(path): return open(path).read()
def attempt(action):
    try: return str(action())
    except OSError as error: return type(error).__name__
def main():
    return [{"X": [${Object.values(expressions).map(one => `attempt(lambda: ${one})`)}]}]`;
    const programFile = join(base, program);
    const grants = commandLineGrants({ program: dirname(programFile), current: base, allowRead, allowWrite: [] });
    const folders = scriptFolders({ grants, programFile, currentFolder: base, parameters: () => undefined });
    const frames: unknown[] = [];
    const limits = { memory: 2 ** 30, processes: 64, fileSize: 2 ** 20, seconds: 60 };
    const path = join(dirname(programFile), 'fetch.py');
    const request = {
        ...{ script: 'fetch', scripts: { fetch: { text, file: 'fetch.py', path } }, columns: ['X'], parameters: {} },
        ...{ network: false, limits, folders },
    };
    const isLast = (frame: unknown): boolean => JSON.stringify(frame).includes('"end"');
    await runScriptProcess(python, request, isLast, { hear: frame => frames.push(frame), checkpoint: () => undefined });
    expect(frames[0]).toMatchObject({ began: { why: null } });
    expect(frames.at(-1)).toEqual({ end: { rows: 1 } });
    const [values] = (frames[1] as string[][][])[0] ?? [];
    return Object.fromEntries(Object.keys(expressions).map((key, at) => [key, values?.[at] ?? '']));
}

describe.runIf(process.platform === 'linux')('folders of a run behind walls', () => {
    test('files of the program are read under their names, and none is written', async () => {
        const project = join(base, 'home/project');
        expect(
            await tried('home/project/p.rulelang', [], {
                relative: 'read("rows.csv")',
                below: 'read("inner/more.csv")',
                absolute: `read("${project}/rows.csv")`,
                cwd: 'os.getcwd()',
                file: '__file__',
                write: 'open("new.csv", "w")',
                append: 'open("rows.csv", "a")',
                remove: 'os.remove("rows.csv")',
                chmod: 'os.chmod("rows.csv", 0o777)',
                temporary: 'open(tempfile.mkstemp()[1], "w").write("x")',
            }),
        ).toEqual({
            relative: 'rows',
            below: 'more',
            absolute: 'rows',
            cwd: project,
            file: join(project, 'fetch.py'),
            ...{ write: 'OSError', append: 'OSError', remove: 'OSError', chmod: 'OSError', temporary: '1' },
        });
        expect([existsSync(join(project, 'new.csv')), readFileSync(join(project, 'rows.csv'), 'utf8')]).toEqual([false, 'rows']);
    });

    test('nothing else is there: no home, no neighbour, no target of a link, no data directory', async () => {
        const refused = 'FileNotFoundError';
        expect(
            await tried('home/project/p.rulelang', [], {
                home: `sorted(os.listdir("${base}/home"))`,
                key: `read("${base}/home/.ssh/id")`,
                neighbour: 'read("../neighbour/x.csv")',
                link: 'read("out.csv")',
                usual: `os.listdir("${base}/home/.local")`,
                kept: 'os.listdir("kept")',
                granted: `read("${base}/link/rows.csv")`,
            }),
        ).toEqual({ home: "['project']", key: refused, neighbour: refused, link: refused, usual: refused, kept: '[]', granted: refused });
    });

    test('a granted folder has the name that the user gave it, and its own', async () => {
        expect(
            await tried('home/project/p.rulelang', ['link'], {
                link: `read("${base}/link/rows.csv")`,
                real: `read("${base}/data/rows.csv")`,
                write: `open("${base}/link/new.csv", "w")`,
            }),
        ).toEqual({ link: 'data', real: 'data', write: 'OSError' });
    });

    test.each(['home', '.', '/tmp', '/'])('data directories stay closed where %s is granted', async folder => {
        const grant = folder.startsWith('/') ? folder : join(base, folder);
        expect(
            await tried('home/p.rulelang', [grant], {
                rows: `read("${base}/home/project/rows.csv")`,
                usual: `os.listdir("${base}/home/.local/share/rulelang")`,
                kept: `os.listdir("${base}/home/project/kept")`,
                copies: `glob.glob("/tmp/rulelang-python-*/root${base}/home/.local/share/rulelang/*")`,
                processes: 'len([name for name in os.listdir("/proc") if name.isdigit()])',
                system: '[name for name in ("/sys", "/run") if os.path.exists(name)]',
                write: `open("${base}/home/new.csv", "w")`,
            }),
        ).toEqual({ rows: 'rows', usual: '[]', kept: '[]', copies: '[]', processes: '1', system: '[]', write: 'OSError' });
    });

    test('a program in a home folder or a data directory has no folder, and starts in its own', async () => {
        for (const program of ['home/p.rulelang', 'home/project/kept/p.rulelang', 'home/project/kept/auth/p.rulelang'])
            expect(
                await tried(program, [], {
                    home: `os.path.exists("${base}/home")`,
                    start: 'os.getcwd() == tempfile.gettempdir()',
                    key: 'read("auth/key")',
                }),
            ).toEqual({ home: 'False', start: 'True', key: 'FileNotFoundError' });
    });
});
