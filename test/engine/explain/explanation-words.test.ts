import { describe, expect, test } from 'vitest';
import { explanationWords } from '#engine/explain/explanation-words.ts';
import { explain } from '../../support/explain.ts';

async function words(text: string, question: string): Promise<string> {
    return explanationWords(await explain(text, question));
}

const ITEMS = `item("P37","screws",12). item("P37","wood",2). item("P38","nails",7). item("P38","wood",1).
price("screws",0.9). price("wood",14.065). price("nails",0.1).
`;

/** A predicate `p` with a rule over the items. */
async function itemWords(rule: string, question: string, more = ''): Promise<string> {
    return words(`${ITEMS}${rule}\n${more}\n@output("p").`, question);
}

describe('of plain rules', () => {
    const ROADS = `road("k","m"). road("m","p").
@output("reach").
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
`;

    test('are those of the reference', async () => {
        expect(await words(ROADS, 'reach("k","p")')).toBe(
            'reach("k","p") holds because reach("k","m") (1) and road("m","p").\n(1) holds because road("k","m").',
        );
    });

    test('say what is not there', async () => {
        expect(await words('a(1). b(2). c(X) <- a(X), not b(X). @output("c").', 'c(1)')).toBe(
            'c(1) holds because a(1) and there is no b(1).',
        );
    });

    test('a fact that is given', async () => {
        expect(await words(ROADS, 'road("k","m")')).toBe('road("k","m") is given.');
    });

    test('a fact of a rule that needs none', async () => {
        expect(await words('a(X) <- X = 1 + 1. @output("a").', 'a(2)')).toBe('a(2) holds, since its rule needs no facts.');
    });

    test('nothing is said not to be there that is there since a value was replaced', async () => {
        const text = `e(2,2). h(X, E) <- g(X). g(E) <- h(_, E). h(X, Y) <- e(X, Y).
            w(X) <- h(X, Y), not e(X, Y). Y = Z <- h(X, Y), h(X, Z), w(X). @output("w").`;
        expect(await words(text, 'w(2)')).toBe('w(2) holds because h(2,2) (1) and a value was replaced since.\n(1) holds because e(2,2).');
    });

    test('tell the last steps where there are too many, and where the others are', async () => {
        const edges = Array.from({ length: 30 }, (_, i) => `e(${i},${i + 1}).`).join(' ');
        const text = await words(`${edges}\nr(X) <- e(0,X).\nr(Y) <- r(X), e(X, Y).\n@output("r").`, 'r(30)');
        expect(text).toMatch(
            /^r\(30\) holds because r\(29\) \(1\) and e\(29,30\)\.\n\(1\) follows in the same way, in 11 steps: from r\(28\) and e\(28,29\); that from/u,
        );
        expect(text).toMatch(/that from r\(18\) \(…\) and e\(18,19\)\.\nThese are the last 12 steps of a longer explanation; /u);
        expect(text).toMatch(/ Open the premises to see what they rest on\.$/u);
    });
});

describe('name facts', () => {
    test('once, and by their numbers after that', async () => {
        const text = 'a(1). b(X) <- a(X). c(X) <- a(X), b(X). d(X) <- b(X), c(X), a(X). @output("d").';
        expect(await words(text, 'd(1)')).toBe(
            'd(1) holds because b(1) (1), c(1) (2) and a(1) (3).\n(1) holds because (3).\n(2) holds because (3) and (1).',
        );
    });

    test('by the columns of their models', async () => {
        const text = `rev("a1","north",50). rev("a1","south",70). staff("a1",9).
total(C, S) <- rev(C, _, V), staff(C, N), S = sum(V).
@model("total", "['company:string', 'total:int']"). @model("staff", "['company:string', 'staff:int']").
@model("rev", "['company:string', 'region:string', 'revenue:int']"). @output("total").`;
        expect(await words(text, 'total("a1",_)')).toBe(
            'company a1 has total 120: 120 = 50 + 70, because rev (company a1, region north, revenue 50) and company a1 has staff 9 (1); rev (company a1, region south, revenue 70) and (1).',
        );
    });

    test('with a number where several are told alike', async () => {
        const text = `p(1,"a"). p(2,"a"). q(N) <- p(X, N), p(Y, N), X < Y.
@model("p", "['number:int', 'name:string']", "[name] is there"). @output("q").`;
        expect(await words(text, 'q("a")')).toBe('q("a") holds because a is there (2 times).');
    });
});

