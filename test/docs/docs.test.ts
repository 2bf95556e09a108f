import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Block, codeBlocks, commands, edited } from './page.ts';

// What pages may hold, block by block in one folder per page, from top to bottom:
//   ```rulelang [file=name] [problem]   a program; it checks without problems unless it is there to show one
//   ```diff file=name                   an edit of a program shown before
//   ```csv file=name                    a data file
//   ```console                          commands behind `$`, with the output that they print
//   ```sh                               commands without output; those of rulelang must succeed, others are not run

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli.js');
const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'samples/README.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.md'))
        .map(file => `docs/${file}`)
        .sort(),
];

let bin: string;
beforeAll(() => {
    bin = mkdtempSync(join(tmpdir(), 'rulelang-bin-'));
    writeFileSync(join(bin, 'npx'), `#!/bin/sh\n[ "$1" = rulelang ] && shift && exec "${process.execPath}" "${cli}" "$@"\nexit 127\n`);
    writeFileSync(
        join(bin, 'npm'),
        `#!/bin/sh\n[ "$1" = start ] && exec "${process.execPath}" "${cli}" run samples/control/control.rulelang\n`,
    );
    for (const name of ['npx', 'npm']) chmodSync(join(bin, name), 0o755);
});
afterAll(() => rmSync(bin, { recursive: true }));

describe.each(pages)('%s', page => {
    const markdown = readFileSync(join(root, page), 'utf8');

    test('its code blocks hold what they show', () => {
        const folder = mkdtempSync(join(tmpdir(), 'rulelang-page-'));
        cpSync(join(root, 'samples'), join(folder, 'samples'), { recursive: true });
        for (const block of codeBlocks(markdown)) checkBlock(block, folder);
        rmSync(folder, { recursive: true });
    });

    test('its links lead to files', () => {
        const prose = markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gmu, '');
        const targets = [...prose.matchAll(/\]\((?!https?:)([^)#]+)/gu)].map(([, target = '']) => join(dirname(page), target));
        expect(targets.filter(target => !existsSync(join(root, target)))).toEqual([]);
    });
});

test('every page is linked from another one', () => {
    const links = pages.flatMap(page =>
        [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#]+)/gu)].map(([, target = '']) => join(dirname(page), target)),
    );
    expect(pages.filter(page => page !== 'README.md' && !links.includes(page))).toEqual([]);
});

function checkBlock(block: Block, folder: string): void {
    const file = block.attributes.get('file');
    const place = `line ${block.line}`;
    switch (block.language) {
        case 'rulelang': {
            const path = write(folder, file ?? `line-${block.line}.rulelang`, `${block.lines.join('\n')}\n`);
            if (!block.attributes.has('problem'))
                expect(execute(`npx rulelang check ${relative(folder, path)} --format json`, folder, place).shown).toBe(CLEAN);
            return;
        }
        case 'csv':
            write(folder, file ?? 'data.csv', `${block.lines.join('\n')}\n`);
            return;
        case 'diff':
            write(folder, file ?? '', edited(readFileSync(join(folder, file ?? ''), 'utf8'), block));
            return;
        case 'console':
            for (const command of commands(block)) {
                expect(execute(command.text, folder, place).shown, `${place}: ${command.text}`).toBe(withoutTimes(command.shown));
            }
            return;
        case 'sh':
            for (const line of block.lines.filter(text => text.startsWith('npx rulelang'))) {
                const { status, shown } = execute(line, folder, place);
                expect(status, `${place}: ${line}\n${shown}`).toBe(0);
            }
            return;
        case 'ts':
        case 'js':
        case 'text':
        case 'json':
            return;
        default:
            expect.unreachable(`${place}: no check for blocks of '${block.language}'`);
    }
}

const CLEAN = '{"diagnostics":[]}';

function write(folder: string, name: string, text: string): string {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
}

function execute(command: string, folder: string, place: string): { status: number | null; shown: string } {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1', COLUMNS: '100' };
    const { status, stdout, error } = spawnSync('bash', ['-c', `exec 2>&1\n${command}`], { cwd: folder, encoding: 'utf8', env });
    if (error !== undefined) throw new Error(`${place}: ${error.message}`);
    return { status, shown: withoutTimes(stdout.trimEnd()) };
}

function withoutTimes(text: string): string {
    return text.replaceAll(/\d+(?:\.\d+)? (?:s|ms)\b/gu, '0.0 s');
}
