/** A program as a beginner writes it, how messages and fixes mend it, and what it gives then. */
export interface BrokenProgram {
    readonly name: string;
    readonly text: string;
    /**
     * One step after the other: a code stands for the preferred fix of its first problem, a code with a title for another of
     * its fixes, and an edit for what the message with that code says in words.
     */
    readonly steps: readonly Step[];
    /** Rows of each output, as terms. */
    readonly facts: Readonly<Record<string, readonly string[]>>;
}

export type Step =
    | string
    | { readonly code: string; readonly title: RegExp }
    | { readonly code: string; readonly says: RegExp; readonly edit: readonly [from: string, to: string] };

export const BROKEN_PROGRAMS: readonly BrokenProgram[] = [
    {
        name: 'no dot at the end of a fact',
        text: 'parent("ann", "bob").\nparent("bob", "cid")\n@output("grand").\ngrand(X, Z) <- parent(X, Y), parent(Y, Z).\n',
        steps: ['RL0001'],
        facts: { grand: ['"ann", "cid"'] },
    },
    {
        name: 'Prolog: \\+ for negation',
        text: 'p(1). p(2). q(2).\n@output("h").\nh(X) :- p(X), \\+ q(X).\n',
        steps: ['RL0048'],
        facts: { h: ['1'] },
    },
    {
        name: 'Prolog: ; for alternatives',
        text: 'p(1). q(2).\n@output("h").\nh(X) :- p(X); q(X).\n',
        steps: [{ code: 'RL0032', title: /\(or\)/u }],
        facts: { h: ['1', '2'] },
    },
    {
        name: 'Prolog: =:= and =\\=',
        text: 'p(1, 2). p(2, 2).\n@output("h"). @output("k").\nh(X) <- p(X, Y), X =:= Y - 1.\nk(X) <- p(X, Y), X =\\= Y.\n',
        steps: ['RL0048', 'RL0048'],
        facts: { h: ['1'], k: ['1'] },
    },
    {
        name: 'Prolog: is for arithmetic',
        text: 'p(1).\n@output("h").\nh(Y) :- p(X), Y is X + 1.\n',
        steps: ['RL0048'],
        facts: { h: ['2'] },
    },
    {
        name: 'Prolog: =< and mod',
        text: 'p(1). p(4). p(9).\n@output("h").\nh(X) :- p(X), X =< 4, X mod 2 == 0.\n',
        steps: ['RL0048', 'RL0048'],
        facts: { h: ['4'] },
    },
    {
        name: 'Prolog: names as constants',
        text: 'parent(ann, bob).\n@output("child").\nchild(Y) :- parent(ann, Y).\n',
        steps: ['RL0046', 'RL0046', { code: 'RL0046', title: /^Write "ann"/u }],
        facts: { child: ['"bob"'] },
    },
    {
        name: 'lower-case variables',
        text: 'parent("ann", "bob").\n@output("child").\nchild(x, y) <- parent(y, x).\n',
        steps: ['RL0046', 'RL0046'],
        facts: { child: ['"bob", "ann"'] },
    },
    {
        name: 'SQL: AND between conditions',
        text: 'p("a", 1). p("b", 7).\n@output("h").\nh(X) <- p(X, N) AND N > 0 AND N < 5.\n',
        steps: ['RL0048', 'RL0048'],
        facts: { h: ['"a"'] },
    },
    {
        name: 'SQL: single quotes and <>',
        text: "p('a', 1). p('b', 2).\n@output(\"h\").\nh(N) <- p(X, N), X <> 'a'.\n",
        steps: ['RL0021', 'RL0021', 'RL0021'],
        facts: { h: ['2'] },
    },
    {
        name: 'SQL: IS NOT NULL and IN',
        text: 'p("a", 1). p("b", null). p("c", 3).\n@output("h"). @output("k").\nh(X) <- p(X, N), N IS NOT NULL.\nk(X) <- p(X, N), N IN (1, 2).\n',
        steps: ['RL0048', 'RL0048'],
        facts: { h: ['"a"', '"c"'], k: ['"a"'] },
    },
    {
        name: 'SQL: comparison with NULL',
        text: 'p("a", 1). p("b", null).\n@output("h").\nh(X) <- p(X, N), N != NULL.\n',
        steps: ['RL4030'],
        facts: { h: ['"a"'] },
    },
    {
        name: 'SQL: BETWEEN and LIKE',
        text: 'p("apple", 1). p("pear", 2). p("apricot", 9).\n@output("h"). @output("k").\nh(X) <- p(X, N), N BETWEEN 1 AND 3.\nk(X) <- p(X, _), X LIKE \'ap%\'.\n',
        steps: ['RL0048', 'RL0048'],
        facts: { h: ['"apple"', '"pear"'], k: ['"apple"', '"apricot"'] },
    },
    {
        name: 'Soufflé: declarations and directives',
        text: '.decl edge(x: number, y: number)\n.decl path(x: number, y: number)\n.output path\nedge(1, 2).\nedge(2, 3).\npath(X, Y) :- edge(X, Y).\npath(X, Z) :- path(X, Y), edge(Y, Z).\n',
        steps: ['RL0010', 'RL0010', 'RL0010'],
        facts: { path: ['1, 2', '1, 3', '2, 3'] },
    },
    {
        name: 'Soufflé: an aggregate with a body of its own',
        text: 'edge(1, 2). edge(1, 3). edge(2, 3).\n@output("n").\nn(X, N) :- node(X), N = count : { edge(X, _) }.\nnode(1). node(2).\n',
        steps: ['RL0048'],
        facts: { n: ['1, 2', '2, 1'] },
    },
    {
        name: 'Soufflé: ! before an atom',
        text: 'p(1). p(2). q(2).\n@output("h").\nh(X) :- p(X), !q(X).\n',
        steps: ['RL0040'],
        facts: { h: ['1'] },
    },
    {
        name: 'clingo: #count and a constraint without a head',
        text: 'edge(1, 2). edge(1, 3).\n@output("n").\nn(N) :- N = #count { X, Y : edge(X, Y) }.\n:- edge(X, X).\n',
        steps: ['RL0030', 'RL0005'],
        facts: { n: ['2'] },
    },
    {
        name: 'comments of other languages',
        text: '// all edges\nedge(1, 2).\n/* what\n   is shown */\n@output("h").\n# every start\nh(X) <- edge(X, _).\n',
        steps: ['RL0031', 'RL0031', 'RL0030'],
        facts: { h: ['1'] },
    },
    {
        name: 'C: % for the remainder',
        text: 'p(1). p(2).\n@output("h").\nh(X) <- p(X), X % 2 == 1.\n',
        steps: [{ code: 'RL0001', title: /math:mod/u }],
        facts: { h: ['1'] },
    },
    {
        name: 'C: && between atoms and a chained comparison',
        text: 'p(1). p(5). p(9).\n@output("h").\nh(X) <- p(X), 1 < X < 9.\n',
        steps: ['RL0043'],
        facts: { h: ['5'] },
    },
    {
        name: 'too many terms, and a column left out',
        text: 'own("a", "b", 60).\n@output("h"). @output("k").\nh(X, Y) <- own(X, Y, W, V).\nk(X) <- own(X, _).\n',
        steps: ['RL1102', 'RL1104', { code: 'RL9001', title: /'_'$/u }],
        facts: { h: ['"a", "b"'], k: ['"a"'] },
    },
    {
        name: 'a misspelt predicate and a misspelt variable',
        text: 'edge("a", "b"). edge("b", "c").\n@output("path").\npath(X, Y) <- edge(X, Y).\npath(Frm, Z) <- path(From, Y), egde(Y, Z).\n',
        steps: ['RL1101', 'RL2001'],
        facts: { path: ['"a", "b"', '"a", "c"', '"b", "c"'] },
    },
    {
        name: 'another sign between head and body',
        text: 'p(1). p(2).\n@output("h"). @output("k"). @output("m").\nh(X) = p(X), X > 1.\nk(X) -> p(X).\nm(X) <= p(X).\n',
        steps: ['RL0005', 'RL0048', 'RL0005'],
        facts: { h: ['2'], k: ['1', '2'], m: ['1', '2'] },
    },
    {
        name: 'no output',
        text: 'p(1).\nh(X) <- p(X).\n',
        steps: ['RL6013'],
        facts: { h: ['1'] },
    },
    {
        name: 'annotations written by heart',
        text: '@ouput(h)\np(1).\nh(X) <- p(X).\n',
        steps: ['RL6001', 'RL6003', 'RL6005'],
        facts: { h: ['1'] },
    },
    {
        name: 'a condition on a variable that nothing binds',
        text: 'p(1). q(1, 2).\n@output("h").\nh(X) <- p(X), X != Y.\n',
        steps: [{ code: 'RL2002', says: /bind it in a positive body atom/u, edit: ['p(X), X', 'p(X), q(X, Y), X'] }],
        facts: { h: ['1'] },
    },
    {
        name: 'a variable that only negation mentions',
        text: 'p(1). p(2). q(2).\n@output("h").\nh(X) <- p(X), not q(Y), Y > 1, X < Y.\n',
        steps: [{ code: 'RL2004', says: /add a positive atom/u, edit: ['not q(Y)', 'p(Y), not q(X)'] }],
        facts: { h: ['1'] },
    },
    {
        name: 'recursion through negation',
        text: 'person("ann"). person("bob"). rich("bob").\n@output("poor").\npoor(X) <- person(X), not wealthy(X).\nwealthy(X) <- person(X), rich(X), not poor(X).\n',
        steps: [{ code: 'RL2401', says: /break the cycle/u, edit: [', not poor(X)', ''] }],
        facts: { poor: ['"ann"'] },
    },
    {
        name: 'an aggregate in a condition, and one in the head',
        text: 'sale("n", 3). sale("n", 4). sale("s", 1).\n@output("h"). @output("k").\nh(R) <- sale(R, Q), sum(Q) > 5.\nk(R, max(Q)) <- sale(R, Q).\n',
        steps: ['RL3001', 'RL3002'],
        facts: { h: ['"n"'], k: ['"n", 4', '"s", 1'] },
    },
    {
        name: 'a recursion that aggregates in one of its rules',
        text: 'e("a", "b"). e("b", "c").\n@output("d").\nd(X, Y, 1) <- e(X, Y).\nd(X, Z, M) <- d(X, Y, N), e(Y, Z), M = min(N + 1).\n',
        steps: ['RL3010', 'RL3020'],
        facts: { d: ['"a", "b", 1', '"b", "c", 1', '"a", "c", 2'] },
    },
    {
        name: '== for an assignment, and one with its sides swapped',
        text: 'p(5).\n@output("h"). @output("k").\nh(Y) <- p(X), Y == X + 1.\nk(Y) <- p(X), X * 2 = Y.\n',
        steps: ['RL2005', 'RL2006'],
        facts: { h: ['6'], k: ['10'] },
    },
    {
        name: 'a number in quotes, and functions by other names',
        text: 'p("ann", 5). p("bo", 2).\n@output("h"). @output("k").\nh(X) <- p(X, N), N > "3".\nk(L, S) <- p(X, N), L = length(X), S = math:pwo(N, 2).\n',
        steps: ['RL4002', 'RL5001', 'RL5001'],
        facts: { h: ['"ann"'], k: ['3, 25.0', '2, 4.0'] },
    },
    {
        name: 'capital predicates, an open string, commas too many and too few',
        text: 'Person("ann).\nPerson("bob").\nadult("bob").\n@output("h"). @output("k").\nh(X) <- Person(X) adult(X).\nk(X) <- Person(X),.\n',
        steps: ['RL0045', 'RL0020', 'RL0002', 'RL0008'],
        facts: { h: ['"bob"'], k: ['"ann"', '"bob"'] },
    },
    {
        name: 'a graph function that is called like a predicate',
        text: 'e(1, 2). e(2, 3).\n@output("t"). @output("far").\nt(X, Y) <- #TC(e)(X, Y).\nfar(X, Y) <- #TC(e), X != 2.\n',
        steps: ['RL7102', 'RL2010'],
        facts: { t: ['1, 2', '1, 3', '2, 3'], far: ['1, 2', '1, 3'] },
    },
    {
        name: 'a bind with its arguments in another order and an option of another tool',
        text: '@bind("p", "data", \'p.csv\', \'csv header=true\').\n@output("h").\nh(X) <- p(X, _).\n',
        steps: ['RL6100', 'RL6101', 'RL0021', 'RL0021'],
        facts: { h: ['"ann"', '"bob"'] },
    },
];
