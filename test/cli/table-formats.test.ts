import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CLI, ended, folderWith, rulelang, start } from './command-line.ts';

const WIDE = `@output("sold").
@model("sold", "['customer:string', 'amount:int', 'comment:string']").
sold(X, Y, Z) <- order(X, Y, Z).
order("Ann", 12345678, "paid at once"). order("Bolt & sons", 7, "a comment that nobody reads to its end").
`;
const hasTerminal = spawnSync('bash', ['-c', 'script --version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

async function printed(...args: string[]): Promise<string> {
    return (await rulelang(folderWith({ 'p.rulelang': WIDE }), ['run', 'p.rulelang', ...args])).stdout;
}

/** What a terminal of so many columns shows. */
function shown(columns: number, ...args: string[]): string[] {
    const command = `stty cols ${columns}; ${[process.execPath, CLI, 'run', 'p.rulelang', ...args].join(' ')}`;
    const { stdout } = spawnSync('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
        cwd: folderWith({ 'p.rulelang': WIDE }),
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
    });
    return stdout.split(/\r?\n/u);
}

test('a box has lines around whole cells', async () => {
    expect(await printed('--format', 'box')).toBe(`┌─────────────┬──────────┬────────────────────────────────────────┐
│ customer    │   amount │ comment                                │
├─────────────┼──────────┼────────────────────────────────────────┤
│ Ann         │ 12345678 │ paid at once                           │
│ Bolt & sons │        7 │ a comment that nobody reads to its end │
└─────────────┴──────────┴────────────────────────────────────────┘
`);
});

test('a record has a line for each value', async () => {
    expect(await printed('--format', 'record')).toBe(`─ 1 ────────────────────────────────────
customer  Ann
amount    12345678
comment   paid at once
─ 2 ────────────────────────────────────
customer  Bolt & sons
amount    7
comment   a comment that nobody reads to its end
`);
});

test('a question without columns is true or false in all of them', async () => {
    for (const format of ['table', 'box', 'record']) {
        expect(await printed('--query', 'sold("Ann", 12345678, "paid at once")', '--format', format)).toBe('true\n');
        expect(await printed('--query', 'sold("Ann", 7, "paid at once")', '--format', format)).toBe('false\n');
    }
});

test.runIf(hasTerminal)('a narrow terminal cuts texts, then leaves out columns, and never cuts numbers', () => {
    expect(shown(40, '--format', 'box').slice(0, 6)).toEqual([
        '┌─────────────┬──────────┬─────────────┐',
        '│ customer    │   amount │ comment     │',
        '├─────────────┼──────────┼─────────────┤',
        '│ Ann         │ 12345678 │ paid at on… │',
        '│ Bolt & sons │        7 │ a comment … │',
        '└─────────────┴──────────┴─────────────┘',
    ]);
    const narrow = shown(24, '--format', 'box');
    expect(narrow.every(line => [...line].length <= 24)).toBe(true);
    expect(narrow.join(' ')).toMatch(/more columns?: .*comment/u);
    expect(shown(24, '--format', 'record')).toContain('amount    12345678');
});

test('colour is for terminals, unless an option or the environment says otherwise', async () => {
    const folder = folderWith({ 'p.rulelang': WIDE });
    const isColoured = async (env: NodeJS.ProcessEnv, ...args: string[]): Promise<boolean> => {
        const plain = { NO_COLOR: '', FORCE_COLOR: '', ...env };
        return (await ended(start(folder, ['run', 'p.rulelang', ...args], plain))).stdout.includes('\u001b[');
    };
    expect(await isColoured({})).toBe(false);
    expect(await isColoured({}, '--color', 'always')).toBe(true);
    expect(await isColoured({ FORCE_COLOR: '1' })).toBe(true);
    expect(await isColoured({ FORCE_COLOR: '0' })).toBe(false);
    expect(await isColoured({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(await isColoured({ FORCE_COLOR: '1' }, '--color', 'never')).toBe(false);
    expect(await isColoured({ NO_COLOR: '1' }, '--color=always')).toBe(true);
    expect(await rulelang(folder, ['run', 'p.rulelang', '--color', 'red'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('choose auto, always, never'),
    });
});
