import { seededRandom } from './program-variations.ts';

/** The tables of random queries: rows about numbers and words, of which any may be NULL. */
export const TABLES = [
    { name: 't', columns: ['k', 'n', 's', 'd'] },
    { name: 'u', columns: ['k', 'm', 's'] },
];
export const MODELS = `@model("t", "['k:int', 'n:int', 's:string', 'd:double']", "").
@model("u", "['k:int', 'm:int', 's:string']", "").`;
export const CREATES = `DROP TABLE IF EXISTS t; DROP TABLE IF EXISTS u;
CREATE TABLE t(k INTEGER, n INTEGER, s TEXT, d DOUBLE); CREATE TABLE u(k INTEGER, m INTEGER, s TEXT);`;

type Kind = 'number' | 'text';
interface Column {
    readonly name: string;
    readonly kind: Kind;
}

const COLUMNS: Readonly<Record<'t' | 'u', readonly Column[]>> = {
    t: [
        { name: 'k', kind: 'number' },
        { name: 'n', kind: 'number' },
        { name: 's', kind: 'text' },
        { name: 'd', kind: 'number' },
    ],
    u: [
        { name: 'k', kind: 'number' },
        { name: 'm', kind: 'number' },
        { name: 's', kind: 'text' },
    ],
};

/** The fact that rows with a NULL of all rows take it from. */
export const ONE_NULL = 'nothing(null).';

/** Rows of both tables as clauses, one a line, half of their values NULL: each an unknown value of its own, or all the same. */
export function randomRows(seed: number): string[] {
    const { below, chance } = chooser(seed);
    const unknown = chance(0.5) ? 'null' : 'Nothing';
    const value = (text: string): string => (chance(0.5) ? unknown : text);
    const number = (most: number): string => value(`${below(most)}`);
    const word = (): string => value(`"${'xyz'.charAt(below(3))}"`);
    const atoms = [
        ...Array.from({ length: 3 + below(5) }, () => `t(${number(3)},${number(4)},${word()},${value(`${below(5)}.5`)})`),
        ...Array.from({ length: 2 + below(5) }, () => `u(${number(3)},${number(4)},${word()})`),
    ];
    const rows = atoms.map(atom => `${atom}${atom.includes('Nothing') ? ' <- nothing(Nothing)' : ''}.`);
    // Facts are a set; unknown values differ.
    return rows.filter((row, i) => row.includes('null') || rows.indexOf(row) === i);
}

/** A row of a table as SQL inserts it. */
export function insertOf(row: string): string {
    const [atom = ''] = row.split(/\.?$| <-/u);
    return `INSERT INTO ${atom.replace('(', ' VALUES (').replaceAll('"', "'").replaceAll('Nothing', 'NULL')};`;
}

/** A query over them, each clause on a line of its own. */
export function randomQuery(seed: number): string[] {
    const random = chooser(~seed);
    const { below, chance, pick } = random;
    if (!chance(0.15)) return select(random).lines;
    const kinds = Array.from({ length: 1 + below(2) }, () => pick<Kind>(['number', 'text']));
    // Databases differ in how several sets are combined.
    const isUnion = chance(0.75);
    const operators = isUnion ? ['UNION', 'UNION ALL'] : ['INTERSECT', 'EXCEPT'];
    const more = isUnion && chance(0.2) ? 2 : 1;
    return Array.from({ length: more }).reduce<string[]>(
        lines => [...lines, pick(operators), ...select(random, kinds).lines],
        select(random, kinds).lines,
    );
}

interface Chooser {
    below(count: number): number;
    chance(share: number): boolean;
    pick<T>(all: readonly T[]): T;
}

function chooser(seed: number): Chooser {
    const random = seededRandom(seed);
    const below = (count: number): number => Math.floor(random() * count);
    return {
        below,
        chance: share => random() < share,
        pick: all => {
            const one = all[below(all.length)];
            if (one === undefined) throw new Error('nothing to choose from');
            return one;
        },
    };
}

function select(random: Chooser, kinds?: readonly Kind[]): { readonly lines: string[] } {
    const { below, chance, pick } = random;
    const from: string[] = [];
    const columns: Column[] = [];
    const add = (table: 't' | 'u', alias: string): void => {
        for (const { name, kind } of COLUMNS[table]) columns.push({ name: `${alias}.${name}`, kind });
    };
    const joins = pick([0, 0, 1, 1, 1, 2]);
    // A comma binds less than a join.
    const isList = chance(0.2);
    for (let i = 0; i <= joins; i++) {
        const table = pick(['t', 'u'] as const);
        const alias = 'abc'.charAt(i);
        add(table, alias);
        if (i === 0) from.push(`FROM ${table} ${alias}`);
        else {
            const join = `${pick(['JOIN', 'JOIN', 'LEFT JOIN'])} ${table} ${alias} ON ${joinCondition(random, columns, alias)}`;
            from.push(isList ? `, ${table} ${alias}` : join);
        }
    }
    const where = chance(0.4) ? [`WHERE ${condition(random, columns, 2)}`] : [];
    const wanted = kinds ?? Array.from({ length: 1 + below(3) }, () => pick<Kind>(['number', 'text']));
    const aggregated = chance(0.6);
    if (!aggregated) {
        const items = wanted.map(kind => expression(random, columns, kind));
        return { lines: [`SELECT ${chance(0.4) ? 'DISTINCT ' : ''}${items.join(', ')}`, ...from, ...where] };
    }
    const keys = Array.from({ length: pick([0, 1, 1, 1, 2]) }, () => {
        const kind = pick<Kind>(['number', 'text']);
        return { kind, text: chance(0.8) ? column(random, columns, kind) : expression(random, columns, kind) };
    });
    const more = kinds === undefined ? [pick<Kind>(['number', 'text']), 'number' as const] : [];
    const items = [...wanted, ...more].map(kind => {
        const own = keys.filter(key => key.kind === kind);
        return own.length > 0 && chance(0.2) ? pick(own).text : aggregate(random, columns, kind);
    });
    if (kinds === undefined && keys.length > 0) items.unshift(...keys.map(({ text }) => text));
    const group = keys.length === 0 ? [] : [`GROUP BY ${keys.map(({ text }) => text).join(', ')}`];
    const having = keys.length > 0 && chance(0.3) ? [`HAVING ${havingCondition(random, columns, keys)}`] : [];
    const distinct = chance(0.15) ? 'DISTINCT ' : '';
    return { lines: [`SELECT ${distinct}${items.join(', ')}`, ...from, ...where, ...group, ...having] };
}

