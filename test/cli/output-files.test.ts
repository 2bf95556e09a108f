import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const PROGRAM = '@output("pair"). @output("one").\npair(1, "a"). pair(2, "é").\none(X) <- pair(X, "a").\n';
const BACK = `@bind("s", "excel useHeaders=true, dataAddress=''pair'!A1'", "", "all.xlsx").
@bind("t", "excel useHeaders=true, dataAddress=''one'!A1'", "", "all.xlsx").
@bind("u", "parquet", "", "pair.parquet").
both(X, Y) <- s(X, Y), u(X, Y), t(1).
@output("both").
`;

test('the ending of the name is the format; a workbook has a sheet for each output', async () => {
    const folder = folderWith({ 'p.rulelang': PROGRAM, 'back.rulelang': BACK });
    const written = await rulelang(folder, ['run', 'p.rulelang', '--output-file', 'all.xlsx']);
    expect(written).toMatchObject({ code: 0, stdout: '' });
    expect(written.stderr).toContain('Wrote 3 rows to all.xlsx\n');
    for (const args of [
        ['--output', 'pair', '--output-file', 'pair.parquet'],
        ['--query', 'pair(X, Y), X > 1', '--output-file', 'asked.txt', '--format', 'csv'],
        ['--output-file', 'all.json'],
    ])
        expect(await rulelang(folder, ['run', 'p.rulelang', ...args])).toMatchObject({ code: 0, stdout: '' });
    expect(fs.readFileSync(join(folder, 'asked.txt'), 'utf8')).toBe('X,Y\n2,é\n');
    expect(JSON.parse(fs.readFileSync(join(folder, 'all.json'), 'utf8')).resultSet.one).toEqual([[1]]);
    expect((await rulelang(folder, ['run', 'back.rulelang', '--format', 'csv'])).stdout).toBe('X,Y\n1,a\n2,é\n');
});

test('what one file cannot hold, or a terminal cannot show, is refused, and no program is written over', async () => {
    const folder = folderWith({ 'p.rulelang': PROGRAM });
    const refused = async (...args: string[]): Promise<string> => {
        const { code, stderr } = await rulelang(folder, ['run', 'p.rulelang', ...args]);
        expect(code).not.toBe(0);
        return stderr;
    };
    expect(await refused('--output-file', 'x.parquet')).toContain('--format parquet holds one output, and the program has 2');
    expect(await refused('--format', 'xlsx')).toContain('xlsx is written into a file: --output-file rows.xlsx');
    expect(await refused('--output-file', 'x.exe')).toContain("'x.exe' does not tell by its name how it is written; give --format");
    expect(await refused('--output-file', 'p.rulelang', '--format', 'facts')).toContain('runs do not write programs');
    expect(fs.readFileSync(join(folder, 'p.rulelang'), 'utf8')).toBe(PROGRAM);
});
