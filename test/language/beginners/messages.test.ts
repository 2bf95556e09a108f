import { describe, expect, test } from 'vitest';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import { withEdits } from '#language/editing/fix-all.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';

const FACTS = 'p("ann", 3). p("bob", 5). e(1, 2). @output("h").\n';

const open = (text: string): OpenDocument => openDocument(text, 'p.rulelang');

function told(text: string): string[] {
    const document = open(text);
    return reportedProblems({ ...document, clauses: document.analysed.program.clauses })
        .filter(({ severity }) => severity === 'error' || severity === 'warning')
        .map(({ message, remedy }) => `${message}; ${remedy}`);
}

/** One rule or a few, and what the first message about them says to write. */
const MENDED: readonly (readonly [text: string, says: string])[] = [
    ['h(X) <- p(X, A); e(X, _).', "for \"or\" write two rules: 'h(X) <- p(X, A).' and 'h(X) <- e(X, _).'"],
    ['größe(1).', "write 'groesse'"],
    ['h(Größe) <- p(_, Größe).', "write 'Groesse'"],
    ['q(zürich).', 'write \'"zürich"\''],
    ['h(X) <- p(X, _), D = now().', "did you mean 'date:current_timestamp'?"],
    ['h(Y) <- p(X, _), Y = uppercase(X).', "did you mean 'to_upper'?"],
    ['@param("min", 3). h(X) <- p(X, A), A > min.', "write '?min'"],
    ['h(X) <- p(X, A), A = max(A).', "'A' has a value already: write 'MaxA = max(A)'"],
    ['h(N) <- N = count(e(_, _)).', "'e' is a predicate, write 'e(_, _), N = count()'"],
    ['h(X, B) <- p(X, A), B is A + 1.', "write '='"],
    ['h(X) <- p(X, A), A is 3.', "write '=='"],
    ['h(X, A) <- p(X, A). @post("h", "orderby(A)").', "write 'orderby(2)'"],
    ['h(X, A) <- p(X, A). @post("h", "order by 2 desc").', "write 'orderby(-2)'"],
    ['h(X, A) <- p(X, A). @post("h", "limit 1").', "write 'limit(1)'"],
    ['h(X, A) <- p(X, A). @post("h", "argmax(2)").', "write 'max(2)'"],
    ['@param("min", 3). h(X) <- p(X, A), A > $min.', "write '?min'"],
    ['h(X) <- p(X, A), A > 1,000.', "write '1000': a comma separates items"],
    ['h(X) <- p(X, _).\n?- h(ann).', '<- h("ann")'],
    ['h(X) <- p(X, A), A = 3 && X = "ann".', "write '==' for '='"],
    ['@bind("t", "csv header=true", ".", "t.csv"). h(X) <- t(X, _).', 'the first line is a row'],
    ['@model("t", "name:string, amt:int"). @bind("t", "csv", ".", "t.csv"). h(X) <- t(X, _).', `"['name:string', 'amt:int']"`],
    ['h(X, N) <- p(X, A), N = cast(A as text).', "write 'as_string(A)'"],
    ['h(X, A as age) <- p(X, A).', "write 'A'"],
    ['h(X, N) <- p(X, N) order by 2 desc.', 'orderby(-2)'],
    ['h(X) <- p(X, N) order by N.', 'rows are ordered by columns of the head'],
    ['h(X, R) <- p(X, N), R = rank() over (order by N desc).', "write 'p(_, OtherN), OtherN >= N, R = count(1, <OtherN>)'"],
    ['def f(x): return x + 1.', "write the expression where it is used, such as 'Y = X + 1'"],
    ['for x in p: q.', "write a rule, such as 'result(X) <- p(X), X > 2.'"],
    ['h(X) | k(X) <- p(X, _).', "write ',' where all of them follow, or a rule with a condition for each"],
    ['{"name": "ann", "age": 3}', 'write a fact, such as'],
    ['DELETE FROM p WHERE age > 3;', 'write a rule for the rows that are left'],
    ['h(T) <- T = SUM(B2:B10).', "such as 'p(_, B), T = sum(B)'"],
    ['A person is an adult if they are 18.', "write a rule, such as 'adult(X) <- person(X, Age), Age >= 18.'"],
    ['h(X) <- p(X, _). X > 5.', "write it in the body of a rule, behind '<-' and a comma"],
    ['h(P, S) <- p(P, Boss), e(Bos, S).', "did you mean 'Boss'?"],
    ['h(D) <- p(_, A), D = datediff(day, A, 2024-01-05).', 'write \'date:between(A, 2024-01-05, "day")\''],
    ['h(D) <- p(_, A), D = date_add(month, 3, A).', 'write \'date:plus(A, 3, "month")\''],
    ['h(X) <- p(X, A), A < today.', "write 'date:current_date()'"],
    ['h(X) <- p(X, A), A < CURRENT_DATE.', "write 'date:current_date()'"],
    ['h(Y) <- p(_, A), Y = EXTRACT(YEAR FROM A).', 'write \'date:part(A, "year")\''],
    ['h(Y) <- p(_, A), Y = date:year(A).', 'write \'date:part(A, "year")\''],
    ['h(S) <- p(X, _), S = group_concat(X, ",").', "write 'munion(X)'"],
    ['h(X) := p(X, _).', "write '<-'"],
    ['@bind("t", "xlsx", "data", "t.xlsx"). h(X) <- t(X, _).', "did you mean 'excel'?"],
    ['else h(X, "small").', 'write a second rule with the opposite condition'],
    ['if p(X, A) and A > 2 then h(X).', "write 'h(X) <- p(X, A), A > 2'"],
    ['h(X) <- p(X, _) unless e(X, _).', "write ', not'"],
    ['h(X) <- p(X, _), for all Y: e(X, Y).', "write a rule for what contradicts it, and 'not' with its head here"],
    ['not h(X) <- p(X, _).', "write '#F <- p(X, _), h(X).'"],
    ['false <- p(X, _).', "write '#F'"],
    ['h(X, Y) <- p(X, Y).\nX == Y <- h(X, Y).', "write 'X = Y'"],
    ['h = p - e.', "write 'h(X) <- p(X), not e(X).' with a variable for each column"],
    ['h(X, Y) <- e+(X, Y).', "write '#TC(e)'"],
    ['h(X) <- p(X, A), not null(A).', "write 'is_not_null(A)'"],
    ['h(X) <- p(X, _), exists(e(X, _)).', "write 'e(X, _)'"],
    ['h(X, T) <- p(X, A), T = sum(A) by X.', 'remove it: the other columns of the head are the groups'],
    [`h(T) <- p(X, A), T = \`\${X} is \${A}\`.`, 'write \'concat(X, " is ", A)\''],
    ['h(X: string) <- p(X, _).', "write 'X'"],
    ['h(X) <- facts.p(X, _).', "write 'p'"],
    ['type person(name: string, age: int).', "'name:string', 'age:int'"],
    ['person:\n  - ann, 3\n  - bob, 4', 'write a fact for each row'],
    ['<!-- people -->', "write '%' before each line of a comment"],
    ['q("say "hi"").', 'write \'"say \\"hi\\""\''],
    ['q(2024-01-05T10:00:00Z).', "write '2024-01-05 10:00:00'"],
    ['q("a" 2).', "write ', 2'"],
    ['q("a", 2);', "write '.'"],
    ['h(Y) <- e(X, _), L = [X], Y in L.', "write 'Y = collections:explode(L)'"],
    ['q([1, 2]). h(S) <- q(L), S = sum(L).', "write 'Item = collections:explode(L)'"],
    ['h(X, A) <- p(X, A). @post("h", "sort").', "write 'orderby(1)'"],
    ['h(X) <- p(X, _), top(1).', `write '@post("h", "limit(1)")' as a clause of its own`],
    ['h(X, N) <- p(X, A), N = row_number().', "'p(OtherX, _), OtherX <= X, N = count(1, <OtherX>)'"],
    ['h(N) <- p(X, A), N = count(A > 4).', "write 'A > 4, N = count()'"],
    ['h(X) <- p(X, A), X like "/a.*/".', 'write \'rlike(X, "a.*")\''],
    ['h(X) <- p(X, A), X ~ "^a".', 'write \'rlike(X, "^a")\''],
    ['h(X) <- p(X, A), X =~ /^a/.', 'write \'rlike(X, "^a")\''],
    ['h(S) <- p(X, A), S = sum(A, X).', "write 'sum(A)'"],
    ['k(X) <- p(X, _). @output(["h", "k"]).', 'write @output("h"). @output("k")'],
    ['h(X, A) <- p(X, A). @post("h", "orderby desc 2").', "write 'orderby(-2)'"],
];

