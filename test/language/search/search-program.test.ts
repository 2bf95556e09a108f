import { describe, expect, test } from 'vitest';
import type { TextEdit } from '#language/editing/format-edits.ts';
import { readProgram } from '#language/read-program.ts';
import { readSearch, type Search } from '#language/search/read-search.ts';
import { type Found, searchProgram } from '#language/search/search-program.ts';

const TEXT = `edge(1, 2). edge(2, "a, b").
path(X, Y) <- edge(X, Y).
path(X, Z) <- path(X, Y), edge(Y, Z), X != Z.
far(A, B), near(B) <- not edge(B, A), path(A, B), Q = A + 1, Q > 2.
loop(X) <- edge(X, X).
#F <- far(A, _), A < 0.
`;

function searchOf(text: string): Search {
    const read = readSearch(text);
    if ('wrong' in read) throw new Error(read.wrong);
    return read.search;
}

function found(pattern: string, text = TEXT): readonly Found[] {
    return [...searchProgram(readProgram(text, 'test').value.clauses, searchOf(pattern))];
}

const texts = (pattern: string): readonly string[] => found(pattern).map(({ range }) => TEXT.slice(range.start, range.end));

function rewritten(search: string, text = TEXT): string {
    const edits = found(search, text).flatMap(({ edits: own = [] }) => own);
    const inOrder = [...edits].sort((a: TextEdit, b: TextEdit) => b.start - a.start || b.end - a.end);
    return inOrder.reduce((whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end), text);
}

describe('a pattern finds', () => {
    test.each<[pattern: string, expected: readonly string[]]>([
        ['edge($X, $Y)', ['edge(X, Y)', 'edge(Y, Z)', 'edge(X, X)']],
        ['edge($X, $X)', ['edge(X, X)']],
        ['edge(A, B)', ['edge(X, Y)', 'edge(Y, Z)', 'edge(X, X)']],
        ['edge($Y, $Z), path($X, $Y)', ['path(X, Y), edge(Y, Z)']],
        ['$p($_, $_), $p($_, $_)', []],
        ['$p($...), $q($...), $X != $Y', ['path(X, Y), edge(Y, Z), X != Z']],
        ['not $p($...)', ['not edge(B, A)']],
        ['2 < $X', ['Q > 2']],
        ['$X = $Y + 1', ['Q = A + 1']],
        ['edge($X, 2).', ['edge(1, 2)']],
        ['edge($X, "a, b").', ['edge(2, "a, b")']],
        ['edge($X, "a").', []],
        ['path($X, $Y) <- edge($X, $Y)', ['path(X, Y) <- edge(X, Y)']],
        ['near($B) <- path($A, $B)', ['near(B) <- not edge(B, A), path(A, B)']],
        ['loop($...) <- $...', ['loop(X)']],
        ['far($_, _)', ['far(A, _)']],
        ['dom(*)', []],
    ])('%s', (pattern, expected) => expect(texts(pattern)).toEqual(expected));

    test('what the holes stand for', () => {
        const [first] = found('$p($X, $...), $_ != $Z');
        expect(Object.fromEntries(first?.bindings ?? [])).toEqual({ $p: 'path', $X: 'X', '$...': 'Y', $Z: 'Z' });
    });

    test('nothing twice, and ends where a body has very many equal atoms', () => {
        const body = Array.from({ length: 40 }, (_, i) => `p(X${i})`).join(', ');
        const many = found('p($A), p($B), p($C)', `h(1) <- ${body}.`);
        expect(many.length).toBeGreaterThan(100);
        expect(new Set(many.map(({ bindings }) => [...bindings.values()].sort().join())).size).toBe(many.length);
    });
});

describe('a replacement', () => {
    test.each<[search: string, before: string, after: string]>([
        ['edge($X, $Y) ==> link($Y, $X)', 'p(X) <- edge(X, 1), q(X), edge(2, X).', 'p(X) <- link(1, X), q(X), link(X, 2).'],
        ['a($X), b($X) ==> ab($X)', 'p(X) <- a(X),\n  q(X), % kept\n  b(X), r(X).', 'p(X) <- ab(X),\n  q(X), r(X).'],
        ['a($X) ==>', 'p(X) <- a(X), a(Y), q(X).', 'p(X) <- a(Y), q(X).'],
        ['a($X) ==>', 'p(X) <- a(X).', 'p(X) <- a(X).'],
        ['$X > $Y ==> $X - $Y > 0', 'p(X) <- q(X, Y), X > Y - 1.', 'p(X) <- q(X, Y), X - (Y - 1) > 0.'],
        ['p($X, $...). ==> p($...).', 'p(1, 2, 3). p(4).', 'p(2, 3). p().'],
        ['p($X). ==> p($X) <- q($X).', 'p("a").', 'p("a") <- q("a").'],
        ['p($X) <- q($X) ==> r($X) <- s($X)', 'p(X), t(X) <- u(X), q(X).', 'r(X), t(X) <- u(X), s(X).'],
        ['p($X) <- $... ==> p($X) <- $..., ok($X)', 'p(X) <- q(X).', 'p(X) <- q(X), ok(X).'],
        ['$q($X) ==> not $q($X)', 'p(X) <- r(X), not s(X).', 'p(X) <- not r(X), not s(X).'],
        ['edge(A, B) ==> edge(A, C), C = B', 'p(X) <- edge(X, Y).', 'p(X) <- edge(X, C), C = Y.'],
    ])('%s', (search, before, after) => expect(rewritten(search, before)).toBe(after));
});

test.each<[search: string, reason: RegExp]>([
    ['edge(', /./u],
    ['', /./u],
    ['$...', /nothing to look for/u],
    ['p($X) ==> q($Y)', /'\$Y' stands only behind/u],
    ['p($X) ==> q($X) <- r($X)', /a part of a body is replaced by a part of a body/u],
    ['p($X). ==> q($X)', /a whole clause is replaced by a whole clause/u],
    ['p($X) <- q($X) ==> p($X).', /a rule is replaced by a rule/u],
    ['p(1) ==> q(1) ==> r(1)', /more than one/u],
    ['p($...), q($...) ==> p($...)', /which of several/u],
    ['p(X), q(X).', /a fact is one atom/u],
    ['p(Any__X)', /do not begin/u],
    ['p(X) <- SELECT a FROM b', /./u],
])('%s is no search', (search, reason) => {
    const read = readSearch(search);
    expect('wrong' in read ? read.wrong : '').toMatch(reason);
});
