import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const ROOMS = `@output("taken").
@bind("taken", "csv useHeaders=true", "out", "taken.csv").
@bind("guest", "csv useHeaders=true", "data", "guests.csv").
@model("guest", "['name:string', 'room:string']").
taken(Room, N) <- guest(_, Room), N = mcount().
#F <- taken(Room, N), N > 2.
`;

const HOMES = `@output("home").
@bind("home", "csv useHeaders=true", "out", "homes.csv").
@bind("person", "csv useHeaders=true", "data", "people.csv").
@model("person", "['name:string', 'city:string']").
home(Name, City) <- person(Name, City).
A = B <- person(Name, A), person(Name, B).
`;

test('a violated constraint is listed, and nothing is printed or written', async () => {
    const guests = 'name,room\nAnn,A\nBo,A\nCy,A\nDi,B\n';
    const folder = folderWith({ 'rooms.rulelang': ROOMS, 'data/guests.csv': guests, 'out/taken.csv': 'as it was' });
    const { code, stdout, stderr } = await rulelang(folder, ['run', 'rooms.rulelang', '--format', 'json']);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('error RT041: The constraint #F <- taken(Room,N), N>2 has a violation');
    expect(stderr).toContain('\n    taken("A",3)\n');
    expect(stderr).toContain('Nothing was written; every output file is as it was.');
    expect(fs.readFileSync(join(folder, 'out/taken.csv'), 'utf8')).toBe('as it was');
});

test('the fact that violates a constraint can be explained', async () => {
    const guests = 'name,room\nAnn,A\nBo,A\nCy,A\n';
    const folder = folderWith({ 'rooms.rulelang': ROOMS, 'data/guests.csv': guests });
    const { code, stdout } = await rulelang(folder, ['explain', 'rooms.rulelang', 'taken("A", N)']);
    expect(code).toBe(0);
    expect(stdout).toContain('guest("Cy","A")');
});

test('an unknown cell takes the value of another line, and a clash names both lines', async () => {
    const people = 'name,city\nAnn,\\N\nAnn,Oslo\nBo,Lima\n';
    const folder = folderWith({ 'homes.rulelang': HOMES, 'data/people.csv': people });
    expect((await rulelang(folder, ['run', 'homes.rulelang'])).code).toBe(0);
    expect(fs.readFileSync(join(folder, 'out/homes.csv'), 'utf8')).toBe('Name,City\nAnn,Oslo\nBo,Lima\n');

    fs.appendFileSync(join(folder, 'data/people.csv'), 'Bo,Rome\n');
    const { code, stdout, stderr } = await rulelang(folder, ['run', 'homes.rulelang']);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('error RT040');
    expect(stderr).toContain('\n    person("Bo","Lima")  data/people.csv:4\n    person("Bo","Rome")  data/people.csv:5\n');
    expect(fs.readFileSync(join(folder, 'out/homes.csv'), 'utf8')).toBe('Name,City\nAnn,Oslo\nBo,Lima\n');
});
