import { afterAll, expect, test } from 'vitest';
import type { Database } from '#engine/contracts/database.ts';
import { evaluate } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { FactNode, PremiseNode } from '#engine/explain/explanation.ts';
import { explanationTree } from '#engine/explain/explanation-tree.ts';
import { explanationWords } from '#engine/explain/explanation-words.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { sqlEngine } from '#server/compute/sql-engine.ts';

const queries = sqlEngine({ memory: 512 * 2 ** 20, threads: 2 });
afterAll(() => queries.close());

async function evaluated(text: string, heights = true): Promise<Database> {
    const { value, problems } = readProgram(text, 'p.rulelang');
    const program = analyse(value, { sql: readQuery });
    const errors = [...problems, ...program.problems].filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new Error(`${text}\n${errors.map(({ message }) => message).join('\n')}`);
    const outcome = await evaluate(program, {
        parameters: new Map(),
        limits: { maxRounds: 1000, maxNullDepth: 200, isoDepth: 3, maxMemory: 2 ** 30 },
        connectors: { source: () => undefined, sink: () => undefined },
        cancelled: () => undefined,
        clock: () => performance.now(),
        queries,
        heights,
    });
    if (!outcome.ok) throw new Error(`${text}\n${outcome.reports.map(({ message }) => message).join('\n')}`);
    return outcome.database;
}

/** Every fact of a predicate with all its derivations, or the first one. */
function explained(database: Database, name: string, all: boolean): FactNode[] {
    const predicate = [...database.program.predicates.values()].find(one => one.name === name);
    const key = predicate?.key ?? ('' as PredicateKey);
    const label = nullLabels(database.dictionary);
    return Array.from({ length: database.relation(key)?.count ?? 0 }, (_, row) =>
        explainFact(database, { predicate: key, row }, { all, label }),
    );
}

/** The facts of `p`, which are the same whether or not somebody wants to know where they come from. */
function factsOf(database: Database): string[] {
    return explained(database, 'p', false)
        .map(({ fact }) => plain(fact))
        .sort();
}

/** Labels of unknown values mean nothing. */
function plain(fact: string): string {
    return fact.replaceAll(/\bz\d+\b/gu, 'null');
}

function factsIn(premise: PremiseNode): string[] {
    return premise.kind === 'fact' ? [premise.fact] : premise.contributions.flatMap(({ premises }) => premises.flatMap(factsIn));
}

const FACTS = 'ord("o1", "ada", 30). ord("o2", "ada", 50). ord("o3", "bo", 7). customer("ada", "Oslo"). customer("bo", "Rome").\n';

async function tree(rules: string, name: string, all = false): Promise<string[]> {
    const facts = explained(await evaluated(`${FACTS}${rules}`), name, all);
    return facts.map(fact => explanationTree(fact, { place: () => '', limit: 100 }).join('\n'));
}

test('the rows that a query joins are the premises of its rows, and are explained further', async () => {
    const [first = ''] = await tree(
        `large(O) <- ord(O, _, A), A > 40.
        p(C, T) <- SELECT c.customer_0, c.customer_1 FROM ord o JOIN customer c ON o.ord_1 = c.customer_0 JOIN large l ON l.large_0 = o.ord_0.`,
        'p',
    );
    expect(first.replaceAll(/ +$/gmu, '').split('\n')).toEqual([
        'p("ada","Oslo")',
        expect.stringContaining('│ p(C,T) <- SELECT c.customer_0'),
        '├─ ord("o2","ada",50)',
        '├─ customer("ada","Oslo")',
        '└─ large("o2")',
        '   │ large(O) <- ord(O,_,A), A>40',
        '   └─ ord("o2","ada",50)',
    ]);
});

