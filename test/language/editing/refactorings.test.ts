import { describe, expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { madeUpPlace } from '#language/editing/refactorings/made-up-place.ts';
import { refactorings, refusedRefactorings } from '#language/editing/refactorings.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { FILE } from '../../support/conformance.ts';
import { readExpectation } from '../../support/expected-facts.ts';
import { expectSame, type Offer, observeTexts, offers, placesIn } from '../../support/refactored.ts';
import { randomNumbers } from '../document/random-edits.ts';

/** Programs in which what is offered has to be right, and words of titles that have to be among the offers, or must not. */
const PROGRAMS: readonly { readonly about: string; readonly text: string; readonly offered?: RegExp[]; readonly refused?: RegExp[] }[] = [
    {
        about: 'inlining several rules with constants, repeated variables and expressions in their heads',
        text: `
            q(1, 2). q(2, 2). q(3, 1). q(1, 1.0). r(2). r(1).
            p(X, Y) <- q(X, Y), X < Y.
            p(X, X) <- r(X), not q(X, X).
            p(7, Y) <- r(Y).
            p(X + 1, Y) <- q(X, Y), Z = X + Y, Z > 2.
            a(X, Y) <- p(X, Y).
            b(X, Z, Y) <- r(Y), p(X, Y), q(Z, Y), Z != X.
            c(Z) <- p(7, Z), p(_, Z).
            d() <- p(2, 2).
            e(X, Y) <- p(X), Y = X * 2.
            @output("a"). @output("b"). @output("c"). @output("d"). @output("e").`,
        offered: [/Inline 'p' here/, /Extract to a predicate/],
    },
    {
        about: 'inlining everywhere',
        text: `
            e("a", "b"). e("b", "c"). e("c", "c").
            step(X, Y) <- e(X, Z), e(Z, Y).
            far(X, Z) <- step(X, Y), e(Y, Z), not e(X, Z).
            loop(Z) <- step(Z, Z).
            @output("far"). @output("loop").`,
        offered: [/Inline 'step' everywhere and remove its rules/],
    },
    {
        about: 'what inlining would change: recursion, negation, aggregates, nulls, chance',
        text: `
            e(1, 2). e(2, 3). w(1, 5). w(1, 6).
            rec(X, Y) <- e(X, Y).
            rec(X, Z) <- rec(X, Y), e(Y, Z).
            no(X) <- e(X, _), e(_, X).
            new(X, N) <- e(X, _).
            some(X) <- w(X, Y).
            a(X) <- e(X, _), not no(X).
            b(X, S) <- e(X, _), some(X), S = mcount().
            c(X, N) <- new(X, N).
            d(X, N) <- some(X), N = null.
            f(X, Y) <- rec(X, Y).
            @output("a"). @output("b"). @output("c"). @output("d"). @output("f").`,
        refused: [/Inline '(rec|no|new|some)'/],
    },
    {
        about: 'columns that are needed and columns that are not',
        text: `
            s("a", 1, 10). s("b", 2, 20). s("a", 1, 30).
            t(X, N, M) <- s(X, N, M), M > 10.
            u(X) <- t(X, _, _), not t("z", _, Any).
            v(X, C) <- s(X, _, _), C = mcount().
            k(X, Y) <- t(X, N, _), Y = N + 1.
            g(X, N, E) <- s(X, N, _).
            h(E) <- g(_, _, E).
            @output("u"). @output("v"). @output("k"). @output("h"). @output("t"). @post("t", "orderby(-3, 1)").`,
        offered: [/Remove argument 1 of 'k'/, /Move argument 2 of 's' to the left/, /Move argument 1 of 't' to the right/],
        refused: [/Remove argument \d of 's'/, /Remove argument 2 of 't'/, /Remove argument 3 of 't'/, /Remove argument [12] of 'g'/],
    },
    {
        about: 'predicates whose columns somebody outside sees',
        text: `
            @bind("o", "csv", "", "o.csv"). @output("o").
            o(X, Y) <- i(X, Y).
            @input("i"). i2(X, Y) <- i(X, Y).
            few(X, Y) <- i2(X, Y). @output("few"). @post("few", "prelimit(1)"). @post("few", "orderby(1)").
            c(X, Y) <- #TC(i2). @output("c").`,
        refused: [/argument \d of '(o|i|few|c|i2)'/],
    },
    {
        about: 'arguments that are added',
        text: `
            e("a", "b", 1). e("b", "c", 2). p("z", "z").
            p(X, Z) <- e(X, Y, W), e(Y, Z, _).
            q(X) <- p(X, _), not p(_, X).
            n(X, N) <- e(X, _, _), N = mcount().
            @output("p"). @output("q"). @output("n").`,
        offered: [/Add 'W' to the arguments of 'p'/, /Add 'Y' to the arguments of 'p'/],
        refused: [/to the arguments of 'n'/],
    },
    {
        about: 'groups that are counted, and no longer',
        text: `
            e("a", "b", 1). e("a", "c", 2). e("b", "c", 2).
            @model("city", "['name:string']").
            city(X) <- e(X, Y, _).
            all(X) <- e(X, Y, W), W > 0 || Y == "b".
            from(X, N) <- e(X, _, _), N = mcount().
            two(X, N) <- e(X, Y, _), N = count(1, <Y>).
            read(X, N) <- e(X, _, _), N = count().
            many(X) <- read(X, N), N > 1.
            largest(X, M) <- e(X, _, W), M = max(W).
            some(X) <- e(X, _, _), L = count(), L > 1.
            each(X, Y, W) <- e(X, Y, W).
            part(X) <- e(X, Y, _). part("z").
            back(X) <- e(X, Y, _). back(X) <- e(X, Y, _), back(Y).
            there(X) <- city(X), not from(X, _), not two(X, 7).
            here(X) <- city(X), two(X, _).
            @output("city"). @output("all"). @output("from"). @output("many"). @output("largest"). @output("there"). @output("here").`,
        offered: [
            /Count the matches for each row of 'city'/,
            /Count the matches for each row of 'all'/,
            /Remove argument 2 of 'from', the number of matches/,
        ],
        refused: [/for each row of '(?:from|each|part|back|largest)'/, /Remove argument \d of '(?:two|read|largest|some)'/],
    },
    {
        about: 'arguments that get names',
        text: `
            e("a", 1, 2.5). e("b", 2, 3.0).
            d(2031-02-03, #T).
            p(X, Total) <- e(X, N, _), Total = N + 1.
            mixed(1). mixed("a").
            @model("known", "['x:string']").
            known(X) <- e(X, _, _).
            asked(X, Y) <- #TC(pair).
            pair(X, Y) <- e(X, Y, _).
            @output("p"). @output("d"). @output("mixed"). @output("known").`,
        offered: [/Name the arguments of 'e'/, /Name the arguments of 'p'/, /Name the arguments of 'd'/],
        refused: [/Name the arguments of '(?:mixed|known|pair)'/],
    },
    {
        about: 'groups whose rows are made equal later',
        text: `
            x(1). x(2). kn(1, "K").
            who(X, P) <- x(X).
            P = K <- who(X, P), kn(X, K).
            known(X) <- who(X, P), is_not_null(P).
            @output("known").`,
        refused: [/Count the matches/],
    },
    {
        about: 'annotations that follow arguments which are added or go',
        text: `
            e("a", "b", 1). e("a", "c", 2). e("b", "c", 2).
            @model("p", "['from:string', 'to:string']").
            p(X, Y) <- e(X, Y, W).
            best(X, Y, W) <- e(X, Y, W).
            @output("p"). @output("best"). @post("best", "argmax(3, <1>)").`,
        offered: [/Add 'W' to the arguments of 'p'/, /Remove argument 2 of 'best'/],
        refused: [/Remove argument [13] of 'best'/],
    },
    {
        about: 'heads with nulls',
        text: `
            c("x", 1). c("x", 2). c("y", 1).
            o(P, X), m(X, N) <- c(X, N).
            a(P, X, N), b(X) <- c(X, N).
            f(P, X), g(P) <- c(X, _).
            @output("o"). @output("m"). @output("a"). @output("b"). @output("f"). @output("g").`,
        offered: [/Write 'P' as a Skolem term/, /Split into 2 rules, one for each head/],
    },
    {
        about: 'alternatives, and what they guard',
        text: `
            v(1, 0). v(4, 2). v(9, 3).
            a(X) <- v(X, Y), Y == 0 || X > 5.
            b(X) <- v(X, _), X in {1, 9}.
            c(X) <- v(X, Y), Y != 0, X / Y > 2.
            d(X) <- v(X, Y), Y == 0 || X / Y > 2.
            @output("a"). @output("b"). @output("c"). @output("d").`,
        offered: [/one for each alternative/],
    },
    {
        about: 'parameters and aggregates',
        text: `
            @param("least", -3). @param("word", "a").
            n("a", -5). n("a", 2). n("b", 9).
            above(X, N) <- n(X, N), N > ?least, X >= ?word, N - ?least < 100.
            total(X, S) <- n(X, N), S = msum(N).
            most(S) <- total(_, T), S = max(T).
            @output("above"). @output("total"). @output("most").`,
        offered: [/Inline parameter 'least'/, /Extract to a parameter/, /Replace 'msum' with 'sum'/, /Replace 'max' with 'mmax'/],
    },
];

/** So many offers of a title are tried, whatever names are in it. */
const EACH = 5;

async function tryAll(texts: Offer['texts']): Promise<readonly Offer[]> {
    const program = { folder: import.meta.dirname, expectation: readExpectation('') };
    const before = await observeTexts(program, texts);
    const found = offers(texts, placesIn(texts[0]?.[1] ?? ''));
    const tried = new Map<string, number>();
    /** An argument that moves to the right is often another one that moves to the left. */
    const made = new Set<string>();
    for (const offer of found) {
        const changed = JSON.stringify(offer.texts);
        if (made.has(changed)) continue;
        made.add(changed);
        const kind = offer.title.replaceAll(/'[^']*'|\d+/gu, '');
        tried.set(kind, (tried.get(kind) ?? 0) + 1);
        if ((tried.get(kind) ?? 0) <= EACH) await expectSame(program, before, offer);
    }
    return found;
}

describe('the facts stay the same', () => {
    test.each(PROGRAMS.map(program => [program.about, program] as const))('%s', async (_, { text, offered = [], refused = [] }) => {
        const runs = !text.includes('@input');
        const texts = [[FILE, text.replace(/^\n| {12}/gm, '')] as const];
        const titles = (runs ? await tryAll(texts) : offers(texts, placesIn(text))).map(({ title }) => title);
        for (const wanted of offered)
            expect(
                titles.some(title => wanted.test(title)),
                `${wanted} in ${titles.join(', ')}`,
            ).toBe(true);
        for (const wrong of refused) expect(titles.filter(title => wrong.test(title))).toEqual([]);
    });

    test('in a program with modules, whichever file the places are in', async () => {
        const main = '@include("lib").\nfar(X, Z) <- near(X, Y, _), near(Y, Z, _).\n@output("far"). @output("seen").\n';
        const lib = '@module("lib").\nnear("a", "b", 1). near("b", "c", 2).\nseen(X) <- near(X, _, _), not near(_, X).\n';
        const found = await tryAll([
            [FILE, main],
            ['lib.rulelang', lib],
        ]);
        const changed = found.find(({ title }) => title === "Move argument 1 of 'near' to the right");
        expect(changed?.texts[1]?.[1]).toContain('near("b", "a", 1).');
        expect(changed?.texts[1]?.[1]).toContain('near(_, X, _), not near(X, _).');
        const own = openDocument(lib, 'lib.rulelang');
        const other = openDocument(main, FILE, {}, workspaceOf(own, openDocument(main, FILE)).find);
        const place = { start: lib.indexOf('1)'), end: lib.indexOf('1)') };
        const removal = refactorings(workspaceOf(own, other), own, place).find(({ title }) => title === "Remove argument 3 of 'near'");
        expect([...(removal?.edits().keys() ?? [])].sort()).toEqual([FILE, 'lib.rulelang']);
    });
});

test('the documentation of terms goes with them', () => {
    const text = '%% Who.\n%% @term {string} A first\r\n%%@term B second\n  %% @term C third\np(1, 2, 3). q(X) <- p(X, _, _).\n';
    const texts = [[FILE, text] as const];
    const at = text.indexOf('2, 3');
    const [left, right, removed] = offers(texts, [{ start: at, end: at }]).filter(({ title }) => title.includes('argument'));
    expect(left?.texts[0]?.[1]).toBe(
        '%% Who.\n%%@term B second\r\n%% @term {string} A first\n  %% @term C third\np(2, 1, 3). q(X) <- p(_, X, _).\n',
    );
    expect(right?.texts[0]?.[1]).toContain('%% @term {string} A first\r\n  %% @term C third\n%%@term B second\np(1, 3, 2).');
    expect(removed?.texts[0]?.[1]).toBe('%% Who.\n%% @term {string} A first\r\n  %% @term C third\np(1, 3). q(X) <- p(X, _).\n');
});

test('the place of a name that was made up', () => {
    const text = 'q(1). q(2).\r\nh(X) <- q(X), X > 1.\r\n';
    const document = openDocument(text, FILE);
    const range = { start: text.indexOf('q(X)'), end: text.lastIndexOf('.') };
    const [extraction] = refactorings(workspaceOf(document), document, range);
    expect(madeUpPlace(text, extraction?.edits().get(FILE) ?? [], extraction?.madeUp ?? '')).toEqual({ line: 1, character: 8 });
});

test('the edits of thousands of facts are made when they are asked for', () => {
    const facts = Array.from({ length: 4000 }, (_, i) => `p(${i}, "a").`).join('\n');
    const document = openDocument(`${facts}\nh(X) <- p(X, _).\n@output("h").`, FILE);
    const offered = refactorings(workspaceOf(document), document, { start: 5, end: 5 });
    const edits = offered.find(({ title }) => title === "Remove argument 2 of 'p'")?.edits();
    expect(edits?.get(FILE)).toHaveLength(4001);
});

test('a predicate moves to a module with its comments and annotations, and the rest includes it', () => {
    const text = `% All of it.
%% Who knows whom.
knows("a", "b"). % first
@output("far").
@label("knows", "X knows Y").
knows(X, Y) <- met(X, Y), X != Y.

met("c", "d").
@output("knows").
far(X) <- knows(X, Y), knows(Y, _).
`;
    const at = text.indexOf('knows("a"');
    const [moved] = offers([[FILE, text]], [{ start: at, end: at }]).filter(({ title }) => title === "Move 'knows' to a module");
    expect(moved?.texts).toEqual([
        [FILE, '@include("knows").\n@output("far").\n\nmet("c", "d").\n@output("knows").\nfar(X) <- knows(X, Y), knows(Y, _).\n'],
        [
            'knows.rulelang',
            '@module("knows").\n% All of it.\n%% Who knows whom.\nknows("a", "b"). % first\n@label("knows", "X knows Y").\nknows(X, Y) <- met(X, Y), X != Y.\n',
        ],
    ]);
    const titles = (main: string, ...others: [string, string][]): string[] => {
        const place = main.indexOf('knows');
        return offers([[FILE, main], ...others], [{ start: place, end: place }]).map(({ title }) => title);
    };
    expect(titles('knows(1). other(2).')).toContain("Move 'knows' to a module");
    expect(titles('knows(1).')).not.toContain("Move 'knows' to a module");
    expect(titles('knows(1). knows(X), other(X) <- met(X). met(1).')).not.toContain("Move 'knows' to a module");
    const [taken] = offers(
        [
            [FILE, '@include("lib"). knows(1). other(2).'],
            ['knows.rulelang', 'p(1).'],
            ['lib.rulelang', 'q(1).'],
        ],
        [{ start: 17, end: 17 }],
    ).filter(({ title }) => title.startsWith('Move'));
    expect(taken?.texts.map(([file, changed]) => [file, changed])).toEqual([
        [FILE, '@include("lib").\n@include("knows_2"). other(2).'],
        ['knows.rulelang', 'p(1).'],
        ['lib.rulelang', 'q(1).'],
        ['knows_2.rulelang', '@module("knows_2").\nknows(1).\n'],
    ]);
});

describe("two rules of opposite conditions become one with 'if'", () => {
    const MERGED = /^Merge with the rule of the opposite condition/u;

    /** Values of an expression that are known and those that are not, in rules that nearly fit each other. */
    function randomProgram(seed: number): string {
        const below = randomNumbers(seed);
        const one = (choices: readonly string[]): string => choices[below(choices.length)] ?? '';
        const [operator, opposite] = one(['== !=', '!= ==', '< >=', '>= <', '> <=', '<= >', '> <']).split(' ');
        const limit = one(['2', '3', '2.5']);
        const condition = `Y ${operator} ${limit}`;
        const other = one([`Y ${opposite} ${limit}`, `Y ${opposite} ${limit}`, `!(${condition})`, `Y ${opposite} 4`]);
        const body = one(['v(X, Y)', 'v(X, Y), w(X)', 'v(X, Y), not w(X)', 'w(X), v(X, Y), X != "c"']);
        const [yes, no] = one(['"high" "low"', 'X "low"', 'Y 0', '1 2.5', 'X X', '10/Y 1']).split(' ');
        const [first, second] = [`p(X, ${yes}) <- ${body}, ${condition}.`, `p(X, ${no}) <- ${other}, ${body}.`];
        const rules = below(2) === 0 ? [first, second] : [second, first];
        return `v("a", 1). v("b", 2). v("c", 3). v("a", 4). v("b", Y) <- w("b").\nw("b"). w("c"). w("d").\nv("d", Y) <- w("d"), Y = as_int("none").\n${rules.join('\n')}\n@output("p").\n`;
    }

    test.each(Array.from({ length: 24 }, (_, seed) => seed))('random program %i', async seed => {
        const text = randomProgram(seed);
        const program = { folder: '', expectation: readExpectation('') };
        const texts = [[FILE, text] as const];
        const before = await observeTexts(program, texts);
        const at = text.indexOf('p(X');
        for (const offer of offers(texts, [{ start: at, end: at }]).filter(({ title }) => MERGED.test(title)))
            await expectSame(program, before, offer);
    });

    test.each([
        ['p(X, "high") <- v(X, Y), Y > 3.\np(X, "low") <- v(X, Y), Y <= 3.', 'p(X, if(Y > 3, "high", "low")) <- v(X, Y), is_not_null(Y).'],
        ['p(X, "low") <- v(X, Y), !(Y > 3).\np(X, "high") <- Y > 3, v(X, Y).', 'p(X, if(Y > 3, "high", "low")) <- v(X, Y).'],
        ['p(X, 1) <- v(X, Y), Y == 3.\np(X, 2) <- v(X, Y), Y != 3.', 'p(X, if(Y == 3, 1, 2)) <- v(X, Y), is_not_null(Y).'],
        ['p(X, 1) <- v(X, Y), Y > 3.\np(X, "a") <- v(X, Y), Y <= 3.', undefined],
        ['p(X, 1) <- v(X, Y), Y > 3.\np(X, 2) <- v(X, Y), Y < 3.', undefined],
        ['p(X, 1) <- v(X, Y), X > 3.\np(X, 2) <- v(X, Y), X <= 3.', undefined],
        ['p(X, 1) <- v(X, Y), Y > 3.\np(X, 2) <- v(Z, Y), Y <= 3, X = Z.', undefined],
    ])('%s', (rules, merged) => {
        const text = `v("a", 1). v("b", 7).\n${rules}\n`;
        const at = text.indexOf('p(X');
        const found = offers([[FILE, text]], [{ start: at, end: at }]).find(({ title }) => MERGED.test(title));
        expect(found?.texts[0]?.[1]).toBe(merged && `v("a", 1). v("b", 7).\n${merged}\n`);
    });
});

describe('an argument that cannot move is refused with the reason', () => {
    const refusalAt = (text: string, place: string): string | undefined => {
        const document = openDocument(text, FILE);
        const at = text.indexOf(place);
        return refusedRefactorings(workspaceOf(document), document, { start: at, end: at })[0]?.reason;
    };
    test.each([
        [
            '@bind("p", "csv", "", "p.csv").\nh(X) <- p(X, Y), Y != "a".\np("a", "b").',
            "'@bind' says what the columns of 'p' are by their place",
        ],
        ['@input("p").\nh(X) <- p(X, Y), Y != "a".\np("a", "b").', "'@input' says what the columns of 'p' are by their place"],
        ['p("a", "b").\np("a").\nh(X) <- p(X, Y), Y != "a".', "'p' has another number of columns elsewhere"],
        ['p("a", "b").\nh(X, Y) <- #TC(p).\nk(X) <- p(X, Y), Y != "a".', 'a graph function'],
    ])('%s', (text, reason) => expect(refusalAt(text, 'X, Y), Y')).toContain(reason));

    test('and is not refused where it can', () => {
        expect(refusalAt('p("a", "b").\nh(X) <- p(X, Y), Y != "a".\n@output("h").', 'X, Y), Y')).toBeUndefined();
    });
});