describe('of aggregates', () => {
    test.each([
        [
            'p(P, C) <- item(P, M, N), price(M, X), C = sum(N * X).',
            'p("P37") is 38.93 = 12 × 0.9 (screws) + 2 × 14.065 (wood), because item("P37","screws",12) and price("screws",0.9); item("P37","wood",2) and price("wood",14.065).',
        ],
        [
            'p(P, C) <- item(P, M, N), price(M, X), Y = N * X, C = sum(Y).',
            'p("P37") is 38.93 = 12 × 0.9 (screws) + 2 × 14.065 (wood), because item("P37","screws",12) and price("screws",0.9); item("P37","wood",2) and price("wood",14.065).',
        ],
        [
            'p(P, C) <- item(P, M, N), C = sum(-(N + 1) * 2).',
            'p("P37") is -32 = -(12 + 1) × 2 (screws) - (2 + 1) × 2 (wood), because item("P37","screws",12) and item("P37","wood",2).',
        ],
        ['p(P, N) <- item(P, M, _), N = count().', 'p("P37") is 2, counting item("P37","screws",12) and item("P37","wood",2).'],
        ['p(P, N) <- item(P, _, _), N = count().', 'p("P37") is 2, counting item("P37","screws",12) and item("P37","wood",2).'],
        ['p(P, N) <- item(P, _, K), N = count(1, <K>).', 'p("P37") is 2, counting item("P37","screws",12) and item("P37","wood",2).'],
        [
            'p(P, N) <- item(P, M, K), N = max(K).',
            'p("P37") is 12, the largest of 12 (screws) and 2 (wood), because item("P37","screws",12).',
        ],
        [
            'p(P, N) <- item(P, M, K), N = mmin(K + 1).',
            'p("P37") is 3, the smallest of 2 + 1 (wood) and 12 + 1 (screws), because item("P37","wood",2).',
        ],
        ['p(P, N) <- item(P, M, _), N = max(M).', 'p("P37") is "wood", the largest of "wood" and "screws", because item("P37","wood",2).'],
        [
            'p(P, N) <- item(P, M, K), N = prod(K).',
            'p("P37") is 24, the product of 12 (screws) and 2 (wood), because item("P37","screws",12) and item("P37","wood",2).',
        ],
        [
            'p(P, N) <- item(P, M, K), N = avg(K).',
            'p("P37") is 7.0, the average of 12 (screws) and 2 (wood), because item("P37","screws",12) and item("P37","wood",2).',
        ],
        [
            'p(P, N) <- item(P, M, K), N = mmedian(K).',
            'p("P37") is 7.0, the median of 12 (screws) and 2 (wood), because item("P37","screws",12) and item("P37","wood",2).',
        ],
        [
            'p(P, N) <- item(P, M, _), N = munion(M).',
            'p("P37") is {"screws","wood"}, the union of "screws" and "wood", because item("P37","screws",12) and item("P37","wood",2).',
        ],
        [
            'p(P, S) <- item(P, M, K), S = sum(K) * 2.',
            'p("P37") is 28 = sum(K) * 2, where sum(K) is 14 = 12 (screws) + 2 (wood), because item("P37","screws",12) and item("P37","wood",2).',
        ],
        [
            'p(P, A) <- item(P, M, K), S = sum(K), N = count(), A = S / N.',
            'p("P37") is 7.0 = S / N, where S is 14 = 12 (screws) + 2 (wood), and N is 2, because item("P37","screws",12) and item("P37","wood",2).',
        ],
    ])('%s', async (rule, expected) => {
        expect(await itemWords(rule, 'p("P37",_)')).toBe(expected);
    });

    test('with several results', async () => {
        expect(await itemWords('p(P, S, N, A) <- item(P, M, K), S = sum(K), N = count(), A = S / N.', 'p("P37",_,_,_)')).toBe(
            'p("P37",14,2,7.0): S is 14 = 12 (screws) + 2 (wood), and N is 2, and A is 7.0 = S / N, because item("P37","screws",12) and item("P37","wood",2).',
        );
    });

    test('without a key', async () => {
        expect(await itemWords('p(S) <- item(_, M, K), M != "wood", S = sum(K).', 'p(_)')).toBe(
            'p is 19 = 12 (screws) + 7 (nails), because item("P37","screws",12) and item("P38","nails",7).',
        );
    });

    test('of one contribution are those of a plain rule', async () => {
        expect(await itemWords('p(P, S) <- item(P, M, K), M == "wood", S = sum(K).', 'p("P37",_)')).toBe(
            'p("P37",2) holds because item("P37","wood",2).',
        );
    });

    test('name the first of many', async () => {
        const many = Array.from({ length: 22 }, (_, i) => `item("P40","m${i + 10}",${i + 1}).`).join(' ');
        expect(await itemWords('p(P, S) <- item(P, M, K), S = sum(K).', 'p("P40",_)', many)).toBe(
            'p("P40") is 253 = 1 (m10) + 2 (m11) + 3 (m12) + 4 (m13) + 5 (m14) + 17 more, because item("P40","m10",1), item("P40","m11",2), item("P40","m12",3), item("P40","m13",4), item("P40","m14",5) and 17 more.',
        );
    });

    test('tell the facts that the contributions rest on', async () => {
        expect(
            await itemWords('dear(M, X) <- price(M, X), X > 0.5.\np(P, S) <- item(P, M, N), dear(M, X), S = sum(N * X).', 'p("P37",_)'),
        ).toBe(
            'p("P37") is 38.93 = 12 × 0.9 (screws) + 2 × 14.065 (wood), because item("P37","screws",12) and dear("screws",0.9) (1); item("P37","wood",2) and dear("wood",14.065) (2).\n' +
                '(1) holds because price("screws",0.9).\n(2) holds because price("wood",14.065).',
        );
    });

    test('are those of the model where it names the result', async () => {
        const rule = 'p(P, S) <- item(P, M, N), S = sum(N).\n@model("p", "[\'part:string\', \'pieces:int\']", ';
        expect(await itemWords(`${rule}"[part] takes [pieces] pieces").`, 'p("P37",_)')).toBe(
            'P37 takes 14 pieces: 14 = 12 (screws) + 2 (wood), because item("P37","screws",12) and item("P37","wood",2).',
        );
        expect(await itemWords(`${rule}"[part] is made of pieces").`, 'p("P37",_)')).toBe(
            'p("P37") is 14 = 12 (screws) + 2 (wood), because item("P37","screws",12) and item("P37","wood",2).',
        );
    });

    test('of rules that share their groups with given facts', async () => {
        const rules = 'p(P, S) <- item(P, M, N), S = sum(N).\np(P, S) <- item(P, "wood", N), S = sum(N * 10).\np("P37", 5).';
        expect(await itemWords(rules, 'p("P37",_)')).toBe(
            'p("P37") is 39 = 12 (screws) + 2 (wood) + 2 × 10 + 5, because item("P37","screws",12), item("P37","wood",2) (1), (1) and p("P37",5).',
        );
    });

    test('say later of what came later', async () => {
        const roads = `road("Riga","Tartu",250). road("Tartu","Narva",180). road("Riga","Narva",480). road("Narva","Riga",480).
@output("way").
way(X, Y, Km) <- road(X, Y, D), Km = mmin(D).
way(X, Z, Km) <- way(X, Y, A), road(Y, Z, B), Km = mmin(A + B).
`;
        expect(await words(roads, 'way("Riga","Narva",_)')).toBe(
            'way("Riga","Narva") is 430, the smallest of 250 + 180 (Tartu), 480 and later 910 + 480 (Riga), because way("Riga","Tartu",250) (1) and road("Tartu","Narva",180).\n' +
                '(1) is 250, the smallest of 250 and later 910 + 250 (Riga), because road("Riga","Tartu",250).',
        );
    });

    test('do not say of finer groups what they would give together', async () => {
        const rule = 'p(P, S) <- item(P, M, N), price(M, X), S = sum(N), S > X.';
        expect(await itemWords(rule, 'p("P38",_)')).not.toContain('sum of');
    });
});
