import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTerminal } from '../docs/run-page.ts';
import { CLI, type Ended, folderWith, rulelang } from './command-line.ts';

const typed = (lines: readonly string[], args: readonly string[] = [], files: Record<string, string> = {}): Promise<Ended> =>
    rulelang(folderWith(files), ['repl', '--format', 'csv', ...args], lines.map(line => `${line}\n`).join(''));

describe('from a pipe', () => {
    test('clauses over several lines are added, and questions answered', async () => {
        const lines = ['% roads', 'link("a", "b"). link("b", "c"). link("a", X)?', 'reach(X, Y) <-', '  link(X, Y).'];
        const { code, stdout, stderr } = await typed([
            ...lines,
            'reach(X, Z) <- reach(X, Y), link(Y, Z).',
            'reach("a", X), not link("a", X)?',
            '?- link(X,',
            '  "c").',
            ':list',
        ]);
        const list = '1  % roads\n2  link("a", "b").\n3  link("b", "c").\n4  reach(X, Y) <-\n5    link(X, Y).\n';
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toBe(`X\nb\nX\nc\nX\nb\n${list}6  reach(X, Z) <- reach(X, Y), link(Y, Z).\n`);
    });

    test('an error is told with its place, and the program stays as it was', async () => {
        const { code, stdout, stderr } = await typed(['p(1).', 'q(X) <- p(X), Y > 1.', 'p(X', 'p(X)?', ':list', 'p(2']);
        expect([code, stdout]).toEqual([1, '1  p(1).\n']);
        expect(stderr).toMatch(/RL2002[\s\S]*session:2:15[\s\S]*RL0006[\s\S]*session:2/u);
    });

    test('--bail ends at the first error', async () => {
        const { code, stdout } = await typed(['p(1).', 'nowhere(X)?', 'p(X)?'], ['--bail']);
        expect([code, stdout]).toEqual([1, '']);
    });

    test('a clause waits for what it uses', async () => {
        const { code, stdout, stderr } = await typed(['q(X) <- p(X).', 'r(X) <- q(X).', 'o(1). o(X)?', 'p(2).', 'r(X)?']);
        expect([code, stdout]).toEqual([0, 'X\n1\nX\n2\n']);
        expect(stderr).toMatch(/warning RL1101[\s\S]*session:1:9[\s\S]*waits/u);
    });

    test('changes are dropped and taken back', async () => {
        const lines = ['p(1). p(2). q(3).', ':drop p', ':list', ':undo', ':drop 2', ':list', ':undo', ':undo', ':list', ':undo'];
        const { code, stdout, stderr } = await typed(lines);
        expect(stdout).toBe('1  q(3).\n1  p(1).\n2  q(3).\n');
        expect([code, stderr]).toEqual([1, 'Nothing was changed\n']);
    });

    test('programs with data are loaded, asked, explained and saved', async () => {
        const files = { 'sub/a.rulelang': '@bind("p", "csv", "", "p.csv"). q(X) <- p(X, _).', 'sub/p.csv': 'ann,1\nbo,2\n' };
        const folder = folderWith(files);
        const lines = ['q(X)?', 'r("ann").', ':why q("bo")', ':whynot q("cy")', ':explain r(_)', ':save s.rulelang', ':save s.rulelang'];
        const more = [':save! s.rulelang', ':save! sub/a.rulelang', ':load nowhere.rulelang', ':format json', 'q("bo")?', ':wyh'];
        const args = ['repl', 'sub/a.rulelang', '--format', 'csv'];
        const end = await rulelang(folder, args, [...lines, ...more].map(line => `${line}\n`).join(''));
        expect(end.code).toBe(1);
        expect(end.stdout).toMatch(
            /^X\nann\nbo\nq\("bo"\)\n[\s\S]*sub\/p\.csv:2[\s\S]*q\("cy"\) is not derived[\s\S]*r\("ann"\) {2}session:2/u,
        );
        expect(JSON.parse(end.stdout.slice(end.stdout.indexOf('\n{'))).resultSet).toEqual({ query: [[true]] });
        expect(end.stderr).toMatch(/:save! s\.rulelang[\s\S]*is loaded[\s\S]*nowhere\.rulelang[\s\S]*did you mean :why/u);
        expect(fs.readFileSync(join(folder, 's.rulelang'), 'utf8')).toBe('@include("sub/a.rulelang").\nr("ann").\n');
        expect(fs.readFileSync(join(folder, 'sub/a.rulelang'), 'utf8')).toBe(files['sub/a.rulelang']);
        expect((await rulelang(folder, ['run', 's.rulelang', '--query', 'q(X)', '--format', 'csv'])).stdout).toBe('X\nann\nbo\n');
    });
});

describe.runIf(hasTerminal)('at a terminal', () => {
    test('Tab completes, Ctrl-C stops the answer alone, and what is typed is kept without secrets', async () => {
        const folder = folderWith({ 'some.rulelang': 'far("x").' });
        const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state'), NO_COLOR: '1', SHELL: '/bin/bash', TERM: 'xterm' };
        const command = `'${process.execPath}' '${CLI}' repl`;
        const child = spawn('bash', ['-c', `exec script --quiet --return --command "${command}" /dev/null`], { cwd: folder, env });
        const screen = screenOf(child);
        const say = async (wanted: string, keys: string): Promise<void> => {
            await screen.until(wanted);
            child.stdin.write(keys);
        };
        await say('> ', ':lo\t');
        await say(':load', ' so\t');
        await say('some.rulelang', '\r');
        await say('> ', 'digit(0). digit(1). digit(2). digit(3). digit(4). digit(5). digit(6). digit(7).\r');
        await say('> ', 'dig\t');
        await say('digit(', 'X), X > 6?\r');
        await say('1 row', '');
        const product = [...'ABCDEFGHIJK'].map(name => `digit(${name})`).join(', ');
        await say('> ', `${product}, A + B * C - D * E + F * G - H * I + J * K > 9999?\r`);
        await say('stratum', '\u0003');
        await say('RT032', '');
        await say('> ', 'unfinished(\r');
        await say('… ', '\u0003');
        await say('> ', '@bind("b", "postgresql password=\'hidden\'", "d", "t").\r');
        await say('RL6110', '');
        await say('> ', ' quiet(1).\r');
        await say('> ', 'far(X)?\r');
        await say('1 row', '');
        await say('> ', '\u0004');
        expect(await screen.ended).toBe(0);
        const file = join(folder, 'state', 'rulelang', 'history');
        expect((fs.statSync(file).mode & 0o777).toString(8)).toBe('600');
        const kept = fs.readFileSync(file, 'utf8').split('\n');
        expect(kept).toEqual(expect.arrayContaining([':load some.rulelang', 'digit(X), X > 6?', 'far(X)?']));
        expect(kept.join('\n')).not.toMatch(/hidden|quiet/u);
    });
});

interface Screen {
    /** Waits for a text behind the one that was waited for last. */
    until(wanted: string): Promise<void>;
    readonly ended: Promise<number | null>;
}

function screenOf(child: ChildProcess): Screen {
    let text = '';
    let seen = 0;
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
    });
    return {
        async until(wanted) {
            await expect.poll(() => text.indexOf(wanted, seen), { message: `${wanted} after ${text.slice(seen)}` }).not.toBe(-1);
            seen = text.indexOf(wanted, seen) + wanted.length;
        },
        ended: new Promise(resolve => child.on('close', code => resolve(code))),
    };
}
