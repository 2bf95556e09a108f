import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { termText } from '#engine/values/text.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { readProgram } from '#language/read-program.ts';
import { commandLineGrants } from '#server/files/grants.ts';
import { scriptEngine } from '#server/python/script-engine.ts';
import { keptScripts } from '#server/python/script-texts.ts';
import type { SourceAccess } from '#server/sources/connector.ts';

/** Needs a Python from 3.9 on. Walls are tried where the system has them. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rulelang-scripts-')));
const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
/** A Python that finds no namespaces. */
const withoutWalls = join(folder, 'python-without-walls');
const isLinux = process.platform === 'linux';
const MEMORY = 600 * 2 ** 20;

beforeAll(() => {
    writeFileSync(withoutWalls, `#!/bin/bash\nexec '${python}' "\${@//\\'unshare\\'/\\'no_such_function\\'}"\n`);
    chmodSync(withoutWalls, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
    /** The rows, sorted, or the errors. */
    readonly told: readonly string[];
    readonly remedies: readonly (string | undefined)[];
    readonly details: readonly string[];
    readonly notes: readonly string[];
}

async function run(
    script: string,
    {
        columns = 'X',
        path = python,
        network = false,
        others = {},
        parameters = {},
        access = undefined as SourceAccess | undefined,
        cancelled = () => undefined as string | undefined,
    } = {},
): Promise<Ran> {
    const text = `@param("city", "Oslo"). @param("since", 2031-04-09). @param("floor", 2.0).\np(${columns}) <- python:run("fetch"). @output("p").`;
    const program = analyse(readProgram(text, 'p.rulelang').value);
    const notes: string[] = [];
    const scripts = scriptEngine({
        use: { enabled: true, path, network, door: 'run' },
        scriptsOf: () => keptScripts({ fetch: script, ...others }),
        currentFolder: folder,
        ...(access && { access }),
        memory: MEMORY,
        note: words => notes.push(words),
    });
    const outcome = await evaluate(program, {
        parameters: new Map(Object.entries(parameters)),
        limits: { maxRounds: 1000, maxNullDepth: 200, isoDepth: 3, maxMemory: 2 ** 30 },
        connectors: { source: () => undefined, sink: () => undefined },
        cancelled,
        clock: () => performance.now(),
        scripts,
    });
    const remedies = outcome.reports.map(({ remedy }) => remedy);
    const details = outcome.reports.flatMap(report => report.details ?? []);
    if (!outcome.ok) return { told: outcome.reports.map(({ code, message }) => `${code} ${message}`), remedies, details, notes };
    const { database } = outcome;
    const [key = ''] = program.outputs;
    const relation = database.relation(key as (typeof program.outputs)[number]);
    const rows = Array.from({ length: relation?.count ?? 0 }, (_, row) =>
        (relation?.columns ?? []).map(column => termText(database.dictionary, column[row] ?? 0, { kind: 'mixed' }, () => 'null')).join(),
    );
    return { told: rows.sort(), remedies, details, notes };
}

/** The rows of a script that returns these expressions of Python. */
async function cells(...expressions: readonly string[]): Promise<readonly string[]> {
    const rows = expressions.map(expression => `{"X": ${expression}}`);
    const imports = 'import datetime, decimal, uuid\nfrom datetime import date, timezone, timedelta\nfrom decimal import Decimal\n';
    return (await run(`${imports}def main():\n    return [${rows.join(', ')}]\n`)).told;
}

describe('rows', () => {
    test('parameters come in, rows go out, prints disturb nothing, and other scripts can be imported', async () => {
        const script = `
import other
def main(params):
    print("noise", params)
    return [{"Y": other.twice(params["floor"]), "X": params["city"], "D": params["since"].isoformat()}]
`;
        const ran = await run(script, {
            columns: 'X, Y, D',
            others: { other: 'def twice(x): return 2 * x\n' },
            parameters: { city: 'Rome' },
        });
        expect(ran.told).toEqual(['"Rome",4,"2031-04-09"']);
    });

    test('values of every kind', async () => {
        expect(await cells('True', '7', '2**62', '2.5', '"ä\\ud800"', 'Decimal("1.25")')).toEqual([
            '"ä�"',
            '#T',
            '1.25',
            '2.5',
            '4611686018427387904',
            '7',
        ]);
        expect(await cells('date(2031, 4, 9)', 'datetime.datetime(2031, 4, 9, 10, 15)')).toEqual(['2031-04-09', '2031-04-09 10:15:00']);
        expect(await cells('datetime.datetime(2031, 4, 9, 10, 15, tzinfo=timezone(timedelta(hours=2)))')).toEqual(['2031-04-09 08:15:00']);
        expect(await cells('[1, ["a", (2, 3)]]', '{1, 2}', '{"a": {"b": 1}}')).toEqual(
            ['[1,["a",[2,3]]]', 'struct(a=struct(b=1))', '{1,2}'].sort(),
        );
        expect(await cells('None', 'float("nan")', 'float("inf")', 'Decimal("nan")')).toEqual(['null', 'null', 'null', 'null']);
        expect(await cells('uuid.UUID(int=1)')).toEqual(['"00000000-0000-0000-0000-000000000001"']);
        expect(await cells('2**64')).toEqual(["RT090 Script 'fetch' returned an integer beyond 64 bits in row 1"]);
    });

    test('data frames, and whatever else gives dictionaries, are rows', async () => {
        const frame = (method: string, result: string): string =>
            `class Frame:\n    columns = ["X"]\n    def ${method}: return ${result}\ndef main(): return Frame()`;
        expect((await run(frame('to_dict(self, orient)', '[{"X": orient}]'))).told).toEqual(['"records"']);
        expect((await run(frame('to_dicts(self)', '[{"X": 1}]'))).told).toEqual(['1']);
        expect((await run(frame('to_pylist(self)', '[{"X": 2}]'))).told).toEqual(['2']);
        expect((await run(frame('__iter__(self)', 'iter([{"X": 3}])'))).told).toEqual(['3']);
        expect((await run('def main():\n    for x in "ab": yield {"X": x}')).told).toEqual(['"a"', '"b"']);
        expect((await run('def main():\n    yield {"X": 1}\n    raise ValueError("late")')).told).toEqual([
            "RT090 Script 'fetch' failed: ValueError: late",
        ]);
        for (const [value, kind] of Object.entries({ '"ab"': 'str', 'b"ab"': 'bytes', None: 'NoneType', '7': 'int', list: 'type' }))
            expect((await run(`def main(): return ${value}`)).told[0]).toMatch(`returned '${kind}'`);
    });

    test('scalars of other libraries are plain values', async () => {
        const script = `
import datetime
class int64:
    def item(self): return 7
class array:
    def tolist(self): return [int64(), None, float("nan")]
class NAType: pass
class NaTType(datetime.datetime):
    def __ne__(self, other): return True
class datetime64:
    def astype(self, unit): return self if unit == "datetime64[us]" else None
    def tolist(self): return datetime.datetime(2031, 4, 9, 10)
class Own:
    def item(self): return self
    def __str__(self): return "own"
class Failing(Own):
    def __str__(self): return "failing"
    def item(self): raise ValueError("more than one")
def main(): return [{"X": x} for x in [int64(), array(), NAType(), NaTType(2031, 4, 9), datetime64(), Own(), Failing()]]`;
        expect((await run(script)).told).toEqual(
            ['"own"', '"failing"', '2031-04-09 10:00:00', '7', '[7,null,null]', 'null', 'null'].sort(),
        );
    });

    test('rows that do not fit are refused', async () => {
        expect((await run('def main(): return [{"X": 1}, {"x": 1}]')).told).toEqual([
            "RT090 Script 'fetch' returned columns that are not those of the head: row 2 lacks 'X' and has 'x' besides",
        ]);
        expect((await run('def main(): return {"X": 1}')).told[0]).toMatch("returned 'dict'");
        expect((await run('def main(): return [1]')).told[0]).toMatch("row 1 is 'int'");
        for (const script of ['x = 1', 'main = 1', 'def main(a, b): return []', 'def main(*, a): return []'])
            expect((await run(script)).told[0]).toMatch("does not define 'main' with zero or one parameter");
    });

    test('a failure shows where, in the text as it was written', async () => {
        const ran = await run('import other\ndef main():\n    return other.f()\n', {
            others: { other: 'def f():\n    return {}["no"]\n' },
        });
        expect(ran.told).toEqual(["RT090 Script 'fetch' failed: KeyError: 'no'"]);
        expect(ran.details.filter(line => line.includes('File'))).toEqual([
            '  File "fetch.py", line 3, in main',
            '  File "other.py", line 2, in f',
        ]);
        expect((await run('def main(:\n')).told[0]).toMatch('SyntaxError');
    });

    test('a file that is not granted is named with its flag, also behind another error', async () => {
        mkdirSync(join(folder, 'own'));
        writeFileSync(join(folder, 'other.csv'), 'rows');
        const programFile = join(folder, 'own', 'p.rulelang');
        const grants = commandLineGrants({ program: join(folder, 'own'), current: folder, allowRead: [], allowWrite: [] });
        const access = { grants, programFile, currentFolder: folder, parameters: () => undefined };
        const lines = ['try: return open("../other.csv")', 'except OSError as error: raise ValueError("no rows") from error'];
        const ran = await run(`def main():\n    ${lines.join('\n    ')}`, { access });
        expect(ran.told).toEqual(["RT090 Script 'fetch' failed: ValueError: no rows"]);
        expect(ran.remedies).toEqual(
            isLinux ? [`'../other.csv' lies outside the folders that scripts see: add --allow-read ${folder}.`] : [undefined],
        );
    });

    test('a million rows', async () => {
        const ran = await run('def main():\n    return [{"X": i, "Y": "n%d" % (i % 1000)} for i in range(1000000)]', { columns: 'X, Y' });
        expect(ran.told.length).toBe(1_000_000);
    });
});

describe.each(isLinux ? ['walls', 'no walls'] : ['no walls'])('with %s', kind => {
    const path = kind === 'walls' ? python : withoutWalls;

    test('the way in which a script ran is told', async () => {
        const { notes } = await run('def main(): return [{"X": 1}]', { path });
        expect(notes.length).toBe(kind === 'walls' ? 0 : 1);
    });

    test('a loop without end is stopped', async () => {
        const began = performance.now();
        const ran = await run('def main():\n    while True: pass', {
            path,
            cancelled: () => (performance.now() - began > 700 ? 'me' : undefined),
        });
        expect(ran.told[0]).toMatch('RT032');
    });

    test('memory has an end', async () => {
        expect((await run('def main():\n    x = []\n    while True: x.append("a" * 10000000 + str(len(x)))', { path })).told).toEqual([
            "RT090 Script 'fetch' failed: MemoryError",
        ]);
    });

    test.runIf(isLinux)('processes have an end', async () => {
        const script =
            'import os, time\ndef main():\n    for i in range(2000):\n        if os.fork() == 0: time.sleep(600)\n    time.sleep(600)';
        expect((await run(script, { path })).told[0]).toMatch(/more than 256 processes|Resource temporarily unavailable/u);
    });

    test('output without end disturbs nothing', async () => {
        const script = 'def main():\n    for i in range(100000): print("x" * 100)\n    return [{"X": 1}]';
        expect((await run(script, { path })).told).toEqual(['1']);
    });

    test('a process that leaves is a failure, with its last words', async () => {
        const ran = await run('import os\ndef main():\n    print("last words", flush=True)\n    os._exit(0)', { path });
        expect(ran.told).toEqual(["RT090 Script 'fetch' failed: its process ended before 'main' returned"]);
        expect(ran.details).toEqual(['last words']);
    });

    test('bytes in the pipe of the results are a failure', async () => {
        const script = `
import os
def main():
    for fd in range(3, 64):
        try: os.write(fd, b"garbage")
        except OSError: pass
    return [{"X": 1}]`;
        expect((await run(script, { path })).told[0]).toMatch('it wrote into the pipe of its results');
    });

    test('threads and processes that are left over go with it, whatever they ignore', async () => {
        const script = `
import os, signal, subprocess, sys, threading, time
def main():
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(name, signal.SIG_IGN)
    threading.Thread(target=lambda: time.sleep(600)).start()
    subprocess.Popen(["sleep", "60.125"], close_fds=False)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: os.execvp("sleep", ["sleep", "60.125"])
        os._exit(0)
    time.sleep(0.1)
    return [{"X": 1}]`;
        expect((await run(script, { path })).told).toEqual(['1']);
        await expect.poll(() => processesWith('60.125')).toEqual([]);
    });

    test('its folder is empty, its own, and gone afterwards', async () => {
        const script = `
import os
def main():
    found = os.listdir(".")
    open("mine", "w").write("x")
    return [{"X": str(found)}, {"X": os.getcwd()}]`;
        const [cwd, found] = (await run(script, { path })).told;
        expect(found).toBe('"[]"');
        await expect
            .poll(() => readdirSync(tmpdir()).filter(name => cwd?.includes(name) && name.startsWith('rulelang-python-')))
            .toEqual([]);
    });

    test('its environment is not ours', async () => {
        process.env.RULELANG_TEST_SECRET = 'secret';
        const ran = await run('import os\ndef main(): return [{"X": key} for key in os.environ if "RULELANG" in key or key == "USER"]', {
            path,
        });
        expect(ran.told).toEqual([]);
    });

    test('it ends with the program that started it, also by kill -9', async () => {
        const own = join(folder, kind.replace(' ', ''));
        mkdirSync(own);
        writeFileSync(join(own, 'p.rulelang'), 'p(X) <- python:run("sleeper"). @output("p").');
        writeFileSync(join(own, 'sleeper.py'), 'import subprocess\ndef main():\n    subprocess.run(["sleep", "60.25"])\n    return []\n');
        const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
        const child = spawn(process.execPath, [cli, 'run', join(own, 'p.rulelang'), '--allow-python', '--python', path], {
            stdio: 'ignore',
        });
        await expect.poll(() => processesWith('60.25').length).toBeGreaterThan(0);
        child.kill('SIGKILL');
        await expect.poll(() => processesWith('60.25')).toEqual([]);
    });
});

describe.runIf(isLinux)('walls', () => {
    test('files of the user are not there, and others cannot be written', async () => {
        const secret = join(homedir(), '.rulelang-test-secret');
        writeFileSync(secret, 'secret');
        try {
            const script = `
import os
def attempt(action):
    try: return str(action())
    except OSError as error: return type(error).__name__ + " " + str(error.errno)
def main():
    return [{"X": "read " + attempt(lambda: open(${JSON.stringify(secret)}).read())},
            {"X": "list " + attempt(lambda: os.listdir(${JSON.stringify(join(homedir(), '.ssh'))}))},
            {"X": "write " + attempt(lambda: open("/usr/rulelang-test", "w"))},
            {"X": "shadow " + attempt(lambda: open("/etc/shadow").read())},
            {"X": "environ " + attempt(lambda: os.path.exists("/proc/${process.pid}/environ"))}]`;
            expect((await run(script)).told).toEqual([
                '"environ False"',
                '"list FileNotFoundError 2"',
                '"read FileNotFoundError 2"',
                '"shadow FileNotFoundError 2"',
                '"write OSError 30"',
            ]);
        } finally {
            rmSync(secret);
        }
    });

    test('rights cannot be had back', async () => {
        const script = `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def main():
    libc.unshare(0x10000000 | 0x20000)
    tries = [("remount", libc.mount(b"none", b"/", None, 4096 | 32, None)), ("tmpfs", libc.umount2(b"/proc", 2))]
    try: open("/usr/rulelang-test", "w"); tries.append(("write", 0))
    except OSError: pass
    return [{"X": name} for name, result in tries if result == 0]`;
        expect((await run(script)).told).toEqual([]);
    });

    test('there is no network, which the failure says, unless it is asked for', async () => {
        const server = createServer(socket => socket.end('hello')).listen(0, '127.0.0.1');
        await new Promise(resolve => server.once('listening', resolve));
        const { port } = server.address() as { port: number };
        const script = `import socket\ndef main(): return [{"X": socket.create_connection(("127.0.0.1", ${port})).recv(5).decode()}]`;
        try {
            const refused = await run(script);
            expect(refused.told[0]).toMatch('Network is unreachable');
            expect(refused.remedies).toEqual(['Scripts have no network here: add --python-net to let them have it.']);
            expect((await run(script, { network: true })).told).toEqual(['"hello"']);
        } finally {
            server.close();
        }
    });
});

test('a Python that is absent, and one that is none, are told apart', async () => {
    const none = join(folder, 'no-python');
    writeFileSync(none, '#!/bin/sh\necho "Unknown option: -I" >&2\nexit 2\n');
    chmodSync(none, 0o755);
    expect((await run('def main(): return []', { path: join(folder, 'absent') })).told[0]).toMatch('is not run: there is no Python at');
    expect((await run('def main(): return []', { path: none })).told[0]).toMatch('is no Python 3.9 or later');
    const old = join(folder, 'old-python');
    writeFileSync(old, `#!/bin/bash\nexec '${python}' "\${@//sys.version_info < (3, 9)/True}"\n`);
    chmodSync(old, 0o755);
    expect((await run('def main(): return []', { path: old })).told[0]).toMatch('is too old, and scripts need 3.9 or later');
});

/** The processes of which a word of the command line is this one. */
function processesWith(word: string): string[] {
    if (!isLinux) return [];
    return readdirSync('/proc')
        .filter(name => /^\d+$/u.test(name))
        .flatMap(pid => {
            try {
                const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
                return line.split('\0').includes(word) ? [line] : [];
            } catch {
                return [];
            }
        });
}
