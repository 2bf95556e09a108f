import { describe, expect, test } from 'vitest';
import type { FactNode, Origin } from '#engine/explain/explanation.ts';
import { explanationText, explanationTrees } from '#engine/explain/explanation-text.ts';
import { explanationTree } from '#engine/explain/explanation-tree.ts';
import { explain } from '../../support/explain.ts';

const place = (origin: Origin): string => (origin.kind === 'source' ? `${origin.file}:${origin.line}` : `line ${origin.place.line + 1}`);

async function tree(text: string, question: string, all = false): Promise<string> {
    return `\n${explanationTree(await explain(text, question, all), { place, limit: 100 }).join('\n')}\n`;
}

const ROADS = `road("k","m"). road("m","p"). road("k","p").
@output("reach").
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
`;

const CONTROL = `own("ada","bix",0.625). own("ada","cor",0.25). own("bix","cor",0.375). own("cor","dun",0.75).
held(X, X, Y, Q) <- own(X, Y, Q).
held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q).
total(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q).
ctrl(X, Y) <- total(X, Y, S), S > 0.5.
@output("ctrl"). @output("total").
`;

describe('nulls that equality heads replaced', () => {
    const EMPLOYEES = `employee("ann","d1"). employee("cid","d2"). manager("d1","zoe"). unit("d1"). unit("d2").
@output("led"). @output("member").
led(D, M), member(E, D) <- employee(E, D).
led(D, M) <- manager(D, M).
led(D, M) <- unit(D), employee(_, D).
M = N <- led(D, M), led(D, N).
`;

    test('do not explain a fact that was there without them', async () => {
        const shown = await tree(EMPLOYEES, 'led("d1","zoe")', true);
        expect(shown).toContain('led(D,M) <- manager(D,M)');
        expect(shown).not.toContain('member(E,D)');
    });

    test('are of no concern to facts without them', async () => {
        expect(await tree(EMPLOYEES, 'member("ann","d1")')).not.toContain('=');
    });

    test('come with the equality where a fact holds the value that they turned out to be', async () => {
        const late = EMPLOYEES.replace('led(D, M) <- manager(D, M).', 'boss(M, D) <- led(D, M). N = M <- boss(N, D), manager(D, M).');
        expect(await tree(late, 'led("d1","zoe")')).toMatch(/└─ z\d = "zoe"/u);
    });
});

describe('the clock of a run stands still', () => {
    const BILLS = `bill("a",2031-01-05). bill("b",2031-06-01). bill("c",2031-03-01).
@output("due"). @output("since").
due(B) <- bill(B, D), D < date:current_date().
due(B) <- bill(B, D), D > date:current_date().
due(B) <- bill(B, D), D = date:current_date().
since(N) <- bill(_, D), N = date:diff(date:current_date(), D).
`;

    test.each([
        ['a', 'D<date:current_date()'],
        ['b', 'D>date:current_date()'],
        ['c', 'D=date:current_date()'],
    ])('due("%s") holds by the rule whose condition was true', async (bill, condition) => {
        const shown = await tree(BILLS, `due("${bill}")`, true);
        expect(shown.match(/due\(B\) <- .*(?= {2})/gu)).toEqual([`due(B) <- bill(B,D), ${condition}`]);
    });

    test('a value that it gave is that of one match', async () => {
        expect(await tree(BILLS, 'since(55)', true)).toMatch(/^\nsince\(55\)\n.*\n└─ bill\("a",2031-01-05\)[^\n]*\n$/u);
    });
});

test('nulls of Skolem terms that were replaced come with the equality, in facts that were derived later too', async () => {
    const text = `q("Bo"). known("Bo",4711).
p(X, N) <- q(X), N = #f(X).
N = M <- p(X, N), known(X, M).
@output("r").
r(X, N) <- known(X, _), not p(X, 1), N = #f(X).
`;
    expect(await tree(text, 'r("Bo",4711)')).toMatchInlineSnapshot(`
      "
      r("Bo",4711)
      │ r(X,N) <- known(X,_), not p(X,1), N=#f(X)  line 5
      ├─ known("Bo",4711)  line 1
      ├─ z1 = 4711
      │  │ N=M <- p(X,N), known(X,M)  line 3
      │  ├─ p("Bo",z1)
      │  └─ known("Bo",4711)  line 1
      └─ no p("Bo",1)
      "
    `);
});