test('a group has the rows that it was made from, and says how many there are besides', async () => {
    const groups = explained(await evaluated(`${FACTS}p(C, S) <- SELECT ord_1, sum(ord_2) FROM ord GROUP BY ord_1.`), 'p', false);
    // Groups come in any order.
    const first = groups.find(({ fact }) => fact.startsWith('p("ada"'));
    expect(first?.derivations[0]?.premises.map(({ kind }) => kind)).toEqual(['group']);
    expect(first && explanationWords(first)).toBe('p("ada",80) holds because ord("o1","ada",30) and ord("o2","ada",50).');
    const numbers = Array.from({ length: 250 }, (_, i) => `n(${i}).`).join(' ');
    const [all] = explained(await evaluated(`${numbers} p(S) <- SELECT count(*) FROM n.`), 'p', false);
    expect(all?.derivations[0]?.premises[0]).toMatchObject({ more: 150, contributions: { length: 100 } });
    expect(all && explanationTree(all, { place: () => '', limit: 200 }).at(-1)).toBe('   └─ … and 150 more');
    expect(all && explanationWords(all)).toBe('p(250) holds because n(0), n(1), n(2), n(3), n(4) and 245 more.');
});

test('the walks of a relation function over a query are told by the facts that the query makes their edges of', async () => {
    const [first = ''] = await tree(
        `road("a", "b", 1). road("b", "c", 2). road("a", "c", 9). toll("a", "b", 1). toll("b", "c", 1).
        p(X, Y, C) <- #ASP("SELECT r.road_0, r.road_1, r.road_2 + t.toll_2 FROM road r JOIN toll t ON r.road_0 = t.toll_0 AND r.road_1 = t.toll_1",
            "source=a, target=c").`,
        'p',
    );
    expect(first.replaceAll(/ +$/gmu, '').split('\n')).toEqual([
        'p("a","c",5)',
        expect.stringContaining('│ p(X,Y,C) <- #ASP('),
        '├─ road("a","b",1)',
        '├─ toll("a","b",1)',
        '├─ road("b","c",2)',
        '└─ toll("b","c",1)',
    ]);
    const [untold] = explained(
        await evaluated('road("a", "b", 1). p(X, Y) <- #TC("SELECT road_0, road_1 FROM road EXCEPT SELECT road_1, road_0 FROM road").'),
        'p',
        true,
    );
    expect(untold?.derivations.map(({ premises }) => premises)).toEqual([[]]);
});

test.each([
    ['EXCEPT', 'SELECT customer_0 FROM customer EXCEPT SELECT ord_0 FROM ord'],
    ['a window', 'SELECT rank() OVER (ORDER BY ord_2) FROM ord'],
    ['groups within a query', 'SELECT s FROM (SELECT sum(ord_2) AS s FROM ord) q'],
    ['a limit of rows that are put together', 'SELECT DISTINCT customer_0 FROM customer ORDER BY 1 LIMIT 1'],
])('of %s the text alone is told', async (_, sql) => {
    const facts = explained(await evaluated(`${FACTS}p(X) <- ${sql}.`), 'p', true);
    expect(facts.length).toBeGreaterThan(0);
    for (const { derivations } of facts) expect(derivations.map(({ premises }) => premises)).toEqual([[]]);
});

test('a column of the name of DuckDB’s row numbers hides them', async () => {
    const facts = explained(await evaluated('@model("r", "[\'rowid:int\']"). r(5). p(X) <- SELECT rowid FROM r.'), 'p', false);
    expect(facts.map(({ fact, derivations }) => [fact, derivations.map(({ premises }) => premises)])).toEqual([['p(5)', [[]]]]);
});

test('integers that a double does not hold stay what they are', async () => {
    const facts = explained(
        await evaluated(`n(1). p(X) <- SELECT 9007199254740993 + n_0 FROM n WHERE 9223372036854775807 > n_0.`),
        'p',
        false,
    );
    expect(facts.map(({ fact, derivations }) => [fact, derivations[0]?.premises.flatMap(factsIn)])).toEqual([
        ['p(9007199254740994)', ['n(1)']],
    ]);
});

/** Numbers below `most`, the same for the same seed. */
function numbers(seed: number): (most: number) => number {
    let state = seed;
    return most => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * most);
    };
}

const COLUMNS = { t: ['t_0', 't_1', 't_2'], u: ['u_0', 'u_1'] } as const;

