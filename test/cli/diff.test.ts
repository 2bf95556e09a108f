import { expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const OLD = `@output("reach"). @output("alone").
@bind("road", "csv", "", "roads.csv").
@param("least", 1).
road("x", "y").
place(X) <- road(X, _).
place(Y) <- road(_, Y).
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
alone(X) <- place(X), not reach(X, _).
`;
const FILES = {
    'old/reach.rulelang': OLD,
    'old/roads.csv': 'k,m\nm,p\nk,p\n',
    'new/reach.rulelang': OLD.replace('road("x", "y").', 'road("y", "z").'),
    'new/roads.csv': 'm,p\nk,p\np,q\n',
};

const diff = (folder: string, ...args: string[]) => rulelang(folder, ['diff', ...args]);

test('each row says which edit of the program or of its data makes it', async () => {
    const { code, stdout, stderr } = await diff(folderWith(FILES), 'old/reach.rulelang', 'new/reach.rulelang');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`reach: 4 rows added, 2 removed, 0 changed
  - reach("k","m")  old/roads.csv:1 had road("k","m")
  + reach("k","q")  new/roads.csv:3 adds road("p","q")
  + reach("m","q")  new/roads.csv:3 adds road("p","q")
  + reach("p","q")  new/roads.csv:3 adds road("p","q")
  + reach("y","z")  new/reach.rulelang:4 has road("y", "z"), which was road("x", "y")
  - reach("x","y")  new/reach.rulelang:4 has road("y", "z"), which was road("x", "y")
alone: 2 rows added, 2 removed, 0 changed
  + alone("q")  new/roads.csv:3 adds road("p","q")
  + alone("z")  new/reach.rulelang:4 has road("y", "z"), which was road("x", "y")
  - alone("p")  new/roads.csv:3 adds road("p","q")
  - alone("y")  new/reach.rulelang:4 has road("y", "z"), which was road("x", "y")
`);
});

const SUMS = `@output("total"). @output("large").
@param("least", 10).
paid("ann", 4). paid("ann", 5). paid("bob", 12).
total(P, S) <- paid(P, A), S = msum(A).
large(P) <- total(P, S), S >= ?least.
`;

test('edits that make a row only together are told together, and parameters are edits', async () => {
    const folder = folderWith({
        'old.rulelang': SUMS,
        'new.rulelang': SUMS.replace('total(P, S)', 'paid("ann", 1). paid("eve", 9).\ntotal(P, S)'),
    });
    const { stdout } = await diff(folder, 'old.rulelang', 'new.rulelang', '--set', 'least=9', '--format', 'json');
    const [total, large] = JSON.parse(stdout);
    const added = { kind: 'added', text: 'paid("ann", 1)', place: 'new.rulelang:4' };
    expect(total).toMatchObject({ output: 'total', added: 1, removed: 0, changed: 1, differing: 3 });
    expect(total.rows).toEqual([
        { change: 'was', fact: 'total("ann",9)', smallest: true, edits: [added] },
        { change: 'now', fact: 'total("ann",10)', smallest: true, edits: [added] },
        { change: 'added', fact: 'total("eve",9)', smallest: true, edits: [{ ...added, text: 'paid("eve", 9)' }] },
    ]);
    const parameter = { kind: 'parameter', text: 'least = 9' };
    expect(large.rows).toEqual([
        { change: 'added', fact: 'large("ann")', smallest: true, edits: [parameter] },
        { change: 'added', fact: 'large("eve")', smallest: true, edits: [parameter, { ...added, text: 'paid("eve", 9)' }] },
    ]);
});

test('a row that has lost its last derivation names all edits that it took', async () => {
    const folder = folderWith({
        'old.rulelang': '@output("p"). a(1). b(1). p(X) <- a(X). p(X) <- b(X). c(9). p(2) <- a(X), not c(X).\n',
        'new.rulelang': '@output("p"). c(3). p(X) <- c(X), X > 5.\n',
    });
    const { code, stdout } = await diff(folder, 'old.rulelang', 'new.rulelang', '--format', 'json');
    expect(code).toBe(0);
    const [{ rows }] = JSON.parse(stdout);
    expect(rows.map(({ fact, edits }: { fact: string; edits: { text: string }[] }) => [fact, edits.length])).toEqual([
        ['p(1)', 2],
        ['p(2)', 1],
    ]);
});

test('programs in which nothing differs say so, and what cannot be compared is refused', async () => {
    const folder = folderWith({ ...FILES, 'bad.rulelang': 'p(X) <- q(Y).\n' });
    const same = await diff(folder, 'old/reach.rulelang', 'old/reach.rulelang', '--output', 'alone');
    expect([same.code, same.stdout]).toEqual([0, 'alone: the same rows\n']);
    const rowsAlone = await diff(folder, 'old/reach.rulelang', 'new/reach.rulelang', '--output', 'alone', '--causes', '0', '--limit', '1');
    expect(rowsAlone.stdout).toBe('alone: 2 rows added, 2 removed, 0 changed\n  + alone("q")\n  … and 3 more; --limit 4 shows all\n');
    const unknown = await diff(folder, 'old/reach.rulelang', 'new/reach.rulelang', '--output', 'nothing');
    expect([unknown.code, unknown.stderr]).toEqual([2, "rulelang diff: neither program has an output 'nothing'\n"]);
    expect((await diff(folder, 'old/reach.rulelang', 'bad.rulelang')).code).toBe(1);
    expect((await diff(folder, 'old/reach.rulelang')).stderr).toContain('name two programs');
});