const ONE_SLIP: readonly string[] = [
    'h(Y) <- p(X, N), Y = IF(N > 2; X; "b").',
    'h(N) <- p(A, _), N = A & " " & A & "!".',
    'h(Y) <- p(_, N), Y <- N * 2.',
    'h(X) <- X in range(1, 5).',
    'h(X) <- between(1, 5, X).',
    'h(X) <- p(X, N), N != None.',
    'h("all") <- forall(p(X, _), e(X, _)).',
    'h(X) <- for X in p.',
    'h(Y) <- p(X, _), Y = X.upper().',
    'h(X) <- p(X, N), N > 3,5.',
];

test.each(ONE_SLIP)('one slip is one message: %s', text => {
    expect(told(`${FACTS}${text}\n`).filter(words => !words.includes('never used'))).toHaveLength(1);
});

describe('the message says what to write', () => {
    test.each(MENDED)('%s', (text, says) => {
        expect(told(`${FACTS}${text}\n`).join('\n')).toContain(says);
    });
});

test.each(['orderby(A)', 'order by A desc', 'limit 1', 'argmax(A)'])('@post "%s" is mended by its fix', directive => {
    const text = `${FACTS}h(X, A) <- p(X, A).\n@post("h", "${directive}"). @post("h", "orderby(1)").\n`;
    const document = open(text);
    const problem = document.problems.find(({ severity }) => severity === 'error');
    const fix = problem && quickFixes(document, problem).find(({ preferred }) => preferred);
    expect(open(withEdits(text, fix?.edits ?? [])).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test.each(['X < Y', 'X != Y', 'X >= Y'])('two atoms that %s compares are no slip', comparison => {
    expect(open(`${FACTS}h(X, Y) <- p(X, _), p(Y, _), ${comparison}.\n`).problems.map(({ code }) => code)).not.toContain('RL9002');
});

test('a rule that stands twice is told once', () => {
    const codes = open(`${FACTS}h(X) <- p(X, _).\nh(Y) <- p(Y, _).\n`).problems.map(({ code }) => code);
    expect(codes).toContain('RL1113');
    expect(codes).not.toContain('RL1115');
});

test('an output that only its bind fills is looked at, and nothing is wrong with that', () => {
    expect(told('@bind("q", "csv", "data", "q.csv").\n@output("q").\n')).toEqual([]);
});

test('a variable that only negation has is told once', () => {
    expect(
        told(`${FACTS}h(X) <- not e(X, Y).\np2(X) <- h(X), p(X, _). @output("p2").\n`).filter(words => words.includes("'X'")),
    ).toHaveLength(1);
});

test('a counted atom is told once', () => {
    expect(told(`${FACTS}h(N) <- N = count(e(_, _)).\n`).filter(words => words.includes("'_'"))).toEqual([]);
});