/** A query over `t` and `u` whose rows come from rows of them. */
function randomQuery(seed: number): string {
    const below = numbers(seed);
    const one = <T>(all: readonly T[]): T => all[below(all.length)] as T;
    const select = (arity: number): { readonly text: string; readonly items: readonly string[]; readonly rest: string } => {
        const kind = below(6);
        const other = one(['t', 'u'] as const);
        const [left, right] = [COLUMNS.t.map(name => `x.${name}`), COLUMNS[other].map(name => `y.${name}`)];
        const columns = kind === 0 ? left : [...left, ...right];
        const from =
            [
                't x',
                `t x, ${other} y`,
                `t x JOIN ${other} y ON ${one(left)} = ${one(right)}`,
                `t x LEFT JOIN ${other} y ON ${one(left)} = ${one(right)}`,
                `(SELECT * FROM t WHERE t_0 > 0) x FULL JOIN (SELECT * FROM ${other}) y ON ${one(left)} < ${one(right)}`,
                `t x RIGHT JOIN (SELECT * FROM ${other} UNION ALL SELECT * FROM ${other}) y ON ${one(left)} = ${one(right)}`,
            ][kind] ?? '';
        const condition = (): string =>
            one([
                `${one(columns)} > ${below(3)}`,
                `${one(columns)} IS NULL`,
                `${one(columns)} <> ${one(columns)}`,
                `NOT (${one(columns)} = ${below(3)})`,
            ]);
        const where = below(2) === 0 ? '' : ` WHERE ${condition()}${one(['', ` AND ${condition()}`, ` OR ${condition()}`])}`;
        const items = Array.from({ length: arity }, () =>
            one([one(columns), `${one(columns)} + ${below(2)}`, `coalesce(${one(columns)}, 9)`]),
        );
        const rest = ` FROM ${from}${where}`;
        return { text: `SELECT ${items.join(', ')}${rest}`, items, rest };
    };
    const { text, items, rest } = select(2);
    const [first = '', second = ''] = items;
    switch (below(6)) {
        case 0:
            return `SELECT DISTINCT${text.slice('SELECT'.length)}`;
        case 1:
            return `SELECT ${first}, ${one(['count(*)', `sum(${second})`, `min(${second})`])}${rest} GROUP BY ${first}`;
        case 2:
            return `${text} UNION ${one(['', 'ALL '])}${select(2).text}`;
        case 3:
            return `WITH v AS (${text.replace(second, `${second} AS b`).replace(first, `${first} AS a`)}) SELECT v.b, v.a FROM v${one(['', ' WHERE a > 0', ', v w'])}`;
        default:
            return text;
    }
}

function randomFacts(below: (most: number) => number): string[] {
    const value = (): string => (below(7) === 0 ? 'null' : `${below(4)}`);
    const facts = Array.from({ length: 4 }, () => `t(${value()},${value()},${value()})`);
    return [...new Set([...facts, ...Array.from({ length: 3 }, () => `u(${value()},${value()})`)])];
}

function program(facts: readonly string[], sql: string): string {
    return `@model("t", "['t_0:int', 't_1:int', 't_2:int']"). @model("u", "['u_0:int', 'u_1:int']").
${facts.map(fact => `${fact}.`).join(' ')}
p(A, B) <- ${sql}.
@output("p").`;
}

test('the rows that are told give the row by themselves, and one that gives it is told wherever there is any', async () => {
    let checked = 0;
    for (let seed = 1; seed <= 25; seed++) {
        const sql = randomQuery(seed);
        const facts = randomFacts(numbers(seed * 77));
        const database = await evaluated(program(facts, sql));
        expect(factsOf(database), `${seed}: ${sql}`).toEqual(factsOf(await evaluated(program(facts, sql), false)));
        const told = new Map<string, { readonly fact: string; readonly premises: readonly string[] }>();
        for (const { fact, derivations } of explained(database, 'p', true).slice(0, 8)) {
            for (const { premises } of derivations.slice(0, 2)) {
                const rows = [...new Set(premises.flatMap(factsIn).map(plain))].sort();
                expect(rows, `${seed}: ${sql} tells nothing of ${fact}`).not.toEqual([]);
                told.set(`${plain(fact)} ${rows.join()}`, { fact: plain(fact), premises: rows });
            }
        }
        for (const { fact, premises } of told.values()) {
            expect(factsOf(await evaluated(program(premises, sql), false)), `${seed}: ${sql}\nover ${premises.join(' ')}`).toContain(fact);
            checked++;
        }
    }
    expect(checked).toBeGreaterThan(60);
});
