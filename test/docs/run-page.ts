import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rulelang, shownInTerminal } from '../cli/in-process.ts';
import { type Block, codeBlocks, commands, edited, withBlocks } from './page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli.js');

/**
 * Runs the code blocks of a page from top to bottom, in a folder of their own that has the samples, and gives the page
 * with the output that its commands really print: those of rulelang that need no process are answered without one, unless every command is to
 * run at a real terminal. A block may be
 *
 *     ```rulelang [file=name] [append] [problem]   a program, or more of it; it checks without problems unless it is there to show one
 *     ```diff file=name                            an edit of a program shown before
 *     ```csv file=name                             a data file
 *     ````markdown file=name                       a notebook
 *     ```console                                   commands behind `$`, each with what it prints
 *     ```sh                                        commands without output; those of rulelang must succeed, others are not run
 *     ```json [file=name]                          settings, which are read as JSON
 *     ```yaml [copy=path]                          settings of a service; those of rulelang's commands are understood, and a
 *                                                  copy is the same as the file
 *     ```lua, ```toml, ```elisp, ```rust           settings of other editors, which test/editors looks at
 */
export async function runPage(markdown: string, isRealTerminal: boolean): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-page-'));
    try {
        // Without what earlier runs have written.
        cpSync(join(root, 'samples'), join(folder, 'samples'), { recursive: true, filter: path => basename(path) !== 'out' });
        writeShims(join(folder, '.bin'));
        const printed = new Map<Block, string[]>();
        for (const block of codeBlocks(markdown)) {
            if (block.language !== 'console') {
                await runBlock(block, folder);
                continue;
            }
            const lines: string[] = [];
            for (const command of commands(block)) lines.push(...(await consoleLines(command, folder, isRealTerminal)));
            printed.set(block, lines);
        }
        return withBlocks(markdown, printed);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** What the pages call, answered by this build: `npx rulelang …` and `npm start`. */
function writeShims(folder: string): void {
    mkdirSync(folder);
    const rulelang = `exec "${process.execPath}" "${cli}"`;
    writeFileSync(join(folder, 'npx'), `#!/bin/sh\n[ "$1" = rulelang ] && shift && ${rulelang} "$@"\nexit 127\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\n[ "$1" = start ] && ${rulelang} run samples/control/control.rulelang\n`, {
        mode: 0o755,
    });
}

async function runBlock(block: Block, folder: string): Promise<void> {
    const file = block.attributes.get('file') ?? `line-${block.line}.${block.language}`;
    const read = (): string => readFileSync(join(folder, file), 'utf8');
    switch (block.language) {
        case 'rulelang':
            write(folder, file, `${block.attributes.has('append') ? `${read()}\n` : ''}${block.lines.join('\n')}\n`);
            if (!block.attributes.has('problem')) await demandNoProblems(file, folder, block.line);
            return;
        case 'csv':
        case 'markdown':
        case 'sql':
            write(folder, file, `${block.lines.join('\n')}\n`);
            return;
        case 'diff':
            write(folder, file, edited(read(), block));
            return;
        case 'sh':
            for (const line of block.lines.filter(text => text.startsWith('npx rulelang'))) {
                const { status, output } = execute(line, folder);
                if (status !== 0) throw new Error(`line ${block.line}: ${line} ended with ${status}\n${output}`);
            }
            return;
        case 'json':
            JSON.parse(block.lines.join('\n'));
            if (block.attributes.has('file')) write(folder, file, `${block.lines.join('\n')}\n`);
            return;
        case 'yaml':
            demandSettings(block, folder);
            return;
        case 'text':
            return;
        case 'lua':
        case 'toml':
        case 'elisp':
        case 'rust':
            return;
        default:
            throw new Error(`line ${block.line}: nothing checks blocks of '${block.language}'`);
    }
}

async function demandNoProblems(file: string, folder: string, line: number): Promise<void> {
    const { stdout } = await rulelang(folder, ['check', file, '--format', 'json']);
    const { diagnostics } = JSON.parse(stdout);
    if (diagnostics.length > 0) throw new Error(`line ${line}: the program has problems\n${JSON.stringify(diagnostics, null, 4)}`);
}

/** What a service would run is a command line that is understood, whatever it finds; hooks are those that the project has. */
function demandSettings({ lines, line, attributes }: Block, folder: string): void {
    const copy = attributes.get('copy');
    if (copy !== undefined && readFileSync(join(root, copy), 'utf8') !== `${lines.join('\n')}\n`) {
        throw new Error(`line ${line}: the block is not ${copy}`);
    }
    for (const text of lines) {
        const [, command] = /(?:run:|^ +-) (rulelang .+)$/u.exec(text) ?? [];
        const { status, output } = command === undefined ? { status: 0, output: '' } : execute(`npx ${command}`, folder);
        if (status !== 0 && status !== 1) throw new Error(`line ${line}: ${command} ended with ${status}\n${output}`);
        const [, hook] = /^ +- id: (.+)$/u.exec(text) ?? [];
        if (hook !== undefined && !readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8').includes(`- id: ${hook}\n`))
            throw new Error(`line ${line}: there is no hook ${hook}`);
    }
}

function write(folder: string, name: string, text: string): void {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
}

/** The command and what it prints; the lines shown stay where only times differ, and where a line `…` leaves some out. */
async function consoleLines(
    { text, shown }: { readonly text: string; readonly shown: string[] },
    folder: string,
    isRealTerminal: boolean,
): Promise<string[]> {
    const args = isRealTerminal ? undefined : plainArguments(text);
    const output = (args && (await shownInTerminal(folder, args))) ?? execute(inTerminal(text), folder).output;
    const printed = output.replaceAll('\r\n', '\n').replaceAll(PROGRESS, '').trimEnd();
    if (agrees(shown.join('\n').trimEnd(), printed)) return [`$ ${text}`, ...shown];
    const blank = shown.length > 0 && shown.at(-1) === '' ? [''] : [];
    return [`$ ${text}`, ...(printed === '' ? [] : printed.split('\n')), ...blank];
}

/** What a call of rulelang hands on, where the shell does no more than to take off quotes. */
function plainArguments(command: string): string[] | undefined {
    const WORD = /(?:'[^']*'|[\w./=@:,-])+/gu;
    const [npx, rulelang, ...args] = command.match(WORD) ?? [];
    const isPlain = npx === 'npx' && rulelang === 'rulelang' && command.replaceAll(WORD, '').trim() === '';
    return isPlain ? args.map(word => word.replaceAll("'", '')) : undefined;
}

/** A line that is drawn over and removed. */
const PROGRESS = new RegExp(`\\r[^\\n]*${'\u001b'}\\[K`, 'gu');

function agrees(shown: string, printed: string): boolean {
    const [start = '', ...parts] = withoutTimes(`${shown}\n`).split('…\n');
    const whole = withoutTimes(`${printed}\n`);
    if (parts.length === 0) return start === whole;
    if (!whole.startsWith(start) || !whole.endsWith(parts.at(-1) ?? '')) return false;
    const middle = parts.slice(0, -1);
    const end = middle.reduce(
        (at, part) => (at < 0 ? at : whole.indexOf(part, at) < 0 ? -1 : whole.indexOf(part, at) + part.length),
        start.length,
    );
    return end >= 0;
}

function withoutTimes(text: string): string {
    return text.replaceAll(/\d+(?:\.\d+)? (?:s|ms)\b/gu, '0 s');
}

/** `script` of util-linux, which runs a command at a terminal of its own. */
export const hasTerminal = spawnSync('bash', ['-c', 'script --version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

function inTerminal(command: string): string {
    const sized = `stty cols 80 rows 50; ${command}`;
    return `script --quiet --return --command '${sized.replaceAll("'", "'\\''")}' /dev/null`;
}

function execute(command: string, folder: string): { status: number | null; output: string } {
    const env = { ...process.env, PATH: `${join(folder, '.bin')}:${process.env.PATH}`, NO_COLOR: '1', SHELL: '/bin/bash' };
    const { status, stdout, error } = spawnSync('bash', ['-c', `exec 2>&1\n${command}`], { cwd: folder, encoding: 'utf8', env });
    if (error !== undefined) throw error;
    return { status, output: stdout };
}
