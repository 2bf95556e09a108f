import fs from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { folderWith, listing } from './command-line.ts';
import { rulelang } from './in-process.ts';

const SHARE = `own("u","v",0.3). own("u","v",0.4).
share(X, Y, S) <- own(X, Y, Q), S = msum(Q).
@output("share").
`;

const REACH = `road("k","m"). road("m","p").
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
@output("reach").
`;

async function ran(program: string, files: Readonly<Record<string, string>> = {}, ...options: string[]) {
    const folder = folderWith({ 'p.rulelang': program, ...files });
    const ended = await rulelang(folder, ['run', 'p.rulelang', ...options]);
    return { ...ended, folder, read: (path: string) => fs.readFileSync(join(folder, path), 'utf8') };
}

describe('@chase', () => {
    test('an aggregated fact and its contributions', async () => {
        const { code, stderr, read } = await ran(`${SHARE}@chase("csv", "prov", "chase.csv").`);
        expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Wrote the chase to prov/chase.csv\n') });
        expect(read('prov/chase.csv')).toBe(`Fact,ProvenanceLeft,ProvenanceRight,Rule
"aggregated_explainability_share(""u"",""v"")","own(""u"",""v"",0.3)","","share(X,Y,S) <- own(X,Y,Q), S=msum(Q)"
"aggregated_explainability_share(""u"",""v"")","own(""u"",""v"",0.4)","","share(X,Y,S) <- own(X,Y,Q), S=msum(Q)"
"share(""u"",""v"",0.7)","aggregated_explainability_share(""u"",""v"")","","share(X,Y,S) <- own(X,Y,Q), S=msum(Q)"
`);
    });

    test('every derivation, further premises on the right, and nothing of what no output needs', async () => {
        const { read } = await ran(`a(1). b(1). c(1, "x; y").
h(X) <- a(X), b(X), c(X, Y), not d(X).
h(X) <- a(X), X > 0.
d(X) <- a(X), X > 1.
other(X) <- a(X).
@output("h").
@chase("csv delimiter=';', quoteMode='minimal', coalesce=1", "", "steps.csv").`);
        expect(read('steps.csv')).toBe(`Fact;ProvenanceLeft;ProvenanceRight;Rule
h(1);a(1);"b(1); c(1,""x; y"")";h(X) <- a(X), b(X), c(X,Y), not d(X)
h(1);a(1);;h(X) <- a(X), X>0
`);
    });

    test('cycles are recorded step by step; relation functions have no premises', async () => {
        const { read } = await ran(`e("a","b"). e("b","a").
r(X, Y) <- e(X, Y).
r(X, Z) <- r(X, Y), r(Y, Z).
t(X, Y) <- #TC(e).
@output("r"). @output("t").
@chase("csv", "", "c.csv").`);
        const rows = read('c.csv').trim().split('\n');
        expect(rows).toContain('"r(""a"",""a"")","r(""a"",""b"")","r(""b"",""a"")","r(X,Z) <- r(X,Y), r(Y,Z)"');
        expect(rows).toContain('"t(""a"",""b"")","","","t(X,Y) <- #TC(e)"');
    });

    test('nodes and edges for a property graph', async () => {
        const { code, folder, read } = await ran(`${SHARE}@chase("csv forNeo4jBulkImport=true", "graph", "share.csv").`);
        expect(code).toBe(0);
        expect(listing(folder)).toEqual([
            'graph',
            'graph/edges',
            'graph/edges/share.csv',
            'graph/nodes',
            'graph/nodes/share.csv',
            'p.rulelang',
        ]);
        expect(read('graph/nodes/share.csv')).toBe(`id:ID,:LABEL
"aggregated_explainability_share(""u"",""v"")","CHASE_NODE;AGGREGATED_EXPLAINABILITY_SHARE"
"own(""u"",""v"",0.3)","CHASE_NODE;OWN"
"own(""u"",""v"",0.4)","CHASE_NODE;OWN"
"share(""u"",""v"",0.7)","CHASE_NODE;SHARE"
`);
        expect(read('graph/edges/share.csv').split('\n')[0]).toBe(':START_ID,:END_ID,rule:string,:TYPE');
        expect(read('graph/edges/share.csv').split('\n')[3]).toBe(
            '"share(""u"",""v"",0.7)","aggregated_explainability_share(""u"",""v"")","share(X,Y,S) <- own(X,Y,Q), S=msum(Q)","DERIVED_BY"',
        );
    });

    test('append adds rows below what is there', async () => {
        const { read } = await ran(`${REACH}@chase("csv saveMode=append", "", "c.csv").`, {
            'c.csv': 'Fact,ProvenanceLeft,ProvenanceRight,Rule\n',
        });
        expect(read('c.csv').match(/^Fact/gmu)).toHaveLength(1);
        expect(read('c.csv').trim().split('\n')).toHaveLength(4);
    });

    test('unknown values contribute nothing; a set and its elements', async () => {
        const { read } = await ran(`v("a", 1). v("a", null). v("b", null).
united(K, S) <- v(K, X), S = munion(X).
element(K, X) <- v(K, Y), S = munion(Y), X = collections:explode(S).
@output("united"). @output("element").
@chase("csv quoteMode=minimal, useHeaders=false, delimiter='|'", "", "c.csv").`);
        expect(read('c.csv').trim().split('\n').sort()).toEqual(
            [
                '"aggregated_explainability_element(""a"")"|"v(""a"",1)"||element(K,X) <- v(K,Y), S=munion(Y), X=collections:explode(S)',
                '"aggregated_explainability_united(""a"")"|"v(""a"",1)"||united(K,S) <- v(K,X), S=munion(X)',
                '"element(""a"",1)"|"aggregated_explainability_element(""a"")"||element(K,X) <- v(K,Y), S=munion(Y), X=collections:explode(S)',
                '"united(""a"",{1})"|"aggregated_explainability_united(""a"")"||united(K,S) <- v(K,X), S=munion(X)',
            ].sort(),
        );
    });

    test('compressed, and compressed again behind it', async () => {
        const program = `${SHARE}@chase("csv saveMode=append, compression=gzip", "", "c.csv.gz").`;
        const first = await ran(program);
        await rulelang(first.folder, ['run', 'p.rulelang']);
        const text = gunzipSync(fs.readFileSync(join(first.folder, 'c.csv.gz'))).toString();
        expect(text.split('\n').slice(0, 2)).toEqual([
            'Fact,ProvenanceLeft,ProvenanceRight,Rule',
            expect.stringContaining('"aggregated_explainability_share'),
        ]);
        expect(text.trim().split('\n')).toHaveLength(7);
    });

    test('the form with a predicate is read, with a warning', async () => {
        const { code, stderr, read } = await ran(`${SHARE}@chase("share", "csv", "prov", "chase.csv").`);
        expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('warning RL6080: Legacy four-argument form') });
        expect(read('prov/chase.csv')).toContain('aggregated_explainability_share');
    });

    test('equalities that replaced a null have a row of their own, and are told again from it', async () => {
        const badges = `person("Bo"). known("Bo", 4711).
badge(P, N) <- person(P).
N = M <- badge(P, N), known(P, M).
@output("badge").
`;
        const { read } = await ran(`${badges}@chase("csv", "", "c.csv").`);
        expect(read('c.csv')).toBe(`Fact,ProvenanceLeft,ProvenanceRight,Rule
"z1 = 4711","badge(""Bo"",z1)","known(""Bo"",4711)","N=M <- badge(P,N), known(P,M)"
"badge(""Bo"",4711)","person(""Bo"")","z1 = 4711","badge(P,N) <- person(P)"
`);
        const graph = await ran(`${badges}@chase("csv forNeo4jBulkImport=true", "", "c.csv").`);
        expect(graph.read('nodes/c.csv')).toContain('"z1 = 4711","CHASE_NODE;EQUALITY"');
        const again = await ran(
            `@bind("step", "csv useHeaders=true", "", "c.csv").
@output("chase").
chase(F, L, R, U) <- step(F, L, R, U).
@explain("console chase=false").`,
            { 'c.csv': read('c.csv') },
        );
        expect(again.stdout).toContain(`badge("Bo",4711)
  since badge("Bo",z1) and known("Bo",4711), then z1 = 4711, and since person("Bo"), then badge("Bo",4711).
`);
        expect(again.stdout).not.toContain('\nz1 = 4711\n');
    });

    test('the time limit of a run covers its derivations', async () => {
        // The evaluation needs one match, and the derivations are all 27,000,000,000.
        const dense = `n(1). n(X) <- n(Y), Y < 3000, X = Y + 1.
t(1) <- n(X), n(Y), n(Z).
@output("t").
@chase("csv", "", "c.csv").`;
        const { code, stderr, folder } = await ran(dense, {}, '--timeout', '4s');
        expect({ code, files: listing(folder) }).toEqual({ code: 1, files: ['p.rulelang'] });
        // The evaluation itself would name the predicate that grew most.
        expect(stderr).toMatch(/error RT031: The time limit of this run was reached$/mu);
        const explained = await rulelang(folder, ['explain', 'p.rulelang', 't(_)', '--all', '--timeout', '4s', '--format', 'json']);
        expect(explained).toMatchObject({
            code: 1,
            stdout: '',
            stderr: expect.stringContaining('The time limit of this run was reached'),
        });
    });

    test('other targets need a connector, and a failed run writes nothing', async () => {
        const neo4j = await ran(`${SHARE}@chase("neo4j", "db", "chase").`);
        expect({ code: neo4j.code, stderr: neo4j.stderr }).toEqual({
            code: 1,
            stderr: expect.stringContaining("error RT061: Data sources of type 'neo4j'"),
        });
        expect(neo4j.stderr).toContain('= Write @chase("csv forNeo4jBulkImport=true", "folder", "file.csv")');
        const table = await ran(`${SHARE}@explain("oracle", "db", "why").`);
        expect(table.stderr).toContain('= Write @explain("csv", "folder", "file.csv"), and load the file into the');
        const failing = await ran(`p(0). q(X) <- p(X), Y = 1 / X, Y > 0. @output("q"). @chase("csv", "prov", "c.csv").`);
        expect({ code: failing.code, files: listing(failing.folder) }).toEqual({ code: 1, files: ['p.rulelang'] });
        expect(failing.stderr).toContain('Nothing was written; every output file is as it was.');
    });

    test('the console gets it behind the tables, or standard error beside data', async () => {
        const table = await ran(`${SHARE}@chase("console").`);
        expect(table.stdout).toContain(`share("u","v",0.7)
  from aggregated_explainability_share("u","v")
  by share(X,Y,S) <- own(X,Y,Q), S=msum(Q)
`);
        const json = await ran(`${SHARE}@chase("console").`, {}, '--format', 'json');
        expect(JSON.parse(json.stdout).resultSet).toEqual({ share: [['u', 'v', 0.7]] });
        expect(json.stderr).toContain('from aggregated_explainability_share("u","v")');
    });
});

