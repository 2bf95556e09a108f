import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const PERSONS = `@output("parent").
@output("kin").
@bind("kin", "csv useHeaders=true", "", "kin.csv").
name("ann").
person(X) <- name(X).
parent(X, Y), person(Y) <- person(X).
kin(X, K) <- parent(X, Y), K = #kin(Y), name(X).
@output("certain").
@post("certain", "certain").
certain(X, X) <- person(X).
`;

describe('nulls that rules create', () => {
    const folder = folderWith({ 'persons.rulelang': PERSONS });

    test('have labels in tables and JSON, and are missing cells in files', async () => {
        const { stdout } = await rulelang(folder, ['run', 'persons.rulelang', '--format', 'json']);
        expect(JSON.parse(stdout).resultSet).toEqual({
            parent: [
                ['ann', { $null: 'z1' }],
                [{ $null: 'z1' }, { $null: 'z2' }],
            ],
            kin: [['ann', { $null: 'z3' }]],
            certain: [['ann', 'ann']],
        });
        expect(readFileSync(join(folder, 'kin.csv'), 'utf8')).toBe('X,K\nann,\\N\n');
        expect((await rulelang(folder, ['run', 'persons.rulelang', '--format', 'csv', '--output', 'parent'])).stdout).toBe(
            'X,Y\nann,z1\nz1,z2\n',
        );
    });

    test('are asked about by the labels of the listing', async () => {
        const explain = async (fact: string) =>
            (await rulelang(folder, ['explain', 'persons.rulelang', fact])).stdout.replaceAll(/\s+/gu, ' ');
        expect(await explain('parent(z1, z2)')).toContain(
            'parent(z1,z2) holds because person(z1) (1). (1) holds because person("ann") (2). (2) holds because name("ann").',
        );
        expect(await explain('kin("ann", z3)')).toContain('kin("ann",z3) holds because ');
        const { code, stderr } = await rulelang(folder, ['explain', 'persons.rulelang', 'parent(z2, z1)']);
        expect(code).toBe(1);
        expect(stderr).toContain('parent(z2, z1) is not derived');
    });

    test('are asked about where they are two', async () => {
        const linked = folderWith({
            'who.rulelang':
                'cust("e4",4). cust("e5",5). cust("e5",6). who(I, P) <- cust(_, I).\nP = Q <- who(I, P), who(J, Q), cust(E, I), cust(E, J).\n@output("who").\n',
        });
        const explain = (...asked: string[]) => rulelang(linked, ['explain', 'who.rulelang', ...asked]);
        const { code, stdout } = await explain('z1 = z2');
        expect(code).toBe(1);
        expect(stdout).toContain('└─ ✗ no E has both cust(E,4) and cust(E,6)\n');
        const same = await explain('--same', 'who(4, _)', 'who(5, _)');
        expect(same.stdout).toBe(stdout);
        const one = await explain('--same', 'who(5, _)', 'who(6, _)');
        expect(one.code).toBe(0);
        expect(one.stdout).toContain('It is one unknown value: z2\nwho(5,z2)\n');
        expect((await explain('z1 = z7')).stderr).toContain('No fact has the unknown value z7');
        expect((await explain('--same', 'who(4, _)', 'who(_, _)')).stderr).toContain('3 facts fit who(_, _)');
        expect((await explain('--same', 'who(4, _)')).code).toBe(2);
    });

    test('are asked about beside cells without a value', async () => {
        const linked = folderWith({
            'who.rulelang': `@bind("person", "csv useHeaders=true, nullString=''", ".", "persons.csv").
tel(I, T) <- person(I, P), rlike(P, "[0-9]"), T = replace(P, " ", "").
who(W, A) <- person(A, _).
V = W <- who(V, A), who(W, B), tel(A, T), tel(B, T).
@output("tel"). @output("who").
`,
            'persons.csv': 'id,tel\n5,\n6,n/a\n7,03\n8,0 3\n',
        });
        const explain = async (...asked: string[]): Promise<string> =>
            (await rulelang(linked, ['explain', 'who.rulelang', ...asked])).stdout;
        expect(await explain('tel("6", _)')).toContain('Look first at who.rulelang:2: rlike(P, "[0-9]") does not hold: P is "n/a"\n');
        const same = await explain('--same', 'who(_, "6")', 'who(_, "7")');
        expect(same).toContain('└─ ✗ tel("6","03") is not derived\n');
        expect(await explain('--same', 'who(_, "5")', 'who(_, "6")')).toContain(
            '│ V=W <- who(V,A), who(W,B), tel(A,T), tel(B,T)  who.rulelang:4\n',
        );
    });

    test('are joined as deep as --iso-depth says', async () => {
        const joined = folderWith({
            'joined.rulelang': `${PERSONS}joined(X) <- name(X), parent(X, Y), parent(Y, _).\n@output("joined").\n`,
        });
        const run = (...args: string[]) =>
            rulelang(joined, ['run', 'joined.rulelang', '--output', 'parent', '--format', 'ndjson', ...args]);
        const { stdout, stderr } = await run('--iso-depth', '5');
        expect(stdout.trim().split('\n')).toHaveLength(6);
        expect(stderr).toContain('RT030');
        expect(stderr).toContain('5 were kept in each derivation');
        expect((await run()).stdout.trim().split('\n')).toHaveLength(4);
        const wrong = await run('--iso-depth', '0');
        expect(wrong.code).toBe(2);
        expect(wrong.stderr).toContain("option '--iso-depth' needs at least 1");
    });
});
