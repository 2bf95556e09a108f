import fs from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { folderWith, listing } from './command-line.ts';
import { rulelang } from './in-process.ts';

const PROGRAM = '@output("q").\nq(X) <- e(X).\ne(1).\n';
const schema = JSON.parse(fs.readFileSync(new URL('../../docs/reference/project.schema.json', import.meta.url), 'utf8'));

function settings(given: object): string {
    return JSON.stringify(given);
}

describe('the file of a project', () => {
    test('names the program that is run, and where the tests are', async () => {
        const folder = folderWith({
            'rulelang.json': settings({ programs: ['rules/a.rulelang'], tests: ['checks'] }),
            'rules/a.rulelang': PROGRAM,
            'checks/a.test.rulelang': '@include("../rules/a.rulelang").\n@test("in checks").\n@expect("q").\nq(1).\n',
            'b.test.rulelang': '@test("elsewhere").\np(1).\n@expect("p", "empty").\n',
        });
        expect(await rulelang(folder, ['run', '--format', 'csv'])).toMatchObject({ code: 0, stdout: 'X\n1\n' });
        expect((await rulelang(join(folder, 'checks'), ['run', '..', '--format', 'csv'])).stdout).toBe('X\n1\n');
        const { code, stdout } = await rulelang(folder, ['test']);
        expect({ code, stdout: stdout.split('\n')[0] }).toEqual({ code: 0, stdout: '✓ checks/a.test.rulelang  1 case' });
    });

    test.each([
        [{ programs: ['a.rulelang', 'b.rulelang'] }, 'one of a.rulelang, b.rulelang'],
        [{}, "let 'programs' in rulelang.json name it"],
    ])('%j: no program is meant', async (given, message) => {
        const folder = folderWith({ 'rulelang.json': settings(given), 'a.rulelang': PROGRAM, 'b.rulelang': PROGRAM });
        expect(await rulelang(folder, ['run'])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    });

    test('roots are folders of modules, and grant nothing', async () => {
        const folder = folderWith({
            'rulelang.json': settings({ roots: ['shared'] }),
            'shared/base.rulelang': 'base(1).\n',
            'rules/a.rulelang': '@include("base.rulelang").\n@output("q").\nq(X) <- base(X).\n',
        });
        expect((await rulelang(folder, ['run', 'rules/a.rulelang', '--format', 'csv'])).stdout).toBe('X\n1\n');
        const inside = join(folder, 'rules');
        const refused = await rulelang(inside, ['run', 'a.rulelang', '--format', 'csv']);
        expect(refused.code).toBe(1);
        expect(refused.stderr.replaceAll(/\s+/gu, ' ')).toContain(`add --allow-read ${join(folder, 'shared')}`);
        expect((await rulelang(inside, ['run', 'a.rulelang', '--format', 'csv', '--allow-read', '../shared'])).stdout).toBe('X\n1\n');
    });

    test.each([
        [{ net: ['db.example.org:5432'] }, '--allow-net', 'db.example.org:5432'],
        [{ secrets: ['DB_PASSWORD'] }, '--secret', 'DB_PASSWORD'],
        [{ python: true }, '--allow-python', undefined],
        [{ model: true }, '--allow-model', undefined],
    ])('what it needs is granted by flags alone: %j', async (needs, flag, value) => {
        const folder = folderWith({ 'rulelang.json': settings({ needs }), 'a.rulelang': PROGRAM });
        const words = value === undefined ? [flag] : [flag, value];
        const refused = await rulelang(folder, ['run', 'a.rulelang']);
        expect(refused.code).toBe(1);
        expect(refused.stderr.replaceAll(/\s+/gu, ' ')).toContain(`add ${words.join(' ')}`);
        expect(refused.stderr).toContain('RT063');
        expect(await rulelang(folder, ['run', 'a.rulelang', ...words, '--format', 'csv'])).toMatchObject({ code: 0, stdout: 'X\n1\n' });
    });

    test.each([
        ['{"programs": ["none.rulelang"]}', ":1:15: There is no program 'none.rulelang'"],
        ['{\n  "test": ["."]\n}', ":2:3: There is no setting 'test'; did you mean 'tests'?"],
        ['{"needs": {"python": "yes"}}', ":1:22: 'needs.python' is true or false"],
        ['{"needs": {"net": ["http://x"]}}', ":1:20: 'http://x' is no host"],
        ['{"roots": "shared"}', ":1:11: 'roots' is a list of texts"],
        ['{"roots": [}', 'is not JSON'],
    ])('%s is told at its place', async (text, message) => {
        const folder = folderWith({ 'rulelang.json': text, 'a.rulelang': PROGRAM });
        const { code, stderr } = await rulelang(folder, ['check']);
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    });

    test('the schema takes what is read, and nothing else', () => {
        const isValid = new Ajv().compile(schema);
        const whole = {
            ...{ $schema: 'x', programs: ['a.rulelang'], roots: ['shared'], tests: ['.'] },
            problems: { severity: { RL9001: 'off' } },
            needs: { read: ['/data'], write: ['out'], net: ['db.example.org:5432'], secrets: ['PW'], python: true, model: false },
        };
        expect(isValid(whole), JSON.stringify(isValid.errors)).toBe(true);
        for (const wrong of [{ test: [] }, { needs: { net: ['http://x'] } }, { problems: { severity: { RL9001: 'bad' } } }, { roots: '.' }])
            expect(isValid(wrong)).toBe(false);
    });
});

describe('a new project', () => {
    test('runs, passes its tests, has no problems and stands in the format', async () => {
        const folder = folderWith({});
        const made = await rulelang(folder, ['new', 'mine']);
        expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('cd mine') });
        const mine = join(folder, 'mine');
        expect(listing(mine)).toEqual(['data', 'data/orders.csv', 'orders.rulelang', 'orders.test.rulelang', 'rulelang.json']);
        const { code, stdout } = await rulelang(mine, ['run', '--output', 'good_customer', '--format', 'csv']);
        expect({ code, stdout }).toEqual({ code: 0, stdout: 'Customer\nAnn\nCleo\n' });
        expect((await rulelang(mine, ['test'])).stdout).toContain('2 passed');
        expect((await rulelang(mine, ['check', '--fail-level', 'hint'])).code).toBe(0);
        expect((await rulelang(mine, ['format', '--check', '.'])).code).toBe(0);
        expect(new Ajv().compile(schema)(JSON.parse(fs.readFileSync(join(mine, 'rulelang.json'), 'utf8')))).toBe(true);
    });

    test('never writes over a file', async () => {
        const folder = folderWith({ 'orders.rulelang': 'mine(1).\n' });
        const { code, stderr } = await rulelang(folder, ['new']);
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("'orders.rulelang' is in . already") });
        expect(listing(folder)).toEqual(['orders.rulelang']);
        expect(fs.readFileSync(join(folder, 'orders.rulelang'), 'utf8')).toBe('mine(1).\n');
    });
});
