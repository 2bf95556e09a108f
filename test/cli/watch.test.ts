import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ended, folderWith, rulelang, start } from './command-line.ts';

const FILES = {
    'p.rulelang': '@include("m.rulelang"). @output("q"). q(X) <- p(X).',
    'm.rulelang': '@bind("p", "csv", "data", "p.csv").',
    'data/p.csv': 'first\n',
};

/** As editors save: another file in the place of the old one. */
function save(path: string, text: string): void {
    fs.writeFileSync(`${path}.new`, text);
    fs.renameSync(`${path}.new`, path);
}

function watching(folder: string, args: readonly string[]) {
    const child = start(folder, [...args, '--watch']);
    let text = '';
    const hear = (piece: string): void => {
        text += piece;
    };
    child.stdout?.setEncoding('utf8').on('data', hear);
    child.stderr?.setEncoding('utf8').on('data', hear);
    const end = ended(child);
    return {
        async until(wanted: string): Promise<void> {
            const said = (): string => (text.includes(wanted) && text.includes('Waiting') ? wanted : text);
            await expect.poll(said).toBe(wanted);
            text = '';
        },
        async interrupt(): Promise<number | null> {
            child.kill('SIGINT');
            return (await end).code;
        },
    };
}

test('a run is repeated when the program, a module or data change, errors or not, until Ctrl-C', async () => {
    const folder = folderWith(FILES);
    const run = watching(folder, ['run', 'p.rulelang', '--format', 'csv']);
    await run.until('first');
    save(join(folder, 'data/p.csv'), 'second\n');
    await run.until('second');
    save(join(folder, 'm.rulelang'), 'p("third"');
    await run.until('RL0006');
    fs.writeFileSync(join(folder, 'm.rulelang'), '@include("n.rulelang").');
    await run.until('RL8010');
    save(join(folder, 'n.rulelang'), 'p("fourth").');
    await run.until('fourth');
    save(join(folder, 'p.rulelang'), '@output("q"). q("fifth").');
    await run.until('fifth');
    expect(await run.interrupt()).toBe(130);
});

test('a folder is checked again for a program that is new', async () => {
    const folder = folderWith({ 'rules/a.rulelang': '@output("a"). a(1).' });
    const check = watching(folder, ['check', 'rules', '--format', 'compact']);
    await check.until('');
    fs.writeFileSync(join(folder, 'rules/b.rulelang'), 'b(1');
    await check.until('b.rulelang:1');
    expect(await check.interrupt()).toBe(130);
});

test('tests run again', async () => {
    const test = '@include("a.rulelang"). @test("one"). b(1). @expect("a"). a(1).';
    const folder = folderWith({ 'a.rulelang': '@output("a"). a(X) <- b(X). b(2).', 'a.test.rulelang': test });
    const tests = watching(folder, ['test']);
    await tests.until('1 passed');
    save(join(folder, 'a.rulelang'), '@output("a"). a(X) <- b(X), X > 1. b(2).');
    await tests.until('1 failed');
    expect(await tests.interrupt()).toBe(130);
});

test('standard input cannot be read again', async () => {
    const { code, stderr } = await rulelang(folderWith({}), ['run', '-', '--watch'], 'p(1).');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--watch')]);
});
