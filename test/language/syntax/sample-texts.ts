/** Programs that use every construct of the language; all of them are free of syntax errors. */
export const SAMPLE_TEXTS: readonly string[] = [
    `own("ada","bix",0.625). own("ada","cor",0.25). own("bix","cor",0.375). own("cor","dun",0.75).
held(X, X, Y, Q) <- own(X, Y, Q).
held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q).
total(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q).
ctrl(X, Y) <- total(X, Y, S), S > 0.5.
@output("ctrl"). @output("total").
`,
    `flow("a","b",0.5). flow("b","c",0.5). flow("a","c",0.125). flow("c","a",1.0).
pipe(X, Y, W, V) <- flow(X, Y, W), X != Y, V = {} | X | Y.
pipe(X, Z, W, V) :- pipe(X, Y, W1, V1), flow(Y, Z, W2), Z !in V1, W = W1 * W2, V = V1 | Z.
share(X, Y, S) <- pipe(X, Y, W, _), S = msum(W, <X, Y>), N = mcount(<>), M = mcount().
`,
    `@param("floor", -10). @param("day", 2031-04-09). @param("list", [1, -2.5, "x"]). @param("name", null).
%% Values that are large.
%% @term {int} X the value
@a("x") @b(1, name, {#T}) big(X) <- v(X), X > ?floor, Y <> \${floor}.
`,
    `dept("d1", 2031-04-09, 2031-04-09 10:15:00.25, 2031-04-09T10:15:00, null, #T, -3, 9007199254740993, 1.5E-7).
boss(D, M), works(M, _) <- dept(D), not gone(D, _), ~left(D), dom(*).
M1 = M2 <- boss(D, M1), known(D, M2). M = "Ida" <- boss("d1", M).
#F <- boss(D, M), !(M == "x" || D in ["a", "b"] && !starts_with(D, "z")), Ok = M > D.
k(X, Y) <- p(X), Y = #key(X, "a", -1), Z = -X + 2 * (X - 1) / 3, _between_(X, 1, 3), X<-3.
s(X) <- p(X), X == struct("a", 1, "b", [X]), similarity:levenshtein(X, "y") >= 0.9.
`,
    `tc(X, Y) <- #TC(e).
pv(X, Y, V) <- #PATHS(e, "visited=true").
q(X, Y) <- #TC("SELECT a, b FROM t", "x=1").
weather(City, Day) <- python:run("fetch").
adult() <- SELECT member_0 AS name, member_1 + 1 AS next FROM member m WHERE m.member_1 >= 18.5 AND s LIKE 'a%'.
c(X) <- with t AS (SELECT 1) select * from t.
g(N, M) <- MATCH (n:Person)-[:KNOWS*1..3]->(m) RETURN n.name, m.name.
v(X) <- ask "what?" FROM docs LIMIT 3.
match(X) <- call(X).
h(X) <- match(X), select(X).
@bind("p", "csv", "dir", "file
with a second line.csv"). @output("adult").
`,
];

/** Each line of a text behind the one before it, cut off after every so many characters: what a prefix has further up has no part in how it ends. */
export function* lastLineCut(text: string, step: number): Iterable<string> {
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
        const before = index === 0 ? '' : `${lines[index - 1]}\n`;
        for (let end = 0; end <= line.length; end += step) yield before + line.slice(0, end);
    }
}
