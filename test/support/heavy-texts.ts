/** Texts that are small for what they ask of whoever reads, checks, plans or runs them; `size` counts atoms, rules, heads or characters. */
const HEAVY_PROGRAMS: Readonly<Record<string, (size: number) => string>> = {
    'one atom again and again': size => `${EDGES}p(X) <- ${repeated(size, () => 'e(X, _)')}.\n`,
    chain: size => `${EDGES}p(X0) <- ${repeated(size, i => `e(X${i}, X${i + 1})`)}.\n`,
    'recursive chain': size => `p(1, 2).\np(2, 3).\np(X0, X${size}) <- ${repeated(size, i => `p(X${i}, X${i + 1})`)}.\n`,
    'recursive chain with joins': size =>
        `${EDGES}p(1, 1).\np(X0, X${size}) <- e(X0, Y), ${repeated(size, i => `p(X${i}, X${i + 1})`)}, e(Y, X${size}).\n`,
    star: size => `${EDGES}p(X) <- ${repeated(size, i => `e(X, Y${i})`)}.\n`,
    'cross product': size => `${ONE}p(X0) <- ${repeated(size, i => `n(X${i})`)}.\n`,
    'predicates of one variable': size => `${repeated(size, i => `a${i}(1).`, '\n')}\np(X) <- ${repeated(size, i => `a${i}(X)`)}.\n`,
    'undefined atom again and again': size => `p(X) <- ${repeated(size, () => 'b(X)')}.\n`,
    'undefined chain': size => `p(X0) <- ${repeated(size, i => `b(X${i}, X${i + 1})`)}.\n`,
    'undefined cross product': size => `p(Y0) <- ${repeated(size, i => `c(Y${i})`)}.\n`,
    'undefined predicates': size => `p(X) <- ${repeated(size, i => `u${i}(X)`)}.\n`,
    comparisons: size => `${ONE}p(X) <- n(X), ${repeated(size, i => `X > ${-i}`)}.\n`,
    'bounds of one variable': size => `${ONE}p(X) <- n(X), ${repeated(size, i => `X > ${i}`)}.\n`,
    'comparisons of unbound variables': size => `${ONE}p(X) <- n(X), ${repeated(size, i => `Z${i} > ${i}`)}.\n`,
    negations: size => `${ONE}m(2).\np(X) <- n(X), ${repeated(size, () => 'not m(X)')}.\n`,
    assignments: size => `${ONE}p(V${size - 1}) <- n(V), V0 = V + 1, ${repeated(size - 1, i => `V${i + 1} = V${i} + 1`)}.\n`,
    'assignments from last to first': size =>
        `${ONE}p(V${size - 1}) <- n(V), ${repeated(size - 1, i => `V${size - 1 - i} = V${size - 2 - i} + 1`)}, V0 = V + 1.\n`,
    heads: size => `${ONE}${repeated(size, i => `h${i}(X)`)} <- n(X).\n`,
    'heads of one predicate': size => `${ONE}${repeated(size, i => `h(X, ${i})`)} <- n(X).\n`,
    'heads with nulls': size => `${ONE}${repeated(size, i => `h${i}(X, Z${i})`)} <- n(X).\n`,
    'types from head to head': size =>
        `p0(1).\n${repeated(size, i => `p${i}(X${i})`)} <- ${repeated(size, i => `p${(i + 1) % size}(X${i})`)}.\n`,
    'heads of mixed types': size => `${ONE}${repeated(size, i => `h${i}("a").`, '\n')}\n${repeated(size, i => `h${i}(X)`)} <- n(X).\n`,
    'cycle of predicates': size => `${ONE}p0(X) <- n(X).\n${repeated(size, i => `p${(i + 1) % size}(X) <- p${i}(X).`, '\n')}\n`,
    'cycle of predicates from last to first': size => `p0(1).\n${repeated(size, i => `p${i}(X) <- p${(i + 1) % size}(X).`, '\n')}\n`,
    'cycle of empty predicates': size => repeated(size, i => `p${i}(X) <- p${(i + 1) % size}(X).`, '\n'),
    'rules of which one after the other is empty': size =>
        `@model("q0", "['a: int']").\n${repeated(size, i => `q${i + 1}(X) <- q${i}(X).\np(X) <- q${i}(X).`, '\n')}\n`,
    'cycle of joins': size => `${EDGES}p0(1).\n${repeated(size, i => `p${(i + 1) % size}(Y) <- p${i}(X), e(X, Y).`, '\n')}\n`,
    'chain of rules': size => `${ONE}p0(X) <- n(X).\n${repeated(size, i => `p${i + 1}(X) <- p${i}(X).`, '\n')}\n`,
    'chain of joins': size => `${EDGES}p0(1).\n${repeated(size, i => `p${i + 1}(Y) <- p${i}(X), e(X, Y).`, '\n')}\n`,
    'tower of negations': size => `${ONE}p0(X) <- n(X).\n${repeated(size, i => `p${i + 1}(X) <- n(X), not p${i}(X).`, '\n')}\n`,
    'rules of one predicate': size => `${ONE}m(2).\n${repeated(size, i => `p(X) <- n(X), not m(X), X != ${i + 5}.`, '\n')}\n`,
    'rules of one recursive predicate': size => `${EDGES}p(1).\n${repeated(size, i => `p(Y) <- p(X), e(X, Y), Y != ${i + 5}.`, '\n')}\n`,
    'equal rules': size => `${ONE}${repeated(size, () => 'p(X) <- n(X).', '\n')}\n`,
    'parameters, and uses of others': size => repeated(size, i => `@param("horizon${i}", 1).\nf(?vertical${i}).`, '\n'),
    'unbound variables beside bound ones': size =>
        `b(${repeated(size, () => '1')}).\np(${repeated(size, i => `Vertical${i}`)}) <- b(${repeated(size, i => `Horizon${i}`)}), ${repeated(size, i => `Vertical${i} > 1`)}.\n`,
    'words of which texts are meant': size => `${ONE}p(X) <- n(Y), X = [${repeated(size, i => `word${i}`)}].\n`,
    'atoms apart from a large one': size =>
        `${EDGES}p(1) <- b(${repeated(size, i => `Horizon${i}`)}), ${repeated(size, i => `e(Vertical${i}, 1)`)}.\n`,
    'rules that read nothing defined': size => repeated(size, i => `p${i}(X) <- q${i}(X).`, '\n'),
    facts: size => repeated(size, i => `f(${i}, "t${i}").`, '\n'),
    outputs: size => `${ONE}${repeated(size, i => `p${i}(X) <- n(X).\n@output("p${i}").`, '\n')}\n`,
    dots: size => '.'.repeat(size),
    commas: size => ','.repeat(size),
    brackets: size => '('.repeat(size),
    'closing brackets': size => ')'.repeat(size),
    letters: size => 'a'.repeat(size),
    'capital letters': size => 'A'.repeat(size),
    spaces: size => ' '.repeat(size),
    quotes: size => '"'.repeat(size),
    'at signs': size => '@'.repeat(size),
    arrows: size => '<-'.repeat(size / 2),
    'dots on lines': size => '.\n'.repeat(size / 2),
    'words and dots': size => 'a. '.repeat(size / 3),
    'open atoms': size => 'p('.repeat(size / 2),
    'broken rules': size => 'p(X) <- q(X.\n'.repeat(size / 13),
    'one broken rule': size => `p(X) <- ${'q(X), '.repeat(size / 6)}`,
    pluses: size => `p(X) <- n(X), X > 1${'+1'.repeat(size / 2)}.`,
    'a long line of digits': size => '1'.repeat(size),
    'signs of no meaning': size => '§'.repeat(size),
    semicolons: size => 'p(X) <- q(X); '.repeat(size / 14),
};

export function heavyProgram(name: string, size: number): string {
    const make = HEAVY_PROGRAMS[name];
    if (make === undefined) throw new Error(`No heavy text '${name}'`);
    return make(size);
}

const EDGES = 'e(1, 1).\n';
const ONE = 'n(1).\n';

function repeated(size: number, piece: (index: number) => string, between = ', '): string {
    return Array.from({ length: size }, (_, index) => piece(index)).join(between);
}
