import { describe, expect, test } from 'vitest';
import { folderWith } from './command-line.ts';
import { rulelang } from './in-process.ts';

const PROGRAM = `@output("far").
@bind("road", "csv", "", "roads.csv").
town("k").
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
far(X, Y) <- town(X), town(Y), not reach(X, Y).
`;

async function graph(program: string, ...args: string[]): Promise<string> {
    const { stdout } = await rulelang(folderWith({ 'p.rulelang': program, 'roads.csv': 'a,b\n1,2\n' }), ['graph', 'p.rulelang', ...args]);
    return stdout;
}

describe('graph', () => {
    test('dot', async () => {
        expect(await graph(PROGRAM)).toMatchInlineSnapshot(`
          "digraph dependencies {
            rankdir=TB;
            node [shape=box, style=rounded, fontname="Helvetica"];
            edge [fontname="Helvetica", fontsize=10];
            subgraph cluster_1 {
              label="Stratum 1"; color=gray; fontname="Helvetica";
              p0 [label="town/1"];
              p1 [label="road/2\\n(input)", shape=cylinder];
              p2 [label="reach/2", peripheries=2];
            }
            subgraph cluster_2 {
              label="Stratum 2"; color=gray; fontname="Helvetica";
              p3 [label="far/2\\n(output)", penwidth=2];
            }
            p1 -> p2;
            p2 -> p2 [color=blue];
            p0 -> p3;
            p2 -> p3 [style=dashed, label="not", arrowhead=odot];
          }
          "
        `);
    });

    test('mermaid', async () => {
        expect(await graph(PROGRAM, '--format', 'mermaid')).toMatchInlineSnapshot(`
          "flowchart TB
            subgraph s1["Stratum 1"]
              p0("town/1")
              p1[("road/2<br/>input")]
              p2("reach/2<br/>recursive")
            end
            subgraph s2["Stratum 2"]
              p3("far/2<br/>output")
            end
            p1 --> p2
            p2 --> p2
            p0 --> p3
            p2 -. not .-> p3
            classDef output stroke-width:3px
            classDef recursive stroke:#1f6feb
            class p3 output
            class p2 recursive
            linkStyle 1 stroke:#1f6feb
          "
        `);
    });

    test('json', async () => {
        const { predicates, edges } = JSON.parse(await graph(PROGRAM, '--format', 'json'));
        expect(predicates.at(-1)).toEqual({
            key: 'far/2',
            name: 'far',
            arity: 2,
            stratum: 2,
            recursive: false,
            input: false,
            output: true,
            facts: 0,
            rules: 1,
            file: 'p.rulelang',
            range: { start: { line: 5, character: 0 }, end: { line: 5, character: 3 } },
        });
        expect(edges).toContainEqual({ predicate: 'far/2', needs: 'reach/2', kind: 'negated', recursive: false, forbidden: false });
    });

    test('names cannot leave their quotes, nor act on a terminal', async () => {
        const hostile = '@output("a\\"];b\u001b[31m\u202e<script>#]").\ne(1).\nq(X) <- e(X).\n';
        for (const format of ['dot', 'mermaid', 'json']) {
            const text = await graph(hostile, '--format', format);
            // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
            expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
            expect(text.replaceAll('\\"', '').replaceAll(/"[^"]*"/gu, '')).not.toMatch(/script|31m/u);
        }
        expect(await graph(hostile, '--format', 'mermaid')).not.toContain('<script');
    });

    test('a program with errors has a graph, and the exit code says so', async () => {
        const folder = folderWith({ 'p.rulelang': 'e(1).\nq(X) <- e(X), not p(X).\np(X) <- e(X), not q(X).\nbroken(' });
        const { code, stdout, stderr } = await rulelang(folder, ['graph', 'p.rulelang']);
        expect(code).toBe(1);
        expect(stderr).toContain('RL2401');
        expect(stdout.match(/color=red/gu)).toHaveLength(2);
    });
});
