import type { TextChange } from '#language/document/text-change.ts';

/** Random numbers that are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
    let state = seed >>> 0;
    return below => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
    };
}

const CHARACTERS = [...'.,()[]{}"\'%@#\\<>-=:!?$;~|& \n\r\tXYpq01_'];

const PIECES = [
    '"',
    '.\n',
    '\r\n',
    '%',
    '%% about it\n',
    '%% @deprecated q\n',
    '/*',
    '*/',
    '\n// note\n',
    '<- ',
    ' <- SELECT a.b FROM t WHERE s = "x.y" AND c > 1.5',
    'q() <- SELECT p_0 AS x, p_1 FROM p WHERE p_0 > 1.\n',
    'r() <- SELECT * FROM q JOIN p ON p_0 = q_0.\n',
    'r(X, Y) <- SELECT a, b FROM elsewhere.\n',
    ' <- MATCH (n)-[:K*1..3]->(m) RETURN n.name',
    '@output("p")',
    '@output("q").\n',
    '@bind("p", "csv", "dir", "p.csv").\n',
    '@model("q", "[\'a: int\', \'b: string\']").\n',
    '@param("floor", 3).\n',
    '@input("r").\n',
    '@mapping("p", 1, "b", "int").\n',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the language.
    '@qbind("q", "h2", "db", "${1} ${X}").\n',
    '@bind("p", "h2", "db", "p"). @delete("p", "0,1").\n',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the language.
    '@post("p", "limit(${floor})").\n',
    '@param("X", 1).\n',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the language.
    'q(Y) <- p(X, _), Y = llm:generate("${X} ${floor}", "string").\n',
    '@library("m:", "math").\n',
    '@module("a").\n',
    'p(1, "a").\n',
    'q(X) <- p(X, _), not r(X), X > ?floor.\n',
    'r(X, S) <- p(X, Y), S = msum(Y).\n',
    'p(X, Y) <- q(X), Y = X + 1.\n',
    'lonely(X) <- nowhere(X)',
    ', p(X, Y)',
    'X = Y <- p(X, Y).\n',
    '#F <- p(X, X).\n',
    'p(X, N) <- q(X).\n',
    'q(N) <- p(_, N), p(N, _).\n',
    'p(X, V) <- r(X, Y), V = #f(X, Y), dom(*).\n',
    ' % 2.',
    '\u00a0',
    '\ufeff',
    '\u{1f600}',
];

/** A change that somebody who is careless, or means harm, might make. */
export function randomChange(text: string, below: (limit: number) => number): TextChange {
    const start = below(text.length + 1);
    switch (below(10)) {
        case 0:
        case 1:
        case 2:
            return { start, end: start, text: CHARACTERS[below(CHARACTERS.length)] ?? '' };
        case 3:
        case 4:
            return { start, end: Math.min(text.length, start + 1 + below(3)), text: '' };
        case 5:
            return { start, end: Math.min(text.length, start + below(120)), text: '' };
        case 6:
        case 7:
            return { start, end: start, text: PIECES[below(PIECES.length)] ?? '' };
        case 8: {
            const from = below(text.length + 1);
            return { start, end: Math.min(text.length, start + below(10)), text: text.slice(from, from + below(80)) };
        }
        default:
            return { start, end: Math.min(text.length, start + below(4)), text: PIECES[below(PIECES.length)] ?? '' };
    }
}

/** A change at the edge of a line, where clauses begin and end. */
export function changeAtLine(text: string, below: (limit: number) => number): TextChange {
    const change = randomChange(text, below);
    const line = text.lastIndexOf('\n', change.start) + 1;
    return { ...change, start: line, end: Math.min(text.length, line + (change.end - change.start)) };
}
