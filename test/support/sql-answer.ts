import type { DuckDBConnection } from '@duckdb/node-api';
import { type Atom, type Rule, STRATA, type StratifiedProgram } from './stratified-program.ts';

/** The facts of a stratified program as DuckDB finds them, rules as queries that run until they add nothing: sorted texts `p(1, 2)`. */
export async function sqlAnswer({ facts, strata }: StratifiedProgram, connection: DuckDBConnection): Promise<string[]> {
    const tables = STRATA.flat();
    for (const [name, arity] of tables) {
        const columns = Array.from({ length: arity }, (_, i) => `c${i} BIGINT`);
        await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (${columns.join(', ')})`);
    }
    const rowsOf = async (name: string): Promise<readonly (readonly unknown[])[]> =>
        (await connection.runAndReadAll(`FROM ${name}`)).getRows();
    const add = async (name: string, query: string): Promise<void> =>
        void (await connection.run(`INSERT INTO ${name} (${query} EXCEPT FROM ${name})`));
    for (const { predicate, terms } of facts) await add(predicate, `SELECT ${terms.map(term => `${term}::BIGINT`).join(', ')}`);
    for (const rules of strata) {
        const heads = [...new Set(rules.map(({ head }) => head.predicate))];
        const count = async (): Promise<string> => (await Promise.all(heads.map(async name => (await rowsOf(name)).length))).join();
        for (let before = ''; before !== (await count()); ) {
            before = await count();
            for (const rule of rules) await add(rule.head.predicate, query(rule));
        }
    }
    const texts: string[] = [];
    for (const [name] of tables) for (const row of await rowsOf(name)) texts.push(`${name}(${row.join(', ')})`);
    return texts.sort();
}

function query({ head, atoms, negated, conditions, sum, aggregate }: Rule): string {
    const columns = new Map<string, string>();
    const where: string[] = [];
    const compare = (atom: Atom, table: string, bind: boolean): string[] =>
        atom.terms.flatMap((term, i) => {
            const column = `${table}.c${i}`;
            if (term === '_') return [];
            if (typeof term === 'number') return [`${column} = ${term}`];
            const known = columns.get(term);
            if (known !== undefined) return [`${column} = ${known}`];
            if (bind) columns.set(term, column);
            return [];
        });
    for (const [i, atom] of atoms.entries()) where.push(...compare(atom, `a${i}`, true));
    const valueIn = (term: string | number): string => (typeof term === 'number' ? `${term}` : (columns.get(term) ?? ''));
    for (const [i, atom] of negated.entries()) {
        const same = compare(atom, `b${i}`, false);
        where.push(`NOT EXISTS (FROM ${atom.predicate} b${i}${same.length === 0 ? '' : ` WHERE ${same.join(' AND ')}`})`);
    }
    for (const { left, operator, right } of conditions) where.push(`${valueIn(left)} ${operator} ${valueIn(right)}`);
    if (sum !== undefined) columns.set('N', `(${valueIn(sum.of)} + ${sum.plus})`);
    const keys = head.terms.filter(term => term !== 'A').map(valueIn);
    if (aggregate !== undefined) columns.set('A', aggregateOf(aggregate.of, valueIn(aggregate.variable)));
    const selected = head.terms.map(term => `${valueIn(term)}::BIGINT`).join(', ');
    const from = atoms.map(({ predicate }, i) => `${predicate} a${i}`).join(', ');
    const filter = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
    const group = aggregate === undefined || keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`;
    return `SELECT DISTINCT ${selected} FROM ${from}${filter}${group}`;
}

function aggregateOf(of: string, column: string): string {
    switch (of) {
        case 'count':
            return `COUNT(DISTINCT ${column})`;
        case 'sum':
            return `SUM(DISTINCT ${column})`;
        case 'matches':
            return 'COUNT(*)';
        default:
            return `${of}(${column})`;
    }
}
