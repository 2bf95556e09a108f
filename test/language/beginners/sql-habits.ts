import type { BrokenProgram } from './broken-programs.ts';

/** Programs of people who come from SQL. */
export const SQL_HABITS: readonly BrokenProgram[] = [
    {
        name: 'SQL: columns by name behind a dot',
        text: 'person("ann", 31). person("bob", 17).\n@output("adult").\nadult(p.name) <- person(p), p.age >= 18.\n',
        steps: [
            {
                code: 'RL0005',
                says: /variable for each column/u,
                edit: ['adult(p.name) <- person(p), p.age >= 18', 'adult(N) <- person(N, A), A >= 18'],
            },
        ],
        facts: { adult: ['"ann"'] },
    },
    {
        name: 'SQL: COUNT(*)',
        text: 'sale("north", 3). sale("north", 4). sale("south", 1).\n@output("n").\nn(R, C) <- sale(R, _), C = COUNT(*).\n',
        steps: ['RL0048'],
        facts: { n: ['"north", 2', '"south", 1'] },
    },
    {
        name: 'SQL: SUM and GROUP BY',
        text: 'sale("north", 3). sale("north", 4). sale("south", 1).\n@output("total").\ntotal(R, S) <- sale(R, Q), S = SUM(Q) GROUP BY R.\n',
        steps: ['RL5001', 'RL0048'],
        facts: { total: ['"north", 7', '"south", 1'] },
    },
    {
        name: 'SQL: like in lower case',
        text: 'item("apple"). item("maple").\n@output("h").\nh(X) <- item(X), X like \'%ple\'.\n',
        steps: ['RL0048'],
        facts: { h: ['"apple"', '"maple"'] },
    },
    {
        name: 'SQL: -- behind clauses',
        text: 'sale("north", 3). -- the first sale\nsale("south", 1). -- the second one\n@output("h").\nh(R) <- sale(R, _). -- regions\n',
        steps: ['RL0031', 'RL0031', 'RL0031'],
        facts: { h: ['"north"', '"south"'] },
    },
    {
        name: 'SQL: || joins texts',
        text: 'name("ann", "lee").\n@output("full").\nfull(N) <- name(F, L), N = F || " " || L.\n',
        steps: ['RL4001'],
        facts: { full: ['"ann lee"'] },
    },
    {
        name: 'SQL: one time minus another',
        text: 'paid("a", 2031-04-09 22:00:00). paid("b", 2031-04-10 23:00:00).\n@output("days").\ndays(D) <- paid("a", T), paid("b", U), D = U - T.\n',
        steps: [{ code: 'RL4001', says: /write date:between\(T, U, "day"\)/u, edit: ['U - T', 'date:between(T, U, "day")'] }],
        facts: { days: ['1'] },
    },
    {
        name: 'SQL: a time minus days',
        text: 'paid("a", 2031-04-09).\n@param("days", 3).\n@output("due").\ndue(D) <- paid(_, T), D = T - ?days.\n',
        steps: [{ code: 'RL4001', says: /write date:plus\(T, -\?days, "day"\)/u, edit: ['T - ?days', 'date:plus(T, -?days, "day")'] }],
        facts: { due: ['2031-04-06'] },
    },
    {
        name: 'SQL: EXTRACT and DATE_TRUNC',
        text: 'paid("a", 2031-04-09).\n@output("h").\nh(Y, M) <- paid(_, T), Y = year(T), M = date_trunc(T, "month").\n',
        steps: ['RL5001', { code: 'RL5001', says: /did you mean 'date:truncate'/u, edit: ['date_trunc', 'date:truncate'] }],
        facts: { h: ['2031, 2031-04-01'] },
    },
    {
        name: 'SQL: ORDER BY',
        text: 'sale("north", 3). sale("south", 1).\n@output("s").\ns(R, Q) <- sale(R, Q) ORDER BY Q DESC.\n',
        steps: ['RL0048'],
        facts: { s: ['"north", 3', '"south", 1'] },
    },
    {
        name: 'SQL: NOT EXISTS',
        text: 'p(1). p(2). q(2).\n@output("h").\nh(X) <- p(X), NOT EXISTS q(X).\n',
        steps: ['RL0048'],
        facts: { h: ['1'] },
    },
    {
        name: 'bare true and false',
        text: 'flag("a", true). flag("b", false).\n@output("on").\non(X) <- flag(X, true).\n',
        steps: ['RL0046', 'RL0046', 'RL0046'],
        facts: { on: ['"a"'] },
    },
    {
        name: 'SQL: LIMIT',
        text: 'sale("north", 3). sale("south", 1).\n@output("s").\ns(R, Q) <- sale(R, Q), LIMIT 1.\n',
        steps: ['RL0048'],
        facts: { s: ['"north", 3'] },
    },
    {
        name: 'SQL: INSERT INTO',
        text: 'INSERT INTO p VALUES (1, 2).\np(3, 4).\n@output("h").\nh(X) <- p(X, _).\n',
        steps: ['RL0048'],
        facts: { h: ['1', '3'] },
    },
    {
        name: 'SQL: CREATE TABLE',
        text: 'CREATE TABLE p (name, age);\np("ann", 3).\n@output("h").\nh(X) <- p(X, _).\n',
        steps: ['RL0048', 'RL0032'],
        facts: { h: ['"ann"'] },
    },
    {
        name: 'SQL: WHERE and AND',
        text: 'employee("ann", "it", 50). employee("bob", "hr", 40).\n@output("rich").\nrich(Name) <- employee(Name, Dept, Salary) WHERE Salary > 45 AND Dept = \'it\'.\n',
        steps: ['RL0048', 'RL0048', 'RL0021'],
        facts: { rich: ['"ann"'] },
    },
    {
        name: 'SQL: HAVING',
        text: 'sale("n", 3). sale("n", 4). sale("s", 1).\n@output("big").\nbig(R, T) <- sale(R, Q), T = SUM(Q) HAVING T > 5.\n',
        steps: ['RL5001', 'RL0048'],
        facts: { big: ['"n", 7'] },
    },
    {
        name: 'SQL: AS',
        text: 'sale("n", 3). sale("n", 4). sale("s", 1).\n@output("n").\nn(R, N) <- sale(R, _), COUNT(*) AS N.\n',
        steps: ['RL0048', 'RL0048'],
        facts: { n: ['"n", 2', '"s", 1'] },
    },
    {
        name: 'SQL: IN with a subquery',
        text: 'p(1). p(2). q(2).\n@output("h").\nh(X) <- p(X), X IN (SELECT Y FROM q).\n',
        steps: ['RL0048'],
        facts: { h: ['2'] },
    },
    {
        name: 'SQL: a query in the place of a rule',
        text: 'employee("Ann", 1200). employee("Bob", 900).\n@output("result").\nSELECT name FROM employee WHERE salary > 1000;\n',
        steps: ['RL0048'],
        facts: { result: ['"Ann"'] },
    },
    {
        name: 'SQL: NOT LIKE',
        text: 'p("apple"). p("pear").\n@output("h").\nh(X) <- p(X), X NOT LIKE \'ap%\'.\n',
        steps: ['RL0048'],
        facts: { h: ['"pear"'] },
    },
    {
        name: 'SQL: COUNT(DISTINCT …)',
        text: 'sale("n", 3). sale("n", 3).\n@output("h").\nh(N) <- sale(_, Q), N = count(distinct Q).\n',
        steps: ['RL0048'],
        facts: { h: ['1'] },
    },
    {
        name: 'SQL: an aggregate in capitals in the head',
        text: 'sale("n", 3). sale("n", 4).\n@output("h").\nh(R, SUM(Q)) <- sale(R, Q).\n',
        steps: ['RL5001', 'RL3002'],
        facts: { h: ['"n", 7'] },
    },
];