describe('groups', () => {
    const ROAD = `road("Riga","Tartu",250). road("Tartu","Narva",180). road("Riga","Narva",480). road("Narva","Riga",480).
@output("way").
way(X, Y, Km) <- road(X, Y, D), Km = mmin(D).
way(X, Z, Km) <- way(X, Y, A), road(Y, Z, B), Km = mmin(A + B).
`;

    test('say which rule gives which value, and what came later', async () => {
        expect(await tree(ROAD, 'way("Riga","Narva",430)')).toMatchInlineSnapshot(`
          "
          way("Riga","Narva",430)
          └─ the smallest of 3
             ├─ road("Riga","Narva",480)  line 1
             ├─ 430 from
             │  │ way(X,Z,Km) <- way(X,Y,A), road(Y,Z,B), Km=mmin(A+B)  line 4
             │  ├─ way("Riga","Tartu",250)
             │  │  └─ the smallest of 2
             │  │     ├─ road("Riga","Tartu",250)  line 1
             │  │     └─ 1160 from
             │  │        │ way(X,Z,Km) <- way(X,Y,A), road(Y,Z,B), Km=mmin(A+B)  line 4
             │  │        ├─ way("Riga","Riga",910)  (came later)
             │  │        └─ road("Riga","Tartu",250)  line 1
             │  └─ road("Tartu","Narva",180)  line 1
             └─ 1390 from
                │ way(X,Z,Km) <- way(X,Y,A), road(Y,Z,B), Km=mmin(A+B)  line 4
                ├─ way("Riga","Riga",910)  (came later)
                └─ road("Riga","Narva",480)  line 1
          "
        `);
    });

    test.each([
        ['S = sum(N, <K>)', 'the sum of 2 of 3 contributions'],
        ['S = count()', 'counting 3'],
        ['S = max(N) + 1', '3 contributions'],
    ])('%s is %s', async (aggregate, title) => {
        const text = `q("a",1,1). q("a",1,2). q("a",2,5).\n@output("p").\np(X, S) <- q(X, K, N), ${aggregate}.\n`;
        expect(await tree(text, 'p("a",_)')).toContain(`\n└─ ${title}\n`);
    });

    test('in words, what came later stands last', async () => {
        expect(explanationText(await explain(ROAD, 'way("Riga","Tartu",250)'))).toBe(
            'since road("Riga","Tartu",250) and later way("Riga","Riga",910), then the values that contribute to way("Riga","Tartu",250), and then way("Riga","Tartu",250).',
        );
    });

    test('do not explain rows of other rules that are united with theirs', async () => {
        const text = `q("a",1). q("a",2). r("a",3). r("a",9). p("a",77).
@output("p").
p(X, S) <- q(X, Y), S = msum(Y).
p(X, S) <- r(X, S).
`;
        const derivations = async (fact: string) => (await explain(text, fact, true)).derivations.map(({ rule }) => rule);
        expect(await derivations('p("a",3)')).toEqual(['p(X,S) <- q(X,Y), S=msum(Y)', 'p(X,S) <- r(X,S)']);
        expect(await derivations('p("a",9)')).toEqual(['p(X,S) <- r(X,S)']);
        expect(await derivations('p("a",77)')).toEqual([]);
    });

    test('a rule with a condition on its result is looked at by itself', async () => {
        const text = `q("a",1). q("a",2). r("a",9).
@output("p").
p(X, S) <- q(X, Y), S = msum(Y), S > 2.
p(X, S) <- r(X, S).
`;
        expect((await explain(text, 'p("a",9)', true)).derivations.map(({ rule }) => rule)).toEqual(['p(X,S) <- r(X,S)']);
        expect((await explain(text, 'p("a",3)', true)).derivations).toHaveLength(1);
    });

    test('name what a negated atom with a result asks not to be there', async () => {
        const text = 'q("a",1). q("a",2). taken("a",4).\n@output("p").\np(X, S) <- q(X, N), S = msum(N), not taken(X, S).\n';
        expect(await tree(text, 'p("a",3)')).toContain('└─ no taken("a",3)');
    });

    test('that a condition leaves out contribute nothing', async () => {
        const text = `q("a","x",1,5). q("a","x",9,5). q("a","y",2,5).
@output("p").
p(X, S) <- q(X, Y, V, Least), S = msum(V), S > Least + as_int(Y == "y") * 10.
`;
        expect(await tree(text, 'p("a",_)')).toMatchInlineSnapshot(`
          "
          p("a",10)
          │ p(X,S) <- q(X,Y,V,Least), S=msum(V), S>Least+as_int(Y=="y")*10  line 3
          └─ the sum of 2
             ├─ q("a","x",1,5)  line 1
             └─ q("a","x",9,5)  line 1
          "
        `);
    });
});