function column({ pick }: Chooser, columns: readonly Column[], kind: Kind): string {
    return pick(columns.filter(one => one.kind === kind)).name;
}

function constant({ pick }: Chooser, kind: Kind): string {
    return kind === 'number' ? pick(['0', '1', '2', '3', '1.5']) : pick(["'x'", "'y'", "'z'"]);
}

function expression(random: Chooser, columns: readonly Column[], kind: Kind): string {
    const { pick, chance } = random;
    const one = column(random, columns, kind);
    if (chance(0.75)) return one;
    const other = chance(0.5) ? column(random, columns, kind) : constant(random, kind);
    return kind === 'text'
        ? pick([`${one} || ${other}`, `COALESCE(${one}, ${other})`, `REPLACE(${one}, 'x', 'z')`, `CONCAT(${one}, ${other})`])
        : pick([`${one} + ${other}`, `COALESCE(${one}, ${other})`, `-${one}`]);
}

/** A join of which one side is the new table, mostly. */
function joinCondition(random: Chooser, columns: readonly Column[], alias: string): string {
    const { chance, pick } = random;
    const kind = pick<Kind>(['number', 'text']);
    const [own, others] = [
        columns.filter(({ name }) => name.startsWith(`${alias}.`)),
        columns.filter(({ name }) => !name.startsWith(`${alias}.`)),
    ];
    const operator = chance(0.9) ? '=' : pick(['<>', '<', '>=', 'IS NOT DISTINCT FROM']);
    const equality = `${column(random, others, kind)} ${operator} ${column(random, own, kind)}`;
    return chance(0.85) ? equality : `${equality} AND ${condition(random, columns, 1)}`;
}

function condition(random: Chooser, columns: readonly Column[], depth: number): string {
    const { chance, pick } = random;
    if (depth > 0 && chance(0.5)) {
        const inner = (): string => condition(random, columns, depth - 1);
        return pick([() => `NOT (${inner()})`, () => `(${inner()} OR ${inner()})`, () => `${inner()} AND ${inner()}`])();
    }
    const kind = pick<Kind>(['number', 'text']);
    return comparison(random, expression(random, columns, kind), kind, () => expression(random, columns, kind));
}

function comparison(random: Chooser, left: string, kind: Kind, right: () => string): string {
    const { chance, pick } = random;
    const some = (): string => constant(random, kind);
    const operator = (): string => pick(['=', '=', '=', '<>', '<>', '<', '<=', '>', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM']);
    return pick([
        () => `${left} ${operator()} ${right()}`,
        () => `${left} ${operator()} ${right()}`,
        () => `${left} ${operator()} ${some()}`,
        () => `${left} ${pick(['=', '<>', '<='])} ${left}`,
        () => `${left} IS ${pick(['', 'NOT '])}NULL`,
        () => `${left} ${pick(['', 'NOT '])}IN (${some()}, ${chance(0.1) ? 'NULL' : some()})`,
        () =>
            kind === 'number'
                ? `${left} ${pick(['', 'NOT '])}BETWEEN ${some()} AND ${right()}`
                : `${left} ${pick(['', 'NOT '])}LIKE ${pick(["'x%'", "'%y'", "'%z%'", "'_'"])}`,
        () => (chance(0.5) ? `${left} ${pick(['', 'NOT '])}IN (SELECT ${kind === 'number' ? 'm' : 's'} FROM u)` : `${left} >= ${some()}`),
    ])();
}

function aggregate(random: Chooser, columns: readonly Column[], kind: Kind): string {
    const { chance, pick } = random;
    const one = column(random, columns, kind);
    if (kind === 'text') return `${pick(['MIN', 'MAX'])}(${one})`;
    const numbers = expression(random, columns, 'number');
    return pick([
        'COUNT(*)',
        `COUNT(${chance(0.5) ? numbers : column(random, columns, 'text')})`,
        `COUNT(DISTINCT ${column(random, columns, pick<Kind>(['number', 'text']))})`,
        `SUM(${chance(0.2) ? `DISTINCT ${one}` : numbers})`,
        `AVG(${chance(0.2) ? `DISTINCT ${one}` : numbers})`,
        `MIN(${numbers})`,
        `MAX(${numbers})`,
        `SUM(${one})`,
        `SUM(${one}) + COUNT(*)`,
    ]);
}

function havingCondition(
    random: Chooser,
    columns: readonly Column[],
    keys: readonly { readonly kind: Kind; readonly text: string }[],
): string {
    const { chance, pick } = random;
    const side = (): { kind: Kind; text: string } => {
        if (chance(0.3)) return pick(keys);
        const kind = pick<Kind>(['number', 'text']);
        return { kind, text: aggregate(random, columns, kind) };
    };
    const one = (): string => {
        const { kind, text } = side();
        return comparison(random, text, kind, () => aggregate(random, columns, kind));
    };
    return pick([one, () => `NOT (${one()})`, () => `(${one()} OR ${one()})`, () => `${one()} AND ${one()}`])();
}
