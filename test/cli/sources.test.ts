import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, listing } from './command-line.ts';
import { rulelang } from './in-process.ts';

const COPY = `
@bind("raw", "csv", "data", "in.csv").
@model("raw", "['name:string', 'size:int']").
@output("copy").
@bind("copy", "csv useHeaders=true", "out", "copy.csv").
copy(X, N) <- raw(X, N).
`;

describe('reading', () => {
    test.each<[string, string | Uint8Array, string]>([
        [
            'an open quote',
            'a,1\n"b,2\nc,3\n',
            "error RT064: 'data/in.csv' has a quote that is not closed before the end of its\n  line; only multiline=true allows line breaks in cells (line 2)\n  ┌─ data/in.csv:2\n",
        ],
        [
            'bytes that are not UTF-8',
            new Uint8Array([97, 44, 49, 10, 255, 44, 50, 10]),
            "error RT064: 'data/in.csv' is not UTF-8: the bytes ff have no meaning;",
        ],
    ])('%s: where it is, and no output', async (_, content, message) => {
        const folder = folderWith({ 'copy.rulelang': COPY, 'data/in.csv': content });
        const { code, stdout, stderr } = await rulelang(folder, ['run', 'copy.rulelang']);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain(message);
        expect(stderr).toContain('Nothing was written; every output file is as it was.');
        expect(listing(folder)).toEqual(['copy.rulelang', 'data', 'data/in.csv']);
    });

    test('a file that is not there is told once, with its nearest name; where nothing reads it, after the run', async () => {
        const files = { 'copy.rulelang': `${COPY}one(1).\nother(X) <- one(X).\n@output("other").`, 'data/inn.csv': 'a,1\n' };
        const folder = folderWith(files);
        const { code, stderr } = await rulelang(folder, ['run', 'copy.rulelang']);
        expect(code).toBe(1);
        expect(stderr).toBe(
            `error RT064: 'data/in.csv' does not exist\n  ┌─ copy.rulelang:2:30\n2 │ @bind("raw", "csv", "data", "in.csv").\n  │                              ^^^^^^ did you mean 'inn.csv'?\n\nNothing was written; every output file is as it was.\n`,
        );
        const unread = files['copy.rulelang'].replaceAll('@output("copy").', '').replace(/^@bind\("copy".*$/mu, '');
        const fine = await rulelang(folderWith({ ...files, 'copy.rulelang': unread }), ['run', 'copy.rulelang']);
        expect(fine.code).toBe(0);
        expect(fine.stderr).toContain("warning RL6111: File 'in.csv' not found");
    });

    test('a path whose backslashes were read as signs is written with slashes', async () => {
        const text = '@bind("p", "csv", "C:\\\\data", "C:\\new\\table.csv").\nh(X) <- p(X).\n@output("h").\n';
        const { stderr } = await rulelang(folderWith({ 'path.rulelang': text }), ['check', 'path.rulelang']);
        expect(stderr).toContain("write 'C:/new/table.csv': '\\' begins a sign");
    });

    test('a line of 5 MB is read like any other', async () => {
        const long = 'x'.repeat(5_000_000);
        const folder = folderWith({ 'copy.rulelang': COPY, 'data/in.csv': `a,1\n${long},2\n` });
        const { code } = await rulelang(folder, ['run', 'copy.rulelang', '--format', 'json']);
        expect(code).toBe(0);
        expect(fs.readFileSync(join(folder, 'out/copy.csv'), 'utf8')).toBe(`X,N\na,1\n${long},2\n`);
    });

    test('ragged rows and failed conversions are warnings, and errors with --strict', async () => {
        const folder = folderWith({ 'copy.rulelang': COPY, 'data/in.csv': 'a\nb,2,3\nc,many\n' });
        const strict = await rulelang(folder, ['run', 'copy.rulelang', '--strict']);
        expect({ code: strict.code, stdout: strict.stdout }).toEqual({ code: 1, stdout: '' });
        expect(strict.stderr).toContain('error RT071: 1 row has fewer than 2 cells');
        expect(listing(folder)).not.toContain('out');
        const lax = await rulelang(folder, ['run', 'copy.rulelang', '--format', 'csv']);
        expect(lax.stderr).toContain(
            'warning RT071: 1 row has fewer than 2 cells and was padded with unknown values\n  ┌─ data/in.csv:1\n',
        );
        expect(lax.stderr).toContain('warning RT071: 1 row has more than 2 cells and was cut\n  ┌─ data/in.csv:2\n');
        expect(lax.stderr).toContain("warning RT021: A value of column 'size' of 'raw' could not be read as int");
        expect(lax.code).toBe(0);
        expect(fs.readFileSync(join(folder, 'out/copy.csv'), 'utf8')).toBe('X,N\na,\\N\nb,2\nc,\\N\n');
    });

    test('outside the roots: the flag that grants it', async () => {
        const folder = folderWith({ 'app/copy.rulelang': COPY.replace('"data"', '"../data"'), 'data/in.csv': 'a,1\n' });
        const app = join(folder, 'app');
        const refused = await rulelang(app, ['run', 'copy.rulelang']);
        expect(refused.code).toBe(1);
        expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
            `error RT063: Access to '${folder}/data/in.csv' is not granted: it lies outside the folders of this run; add --allow-read ${folder}/data`,
        );
        const granted = await rulelang(app, ['run', 'copy.rulelang', '--allow-read', '../data', '--format', 'csv']);
        expect(granted).toMatchObject({ code: 0, stdout: 'X,N\na,1\n' });
        const above = await rulelang(folder, ['run', 'app/copy.rulelang', '--format', 'csv']);
        expect(above).toMatchObject({ code: 0, stdout: 'X,N\na,1\n' });
    });

    test('headers name the columns of a source without a model', async () => {
        const folder = folderWith({
            'p.rulelang':
                '@bind("raw", "csv useHeaders=true", "", "in.csv").\n@output("raw2").\nraw2(X) <- raw(X, _, _).\n@output("whole").\nwhole(X) <- raw(X).\n',
            'in.csv': 'name,size,colour\na,1,red\n',
        });
        const { code, stdout, stderr } = await rulelang(folder, ['run', 'p.rulelang', '--format', 'json']);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(JSON.parse(stdout).resultSet).toEqual({ raw2: [['a']], whole: [['a']] });
    });

    test('a type without a connector', async () => {
        const folder = folderWith({ 'p.rulelang': '@bind("raw", "oracle", "db", "t").\n@output("o").\no(X) <- raw(X).\n' });
        const { code, stderr } = await rulelang(folder, ['run', 'p.rulelang']);
        expect(code).toBe(1);
        expect(stderr).toContain("RT061: Data sources of type 'oracle' need a connector");
    });
});