describe('chains', () => {
    /** A recursion along a road, as long as the road is open. */
    const road = (length: number): string =>
        `${Array.from({ length }, (_, i) => `e(${i},${i + 1}).`).join(' ')} closed(0).
@output("r").
r(X) <- e(0, X).
r(Y) <- r(X), e(X, Y), not closed(Y).
`;

    test('are lists', async () => {
        expect(await tree(road(5), 'r(5)')).toMatchInlineSnapshot(`
          "
          r(5)
          │ r(Y) <- r(X), e(X,Y), not closed(Y)  line 4  (4 times: each fact rests on the next)
          ├─ e(4,5)  line 1
          ├─ no closed(5)
          ├─ r(4)  since e(3,4)  line 1 and no closed(4)
          ├─ r(3)  since e(2,3)  line 1 and no closed(3)
          ├─ r(2)  since e(1,2)  line 1 and no closed(2)
          └─ r(1)
             │ r(X) <- e(0,X)  line 3
             └─ e(0,1)  line 1
          "
        `);
    });

    test('of three steps are trees', async () => {
        expect(await tree(road(4), 'r(4)')).not.toContain('times');
    });

    test('end where a fact does not follow from given ones, and where another rule gives it', async () => {
        const ways = `${Array.from({ length: 9 }, (_, i) => `e(${i},${i + 1}). f(${i}).`).join(' ')} g(X) <- f(X).
@output("r").
r(X) <- e(0, X).
r(Y) <- r(X), e(X, Y), f(X), Y > 6.
r(Y) <- r(X), e(X, Y), Y < 7, X != 5.
r(Y) <- r(X), e(X, Y), X == 5, g(X).
`;
        expect(await tree(ways, 'r(9)')).toMatchInlineSnapshot(`
          "
          r(9)
          │ r(Y) <- r(X), e(X,Y), f(X), Y>6  line 4
          ├─ r(8)
          │  │ r(Y) <- r(X), e(X,Y), f(X), Y>6  line 4
          │  ├─ r(7)
          │  │  │ r(Y) <- r(X), e(X,Y), f(X), Y>6  line 4
          │  │  ├─ r(6)
          │  │  │  │ r(Y) <- r(X), e(X,Y), X==5, g(X)  line 6
          │  │  │  ├─ r(5)
          │  │  │  │  │ r(Y) <- r(X), e(X,Y), Y<7, X!=5  line 5  (4 times: each fact rests on the next)
          │  │  │  │  ├─ e(4,5)  line 1
          │  │  │  │  ├─ r(4)  since e(3,4)  line 1
          │  │  │  │  ├─ r(3)  since e(2,3)  line 1
          │  │  │  │  ├─ r(2)  since e(1,2)  line 1
          │  │  │  │  └─ r(1)
          │  │  │  │     │ r(X) <- e(0,X)  line 3
          │  │  │  │     └─ e(0,1)  line 1
          │  │  │  ├─ e(5,6)  line 1
          │  │  │  └─ g(5)
          │  │  │     │ g(X) <- f(X)  line 1
          │  │  │     └─ f(5)  line 1
          │  │  ├─ e(6,7)  line 1
          │  │  └─ f(6)  line 1
          │  ├─ e(7,8)  line 1
          │  └─ f(7)  line 1
          ├─ e(8,9)  line 1
          └─ f(8)  line 1
          "
        `);
    });

    test('are as long as the tree is deep, and read no further', async () => {
        const explanation = await explain(road(50), 'r(50)');
        let read = 0;
        const counted = (node: FactNode): FactNode => ({
            ...node,
            get derivations() {
                read++;
                return node.derivations.map(one => ({
                    ...one,
                    premises: one.premises.map(premise => (premise.kind === 'fact' ? counted(premise) : premise)),
                }));
            },
        });
        const lines = explanationTree(counted(explanation), { place, limit: 100, depth: 10 });
        expect(lines.filter(line => line.includes('since'))).toHaveLength(9);
        expect(lines.slice(-2)).toEqual(['└─ r(40)  …', '… rests on more; explain it by itself']);
        expect(read).toBeLessThan(30);
    });

    test('are no longer than the facts that may be drawn', async () => {
        const lines = explanationTree(await explain(road(50), 'r(50)'), { place, limit: 20 });
        expect(lines.filter(line => line.includes('since'))).toHaveLength(8);
        expect(lines.slice(-2)).toEqual(['… and 1 more below these', '… rests on more; explain it by itself']);
    });
});