describe('@explain', () => {
    test('one record per output fact, in words and as a tree', async () => {
        const { code, read } = await ran(`${REACH}@explain("csv", "prov", "why.csv").`);
        expect(code).toBe(0);
        const lines = read('prov/why.csv').trim().split('\n');
        expect(lines[0]).toBe('Fact,JsonExplanation,TextualExplanation');
        const text = 'since road(""k"",""m""), then reach(""k"",""m""), and since road(""m"",""p""), then reach(""k"",""p"").';
        expect(lines[2]).toBe(
            `"reach(""k"",""p"")","${JSON.stringify({
                fact: 'reach("k","p")',
                verbalization: 'reach("k","p")',
                rule: 'reach(X,Z) <- reach(X,Y), road(Y,Z)',
                provenances: [
                    {
                        fact: 'reach("k","m")',
                        verbalization: 'reach("k","m")',
                        rule: 'reach(X,Y) <- road(X,Y)',
                        provenances: [{ fact: 'road("k","m")', verbalization: 'road("k","m")' }],
                    },
                    { fact: 'road("m","p")', verbalization: 'road("m","p")' },
                ],
            }).replaceAll('"', '""')}","${text}"`,
        );
        expect(lines).toHaveLength(4);
    });

    test('descriptions of models, and the values of a group', async () => {
        const { stdout } =
            await ran(`${SHARE}@model("own", "['who:string', 'what:string', 'part:double']", " [who] owns [part] of [what]. ").
@explain("console").`);
        expect(stdout).toContain(`share("u","v",0.7)
  since u owns 0.3 of v and u owns 0.4 of v, then the values that contribute to share("u","v",0.7), and then share("u","v",0.7).
`);
    });

    test('other predicates than the outputs', async () => {
        const { stdout } = await ran(`${REACH}from(X) <- reach(X, _).
@explain("console predicates='from,road'").`);
        expect(stdout.slice(stdout.indexOf('from("k")'))).toBe(`from("k")
  since road("k","m"), then reach("k","m"), and then from("k").
from("m")
  since road("m","p"), then reach("m","p"), and then from("m").
road("k","m")
  road("k","m").
road("m","p")
  road("m","p").
`);
    });

    test('a chase that was written before', async () => {
        const first = await ran(`${SHARE}${REACH}same(X) <- reach(X, Y), reach(X, Y).
@output("same").
@chase("csv", "", "chase.csv").`);
        const { stdout, stderr } = await ran(
            `@bind("step", "csv useHeaders=true", "", "chase.csv").
@model("road", "['from:string', 'to:string']", "a road leads from [from] to [to]").
chase(F, L, R, U) <- step(F, L, R, U).
@output("chase").
@explain("console chase=false, predicates='reach,share'").`,
            { 'chase.csv': first.read('chase.csv') },
        );
        expect(stderr).not.toContain('error');
        expect(stdout).toContain(`reach("k","p")
  since a road leads from k to m, then reach("k","m"), and since a road leads from m to p, then reach("k","p").
`);
        expect(stdout).toContain(`share("u","v",0.7)
  since own("u","v",0.3) and own("u","v",0.4), then the values that contribute to share("u","v",0.7), and then share("u","v",0.7).
`);
        expect(stdout).not.toContain('then same(');
    });

    test('nulls keep the labels of the answer', async () => {
        const { stdout, read } = await ran(
            `p(1, null). p(2, null).
q(X, Y) <- p(X, Y).
@output("q").
@chase("csv", "", "c.csv").`,
            {},
            '--format',
            'csv',
        );
        expect(stdout).toBe('X,Y\n1,z1\n2,z2\n');
        expect(read('c.csv')).toContain('"q(2,z2)","p(2,z2)","","q(X,Y) <- p(X,Y)"');
    });
});

test('a fact at the end of a chain of 100,000 steps is explained in a few lines', async () => {
    const folder = folderWith({
        'deep.rulelang': `@bind("edge", "csv", "", "edges.csv"). @model("edge", "['from:int', 'to:int']").
reach(0).
reach(Y) <- reach(X), edge(X, Y).
@output("reach").
`,
        'edges.csv': Array.from({ length: 100_000 }, (_, i) => `${i},${i + 1}\n`).join(''),
    });
    const { code, stdout } = await rulelang(folder, ['explain', 'deep.rulelang', 'reach(100000)']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(120);
    expect(lines[0]).toBe('reach(100000)');
    expect(lines).toContain('├─ edge(99999,100000)  edges.csv:100000');
    expect(lines).toContain('… rests on more; explain it by itself');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'reach(100000) holds because reach(99999) (1) and edge (from 99999, to 100000). (1) follows in the same way, in 11 steps: from ',
    );
    const json = await rulelang(folder, ['explain', 'deep.rulelang', 'reach(100000)', '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
        fact: 'reach(100000)',
        provenances: [{ fact: 'reach(99999)' }, { fact: 'edge(99999,100000)' }],
    });
});