describe('writing', () => {
    test('a target outside the roots is refused before anything is evaluated', async () => {
        const folder = folderWith({ 'app/copy.rulelang': COPY.replace('"out"', '"../out"'), 'app/data/in.csv': 'a,1\n' });
        const app = join(folder, 'app');
        const refused = await rulelang(app, ['run', 'copy.rulelang']);
        expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(`add --allow-write ${folder}/out`);
        expect(refused.code).toBe(1);
        expect(listing(folder)).not.toContain('out');
        const granted = await rulelang(app, ['run', 'copy.rulelang', '--allow-write', `${folder}/out`]);
        expect(granted.code).toBe(0);
        expect(fs.readFileSync(join(folder, 'out/copy.csv'), 'utf8')).toBe('X,N\na,1\n');
    });

    test.each([
        ['program.rulelang', 'runs do not write programs or workspaces'],
        ['.bashrc', 'is hidden'],
        ['deploy.sh', 'runs do not write scripts or programs'],
    ])('%s is never written', async (name, reason) => {
        const folder = folderWith({ 'copy.rulelang': COPY.replace('copy.csv', name), 'data/in.csv': 'a,1\n' });
        const { code, stderr } = await rulelang(folder, ['run', 'copy.rulelang']);
        expect(code).toBe(1);
        expect(stderr.replaceAll(/\s+/g, ' ')).toContain(reason);
    });

    test('save modes', async () => {
        const program = (mode: string): string => COPY.replace('useHeaders=true', `useHeaders=true, saveMode=${mode}`);
        const folder = folderWith({
            'append.rulelang': program('append'),
            'ignore.rulelang': program('ignore'),
            'error.rulelang': program('errorIfExists'),
            'data/in.csv': 'a,1\n',
        });
        const target = join(folder, 'out/copy.csv');
        const run = (name: string) => rulelang(folder, ['run', `${name}.rulelang`]);
        expect((await run('error')).code).toBe(0);
        expect((await run('append')).code).toBe(0);
        expect(fs.readFileSync(target, 'utf8')).toBe('X,N\na,1\na,1\n');
        expect((await run('ignore')).code).toBe(0);
        const refused = await run('error');
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain('exists already');
        expect(fs.readFileSync(target, 'utf8')).toBe('X,N\na,1\na,1\n');
    });

    test('what a run writes, a run reads back', async () => {
        const folder = folderWith({
            'copy.rulelang':
                '@bind("raw", "csv multiline=true", "", "in.csv").\n@output("copy").\n@bind("copy", "csv multiline=true", "", "copy.csv").\ncopy(X, Y) <- raw(X, Y).\n',
            'in.csv': '"a\nb","say ""hi"""\n"c,d",é😀\n"\\N",\\N\n',
        });
        await rulelang(folder, ['run', 'copy.rulelang']);
        const first = fs.readFileSync(join(folder, 'copy.csv'), 'utf8');
        fs.renameSync(join(folder, 'copy.csv'), join(folder, 'in.csv'));
        await rulelang(folder, ['run', 'copy.rulelang']);
        expect(fs.readFileSync(join(folder, 'copy.csv'), 'utf8')).toBe(first);
        expect(first.split('\n').length).toBe(5);
    });
});