describe('explanations', () => {
    test('the first derivation is one of smallest height', async () => {
        expect(await tree(ROADS, 'reach("k","p")')).toBe(`
reach("k","p")
│ reach(X,Y) <- road(X,Y)  line 3
└─ road("k","p")  line 1
`);
    });

    test('every derivation of a fact', async () => {
        expect(await tree(ROADS, 'reach("k","p")', true)).toMatchInlineSnapshot(`
          "
          reach("k","p")
          │ derivation 1 of 2: reach(X,Y) <- road(X,Y)  line 3
          └─ road("k","p")  line 1
          │ derivation 2 of 2: reach(X,Z) <- reach(X,Y), road(Y,Z)  line 4
          ├─ reach("k","m")
          │  │ reach(X,Y) <- road(X,Y)  line 3
          │  └─ road("k","m")  line 1
          └─ road("m","p")  line 1
          "
        `);
    });

    test('in words, a premise that was just concluded is not repeated', async () => {
        const roads = ROADS.replace(' road("k","p").', '');
        expect(explanationText(await explain(roads, 'reach("k","p")'))).toBe(
            'since road("k","m"), then reach("k","m"), and since road("m","p"), then reach("k","p").',
        );
    });

    test('an aggregated fact rests on all its contributions', async () => {
        expect(await tree(CONTROL, 'ctrl("ada","dun")')).toMatchInlineSnapshot(`
          "
          ctrl("ada","dun")
          │ ctrl(X,Y) <- total(X,Y,S), S>0.5  line 5
          └─ total("ada","dun",0.75)
             │ total(X,Y,S) <- held(X,Z,Y,Q), S=msum(Q)  line 4
             └─ 1 contribution
                └─ held("ada","cor","dun",0.75)
                   │ held(X,Z,Y,Q) <- ctrl(X,Z), own(Z,Y,Q)  line 3
                   ├─ ctrl("ada","cor")
                   │  │ ctrl(X,Y) <- total(X,Y,S), S>0.5  line 5
                   │  └─ total("ada","cor",0.625)
                   │     │ total(X,Y,S) <- held(X,Z,Y,Q), S=msum(Q)  line 4
                   │     └─ the sum of 2
                   │        ├─ held("ada","ada","cor",0.25)
                   │        │  │ held(X,X,Y,Q) <- own(X,Y,Q)  line 2
                   │        │  └─ own("ada","cor",0.25)  line 1
                   │        └─ held("ada","bix","cor",0.375)
                   │           │ held(X,Z,Y,Q) <- ctrl(X,Z), own(Z,Y,Q)  line 3
                   │           ├─ ctrl("ada","bix")
                   │           │  │ ctrl(X,Y) <- total(X,Y,S), S>0.5  line 5
                   │           │  └─ total("ada","bix",0.625)
                   │           │     │ total(X,Y,S) <- held(X,Z,Y,Q), S=msum(Q)  line 4
                   │           │     └─ 1 contribution
                   │           │        └─ held("ada","ada","bix",0.625)
                   │           │           │ held(X,X,Y,Q) <- own(X,Y,Q)  line 2
                   │           │           └─ own("ada","bix",0.625)  line 1
                   │           └─ own("bix","cor",0.375)  line 1
                   └─ own("cor","dun",0.75)  line 1
          "
        `);
    });

    test('the JSON form has the keys of the reference in their order', async () => {
        const [json] = explanationTrees(
            await explain(
                'own("u","v",0.3). own("u","v",0.4).\n@output("share").\nshare(X, Y, S) <- own(X, Y, Q), S = msum(Q).',
                'share("u","v",0.7)',
            ),
        );
        const rule = 'share(X,Y,S) <- own(X,Y,Q), S=msum(Q)';
        const own = (share: string) => ({ fact: `own("u","v",${share})`, verbalization: `own("u","v",${share})` });
        expect(json).toEqual({
            fact: 'share("u","v",0.7)',
            verbalization: 'share("u","v",0.7)',
            rule,
            provenances: [
                {
                    fact: 'aggregated_explainability_share("u","v")',
                    verbalization: 'the values that contribute to share("u","v",0.7)',
                    rule,
                    provenances: [own('0.3'), own('0.4')],
                },
            ],
        });
        expect(Object.keys(json ?? {})).toEqual(['fact', 'verbalization', 'rule', 'provenances']);
    });

    test('a fact that supports its own total is not used to explain itself', async () => {
        const cyclic = CONTROL.replace('own("cor","dun",0.75).', 'own("cor","dun",0.75). own("dun","bix",0.2).');
        expect(await tree(cyclic, 'ctrl("ada","bix")')).toMatchInlineSnapshot(`
          "
          ctrl("ada","bix")
          │ ctrl(X,Y) <- total(X,Y,S), S>0.5  line 5
          └─ total("ada","bix",0.825)
             │ total(X,Y,S) <- held(X,Z,Y,Q), S=msum(Q)  line 4
             └─ the sum of 2
                ├─ held("ada","ada","bix",0.625)
                │  │ held(X,X,Y,Q) <- own(X,Y,Q)  line 2
                │  └─ own("ada","bix",0.625)  line 1
                └─ held("ada","dun","bix",0.2)  (came later)
          "
        `);
    });

    test('facts are put into the words of their model', async () => {
        const text = `@model("parent", "['older:string', 'younger:string']", "[older] is a parent of [younger].").
parent("Ada","Ben").
@output("old").
old(X) <- parent(X, _).
`;
        expect(explanationText(await explain(text, 'old("Ada")'))).toBe('since Ada is a parent of Ben, then old("Ada").');
    });

    test('negation, conditions, assignments and constants', async () => {
        const text = `n(1). n(2). n(3). skip(2).
@output("next").
next("to", Y) <- n(X), not skip(X), X > 1, Y = X + 1.
`;
        expect(await tree(text, 'next("to",4)')).toMatchInlineSnapshot(`
          "
          next("to",4)
          │ next("to",Y) <- n(X), not skip(X), X>1, Y=X+1  line 3
          ├─ n(3)  line 1
          └─ no skip(3)
          "
        `);
    });

    test('open columns ask for any fact, and a missing fact names its neighbours', async () => {
        expect((await explain(ROADS, 'reach("m",_)')).fact).toBe('reach("m","p")');
        await expect(explain(ROADS, 'reach("p","k")')).rejects.toThrow('absent');
        await expect(explain(ROADS, 'reach("p")')).rejects.toThrow('wrong-arity');
        await expect(explain(ROADS, 'rich("p")')).rejects.toThrow('unknown-predicate');
    });

    test('a variable repeated inside a negated atom', async () => {
        const text = 'n(1). n(2). e(1, 2, 3). e(2, 4, 4).\n@output("h").\nh(X) <- n(X), not e(X, Y, Y).\n';
        expect((await explain(text, 'h(1)')).derivations).toHaveLength(1);
    });

    test('a source row names the file and line of its own bind', async () => {
        const text = `@bind("e", "csv", "data", "one.csv"). @bind("e", "csv", "data", "two.csv"). @model("e", "['v:int']").
@output("f").
f(X) <- e(X).
`;
        expect(await tree(text, 'f(12)')).toBe(`
f(12)
│ f(X) <- e(X)  line 3
└─ e(12)  data/two.csv:3
`);
    });

    test('a derivation a thousand steps deep', async () => {
        const chain = Array.from({ length: 1000 }, (_, i) => `edge(${i},${i + 1}).`).join(' ');
        const text = `${chain}\n@output("path").\npath(X, Y) <- edge(X, Y).\npath(X, Z) <- path(X, Y), edge(Y, Z).\n`;
        const words = explanationText(await explain(text, 'path(0,1000)'));
        expect(words.split(', and since').length).toBe(1000);
    });
});

test('a value whose reasons have changed is not shown as if it were given', async () => {
    const text = `e(1, 5). e(2, 5). x(1, "a"). l(2, 1). l(1, 3).
v(X, M) <- e(X, W), M = mmax(W).
v(Y, M) <- g(X), l(X, Y), x(Y, W), M = mmax(W).
v(Y, M) <- g(X), l(X, Y), M = mmax(7).
g(X) <- v(X, M), M > 3.
@output("g").
`;
    expect(await tree(text, 'g(3)')).toBe(`
g(3)
│ g(X) <- v(X,M), M>3  line 5
└─ v(3,7)  (no rule gives it with the final values)
`);
    expect(explanationText(await explain(text, 'v(3,_)'))).toBe('v(3,7), which no rule gives with the final values.');
});