test('a row is said to come from its file among many, and from its item where several stand on one line', async () => {
    const folder = folderWith({
        'p.rulelang':
            '@bind("t", "csv useHeaders=true", "in", "*.csv").\n@bind("j", "json", "", "j.json").\n@bind("j", "json", "more", "*.json").\n@output("o").\no(X) <- t(X).\no(X) <- j(X).\n',
        'in/a.csv': 'x\na1\na2\n',
        'in/b.csv': 'x\nb1\nb2\n',
        'j.json': '[{"x":"i1"},{"x":"i2"}]',
        'more/k.json': '[\n{"x":"k1"},\n{"x":"k2"}]',
        'more/l.json': '[{"x":"l1"},{"x":"l2"}]',
    });
    for (const [value, place] of [
        ['a2', 'in/a.csv:3'],
        ['b1', 'in/b.csv:2'],
        ['i2', 'j.json, item 2'],
        ['k2', 'more/k.json:3'],
        ['l1', 'more/l.json, item 1'],
    ]) {
        const { stdout } = await rulelang(folder, ['explain', 'p.rulelang', `o("${value}")`]);
        expect(stdout).toContain(`("${value}")  ${place}\n`);
    }
});

describe('what is there when a run writes', () => {
    const OWN = '@bind("raw", "csv useHeaders=true", "", "in.csv").\n@output("copy").\ncopy(X) <- raw(X, _).\n';
    const SAVED = `${OWN}@bind("copy", "csv useHeaders=true", "", "out.csv").\n`;
    const files = { 'in.csv': 'a,n\nx,1\n', 'save.rulelang': SAVED };
    const spaced = (text: string): string => text.replaceAll(/\s+/gu, ' ');

    test('a file with other columns is kept, and both lists and what to do are told', async () => {
        const folder = folderWith({ ...files, 'out.csv': 'id,sum,day\n1,2,3\n' });
        const { code, stderr } = await rulelang(folder, ['run', 'save.rulelang']);
        expect(code).toBe(1);
        expect(spaced(stderr)).toContain("error RT067: 'out.csv' is not replaced: its columns are id, sum, day, and those of 'copy' are X");
        expect(spaced(stderr)).toContain(
            'Write saveMode=overwrite into the bind to replace it, saveMode=append to add the rows to it, or add --allow-write out.csv.',
        );
        expect(fs.readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('id,sum,day\n1,2,3\n');
        const told = "warning RL6108: A run does not replace 'out.csv' unasked: its columns are id, sum, day, and those of 'copy' are X";
        expect(spaced((await rulelang(folder, ['check', 'save.rulelang', '--format', 'compact'])).stdout)).toContain(told);
        expect((await rulelang(folder, ['run', 'save.rulelang', '--allow-write', 'out.csv'])).code).toBe(0);
        expect(fs.readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('X\nx\n');
        expect((await rulelang(folder, ['run', 'save.rulelang'])).code).toBe(0);
        expect((await rulelang(folder, ['check', 'save.rulelang', '--format', 'compact'])).stdout).toBe('');
        const hints = (await rulelang(folder, ['check', 'save.rulelang', '--format', 'compact', '--hints'])).stdout;
        expect(hints).toContain("hint RL6108: A run replaces what 'out.csv' holds");
    });

    test.each([
        ['json', 'out.json', 'nothing of the kind'],
        ['parquet', 'out.parquet', 'nothing of the kind'],
    ])('a file that is no %s is kept', async (type, name, text) => {
        const folder = folderWith({
            'in.csv': 'a,n\nx,1\n',
            'save.rulelang': `${OWN}@bind("copy", "${type}", "", "${name}").\n`,
            [name]: text,
        });
        const { code, stderr } = await rulelang(folder, ['run', 'save.rulelang']);
        expect(code).toBe(1);
        expect(spaced(stderr)).toContain(`error RT067: '${name}' is not replaced: it cannot be read as ${type}`);
        expect(fs.readFileSync(join(folder, name), 'utf8')).toBe(text);
    });

    test.each([
        ['Id', 'its other columns'],
        ['Y,X', 'their other order'],
        ['X;Y', 'another sign between the cells'],
    ])('no rows are added to a file with %s as its header, for %s', async header => {
        const program =
            'p(1, 2).\n@output("q").\nq(X, Y) <- p(X, Y).\n@bind("q", "csv useHeaders=true, saveMode=append", "", "out.csv").\n';
        const folder = folderWith({ 'add.rulelang': program, 'out.csv': `${header}\n3\n` });
        const { code, stderr } = await rulelang(folder, ['run', 'add.rulelang']);
        expect(code).toBe(1);
        const columns = header.replace(',', ', ');
        expect(spaced(stderr)).toContain(`'out.csv' has other columns, so that no rows can be added: ${columns}, not X, Y`);
        expect(fs.readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(`${header}\n3\n`);
        fs.writeFileSync(join(folder, 'out.csv'), 'Here,There\n3,4\n');
        expect((await rulelang(folder, ['run', 'add.rulelang'])).code).toBe(0);
        expect(fs.readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('Here,There\n3,4\n1,2\n');
    });

    test.each([
        ['X\r\nx\r\n', 'X\r\nx\r\nx\r\n'],
        ['X\r\nx', 'X\r\nx\r\nx\r\n'],
        ['"X"\r\n"a\nb"\n', '"X"\r\n"a\nb"\nx\r\n'],
        ['X\n"a\r\nb"\n', 'X\n"a\r\nb"\nx\n'],
    ])('rows are added with the line end of the first line: %j', async (before, after) => {
        const bind = '@bind("copy", "csv useHeaders=true, saveMode=append", "", "out.csv").\n';
        const folder = folderWith({ ...files, 'add.rulelang': OWN + bind, 'out.csv': before });
        expect((await rulelang(folder, ['run', 'add.rulelang'])).code).toBe(0);
        expect(fs.readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(after);
    });

    test.each([
        ['text', 'out.txt', 'my notes\n', 'nothing in a text shows that a run has written it'],
        ['json', 'out.json', '{"X":"mine"}', 'it is one object, and a run writes a list of rows'],
        ['csv', 'out.csv', 'mine;1\nyours;2\n', "its cells are separated by ';'"],
        ['csv', 'out.csv', 'mine,1\n', "its columns are column 1, column 2, and those of 'copy' are X"],
    ])('a %s that no run has probably written is kept: %s', async (type, name, text, reason) => {
        const bind = `@bind("copy", "${type}", "", "${name}").\n`;
        const folder = folderWith({ ...files, 'save.rulelang': OWN + bind, [name]: text });
        const { code, stderr } = await rulelang(folder, ['run', 'save.rulelang']);
        expect({ code, stderr: spaced(stderr) }).toEqual({
            code: 1,
            stderr: expect.stringContaining(`error RT067: '${name}' is not replaced: ${reason}`),
        });
        expect(fs.readFileSync(join(folder, name), 'utf8')).toBe(text);
        const { stdout } = await rulelang(folder, ['check', 'save.rulelang', '--format', 'compact']);
        expect(stdout).toContain(`warning RL6108: A run does not replace '${name}' unasked: ${reason}`);
        const granted = await rulelang(folder, ['run', 'save.rulelang', '--allow-write', name]);
        expect(granted.stderr).toContain(`Replaced ${name} with 'copy'\n`);
    });

    test.each([
        ['ann,berlin', "its column 2 has 'berlin' where 'q' has '1'", "unasked: its column 2 has 'berlin' where 'q' has int"],
        ['id,sum\n7,8', 'its first line has names of columns: id, sum', 'unasked: its first line has names of columns: id, sum'],
        // Before a run nobody knows the texts of its rows.
        ['7,8\n9,10', "its column 1 has '9' where 'q' has 'ann'", "hint RL6108: A run replaces what 'out.csv' holds"],
    ])('a CSV file without names is kept for its values: %j', async (text, reason, told) => {
        const program = 'p("ann", 1). p("bob", 2).\n@output("q").\nq(X, Y) <- p(X, Y).\n@bind("q", "csv", "", "out.csv").\n';
        const folder = folderWith({ 'save.rulelang': program, 'out.csv': `${text}\n` });
        const { code, stderr } = await rulelang(folder, ['run', 'save.rulelang']);
        expect(code).toBe(1);
        expect(spaced(stderr)).toContain(`'out.csv' is not replaced: ${reason}`);
        expect((await rulelang(folder, ['check', 'save.rulelang', '--format', 'compact', '--hints'])).stdout).toContain(told);
        expect(fs.readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(`${text}\n`);
    });

    test('a run replaces its own file without names, whatever its values', async () => {
        const program =
            'p("7", 1.5, #T, 2031-01-05, null). p("x", 1, #F, 2031-01-06, 3).\n@output("q").\nq(A, B, C, D, E, F) <- p(A, B, C, D, E), F = math:log(B - 1).\n@bind("q", "csv", "", "out.csv").\n';
        const folder = folderWith({ 'save.rulelang': program });
        expect((await rulelang(folder, ['run', 'save.rulelang'])).stderr).toContain("Wrote 'q' to out.csv\n");
        expect((await rulelang(folder, ['run', 'save.rulelang'])).stderr).toContain("Replaced out.csv with 'q'\n");
    });

    test('a CSV file with the names in another order is kept, an empty text is filled', async () => {
        const program = 'p(1, 2).\n@output("q").\nq(X, Y) <- p(X, Y).\n@bind("q", "csv useHeaders=true", "", "out.csv").\n';
        const text = 'p("a").\n@output("t").\nt(X) <- p(X).\n@bind("t", "text", "", "t.txt").\n';
        const folder = folderWith({ 'save.rulelang': program, 'out.csv': 'Y,X\n4,3\n', 'text.rulelang': text, 't.txt': '' });
        const { code, stderr } = await rulelang(folder, ['run', 'save.rulelang']);
        expect(code).toBe(1);
        expect(spaced(stderr)).toContain("'out.csv' is not replaced: its columns are Y, X, and those of 'q' are X, Y");
        fs.rmSync(join(folder, 'out.csv'));
        expect((await rulelang(folder, ['run', 'save.rulelang'])).stderr).toContain("Wrote 'q' to out.csv\n");
        expect((await rulelang(folder, ['run', 'save.rulelang'])).stderr).toContain("Replaced out.csv with 'q'\n");
        expect((await rulelang(folder, ['run', 'text.rulelang'])).stderr).toContain("Wrote 't' to t.txt\n");
    });

    test('what a bind keeps as it is, and what changes rows, is told', async () => {
        const folder = folderWith({
            ...files,
            'out.csv': 'mine\n',
            'ignore.rulelang': SAVED.replace('useHeaders=true", "", "out.csv"', 'saveMode=ignore", "", "out.csv"'),
            'db.rulelang': `${OWN}@bind("copy", "sqlite", "d.db", "t").\n`,
            'delete.rulelang': `${OWN}@bind("copy", "sqlite", "d.db", "t").\n@delete("copy", "0").\n`,
        });
        const { code, stderr } = await rulelang(folder, ['run', 'ignore.rulelang']);
        expect(code).toBe(0);
        expect(stderr).toContain("'out.csv' is there already, and saveMode=ignore keeps it as it is\n");
        expect(stderr).not.toContain('Wrote');
        expect(fs.readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('mine\n');
        expect((await rulelang(folder, ['run', 'db.rulelang'])).stderr).toContain("Wrote 'copy' to d.db: t\n");
        expect((await rulelang(folder, ['run', 'delete.rulelang'])).stderr).toContain("Wrote 'copy' to d.db: t (1 row deleted)\n");
    });

    test('a table that has rows is kept, one that is made is filled', async () => {
        const folder = folderWith({ ...files, 'db.rulelang': `${OWN}@bind("copy", "sqlite", "d.db", "t").\n` });
        expect((await rulelang(folder, ['run', 'db.rulelang'])).code).toBe(0);
        const { code, stderr } = await rulelang(folder, ['run', 'db.rulelang']);
        expect(code).toBe(1);
        expect(spaced(stderr)).toContain("error RT067: 'd.db: t' is not replaced: it has 1 row");
        expect((await rulelang(folder, ['check', 'db.rulelang', '--format', 'compact'])).stdout).toContain(
            "'d.db: t' unasked: it has 1 row",
        );
        expect((await rulelang(folder, ['run', 'db.rulelang', '--allow-write', join(folder, 'd.db')])).code).toBe(0);
    });

    test('a sheet is added to a workbook, and one with other columns is kept', async () => {
        const into = (sheet: string, head: string): string =>
            `p(1, 2). @output("h"). ${head} <- p(X, Y). @bind("h", "excel dataAddress=''${sheet}'', useHeaders=true", "", "w.xlsx").\n`;
        const folder = folderWith({
            'a.rulelang': into('A', 'h(X)'),
            'b.rulelang': into('B', 'h(X, Y)'),
            'again.rulelang': into('a', 'h(X, Y)'),
        });
        for (const name of ['a', 'b', 'a']) expect((await rulelang(folder, ['run', `${name}.rulelang`])).code).toBe(0);
        const { code, stderr } = await rulelang(folder, ['run', 'again.rulelang']);
        expect(code).toBe(1);
        expect(spaced(stderr)).toContain("error RT067: 'w.xlsx: a' is not replaced: its columns are X, and those of 'h' are X, Y");
    });

    test.each(['in.csv', '*.csv', 'linked.csv'])('what the run reads is kept, whatever the columns: %s', async read => {
        const program = `@bind("t", "csv", "", "${read}").\n@output("u").\nu(A, B) <- t(A, B), B != "1".\n@bind("u", "csv", "", "in.csv").\n`;
        const folder = folderWith({ 'in.csv': 'x,1\ny,2\n', 'filter.rulelang': program });
        fs.symlinkSync('in.csv', join(folder, 'linked.csv'));
        const told = (await rulelang(folder, ['check', 'filter.rulelang', '--format', 'compact'])).stdout;
        expect(told).toContain("A run does not replace 'in.csv' unasked: this run reads it");
        const { code, stderr } = await rulelang(folder, ['run', 'filter.rulelang']);
        expect(code).toBe(1);
        expect(spaced(stderr)).toContain("error RT067: 'in.csv' is not replaced: this run reads it");
        expect(fs.readFileSync(join(folder, 'in.csv'), 'utf8')).toBe('x,1\ny,2\n');
    });
});

test('a row of a file without lines is explained by the file', async () => {
    const folder = folderWith({
        'write.rulelang': '@output("town"). @bind("town", "parquet", "", "towns.parquet"). town("Rome", 3). town("Pisa", 1).\n',
        'read.rulelang': '@bind("town", "parquet", "", "towns.parquet").\nbig(T) <- town(T, N), N > 2.\n@output("big").\n',
    });
    expect(await rulelang(folder, ['run', 'write.rulelang'])).toMatchObject({ code: 0 });
    const { stdout } = await rulelang(folder, ['explain', 'read.rulelang', 'big("Rome")']);
    expect(stdout).toContain('└─ town("Rome",3)  towns.parquet\n');
});

describe('a file that an output is bound to', () => {
    const BIND = '@bind("t", "csv useHeaders=true", ".", "t.csv").\n@output("t").\n';
    const ROWS = 'name,n\nada,1\nbo,2\n';

    test.each([
        ['without a model', BIND],
        ['with a model', `${BIND}@model("t", "['name:string', 'n:int']").\n`],
    ])('is shown and stays where nothing fills the output, %s', async (_, program) => {
        const folder = folderWith({ 'look.rulelang': program, 't.csv': ROWS });
        const { code, stdout, stderr } = await rulelang(folder, ['run', 'look.rulelang', '--format', 'csv']);
        expect({ code, stdout }).toEqual({ code: 0, stdout: ROWS });
        expect(stderr).not.toMatch(/RL|RT/u);
        expect(fs.readFileSync(join(folder, 't.csv'), 'utf8')).toBe(ROWS);
    });

    test.each([
        ['RL6093', `${BIND}t(A, B) <- t(A, B), B != "1".\n`],
        ['RL6093', `${BIND}t(A, B) <- u(A, B).\nu(A, B) <- t(A, B), B != "1".\n`],
        ['RT066', `@module("m").\n${BIND}t(A, B) <- t(A, B), B != "1".\n`],
        ['RT066', `${BIND}@model("u", "['name:string', 'n:int']").\nt(A, B) <- u(A, B).\n`],
    ])('stays where nothing can fill the output: %s', async (told, program) => {
        const folder = folderWith({ 'filter.rulelang': program, 't.csv': ROWS });
        const { code, stdout, stderr } = await rulelang(folder, ['run', 'filter.rulelang']);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain(`error ${told}: Nothing can fill 't'`);
        expect(fs.readFileSync(join(folder, 't.csv'), 'utf8')).toBe(ROWS);
    });
});
