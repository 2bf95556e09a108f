import { afterAll, expect, test } from 'vitest';
import type { QueryInput, QueryLack } from '#engine/contracts/queries.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { sqlEngine } from '#server/compute/sql-engine.ts';
import { seededRandom } from '../../support/program-variations.ts';

const queries = sqlEngine({ memory: 512 * 2 ** 20, threads: 1 });
afterAll(() => queries.close());

type Cell = number | null;
type Table = readonly (readonly Cell[])[];
/** A row of each table of a query. */
type Match = readonly (readonly Cell[])[];

/** A column of a table of the query, both by number; or a number. */
interface Column {
    readonly unit: number;
    readonly column: number;
}
type Operand = Column | number;

interface Test {
    readonly left: Column;
    readonly operator: '=' | '<' | '<>' | 'IS NULL';
    readonly right: Operand;
}

interface Select {
    readonly units: readonly { readonly table: 't' | 'u'; readonly alias: string }[];
    readonly tests: readonly Test[];
    readonly items: readonly { readonly column: Column; readonly plus: number }[];
}

const ARITY = { t: 3, u: 2 } as const;

function columnText({ units }: Select, { unit, column }: Column): string {
    return `${units[unit]?.alias}.${units[unit]?.table}_${column}`;
}

function testText(select: Select, { left, operator, right }: Test): string {
    if (operator === 'IS NULL') return `${columnText(select, left)} IS NULL`;
    return `${columnText(select, left)} ${operator} ${typeof right === 'number' ? right : columnText(select, right)}`;
}

function textOf(select: Select, joins: boolean): string {
    const { units, tests, items } = select;
    const shown = items.map(({ column, plus }) => `${columnText(select, column)}${plus === 0 ? '' : ` + ${plus}`}`).join(', ');
    const [first = '', ...others] = units.map(({ table, alias }) => `${table} AS ${alias}`);
    const conditions = tests.map(one => testText(select, one));
    if (!joins || others.length === 0)
        return `SELECT ${shown} FROM ${[first, ...others].join(', ')}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
    return `SELECT ${shown} FROM ${first} JOIN ${others.join(' CROSS JOIN ')} ON ${conditions.join(' AND ') || 'true'}`;
}

function cell(match: Match, { unit, column }: Column): Cell {
    return match[unit]?.[column] ?? null;
}

function holds({ left, operator, right }: Test, match: Match): boolean {
    const a = cell(match, left);
    if (operator === 'IS NULL') return a === null;
    const b = typeof right === 'number' ? right : cell(match, right);
    if (a === null || b === null) return false;
    return operator === '=' ? a === b : operator === '<' ? a < b : a !== b;
}

function itemOf(item: Select['items'][number] | undefined, match: Match): Cell {
    const value = item === undefined ? null : cell(match, item.column);
    return item === undefined || value === null ? null : value + item.plus;
}

function product(tables: readonly Table[]): Match[] {
    return tables.reduce<Match[]>((matches, rows) => matches.flatMap(match => rows.map(row => [...match, row])), [[]]);
}

function mentions({ left, operator, right }: Test, unit: number): boolean {
    return left.unit === unit || (operator !== 'IS NULL' && typeof right !== 'number' && right.unit === unit);
}

function randomSelect(below: (most: number) => number): Select {
    const units = Array.from({ length: 1 + below(3) }, (_, i) => ({
        table: below(2) === 0 ? ('t' as const) : ('u' as const),
        alias: `x${i}`,
    }));
    const column = (): Column => {
        const unit = below(units.length);
        return { unit, column: below(ARITY[units[unit]?.table ?? 't']) };
    };
    const operators = ['=', '=', '<', '<>', 'IS NULL'] as const;
    const tests = Array.from({ length: below(5) }, () => ({
        left: column(),
        operator: operators[below(operators.length)] ?? '=',
        right: below(2) === 0 ? column() : below(4),
    }));
    return { units, tests, items: Array.from({ length: 2 }, () => ({ column: column(), plus: below(4) === 0 ? 1 : 0 })) };
}

/** What is wrong with a statement about a query; undefined where it is true. */
function untrue(
    select: Select,
    tables: { readonly t: Table; readonly u: Table },
    asked: readonly Cell[],
    lack: QueryLack,
    number: (id: number | undefined) => Cell,
): string | undefined {
    const { units, tests, items } = select;
    const fits = (match: Match, column: number): boolean => asked[column] === null || itemOf(items[column], match) === asked[column];
    const all = product(units.map(({ table }) => tables[table]));
    switch (lack.kind) {
        case 'empty':
            return all.some(match => tests.every(one => holds(one, match))) ? 'there are rows' : undefined;
        case 'value': {
            const given = number(lack.given);
            const isGiven = all.some(
                match =>
                    tests.every(one => holds(one, match)) &&
                    [0, 1].every(i => i === lack.column || fits(match, i)) &&
                    itemOf(items[lack.column], match) === given,
            );
            return isGiven && given !== asked[lack.column] ? undefined : 'no such value';
        }
        case 'condition': {
            const match = lack.rows.map(({ row }, unit) => tables[units[unit]?.table ?? 't'][row] ?? []);
            const left = tests.filter(one => testText(select, one) !== bare(lack.condition));
            const own = tests.filter(one => testText(select, one) === bare(lack.condition));
            if (match.length !== units.length || own.length === 0) return 'of nothing';
            if (own.some(one => holds(one, match))) return 'it holds';
            if (!left.every(one => holds(one, match)) || !fits(match, 0) || !fits(match, 1)) return 'something else fails';
            const values = lack.values.map(({ name, value }) => [name, number(value)] as const);
            const shown = own.flatMap(({ left: column, right, operator }) => [
                column,
                ...(operator === 'IS NULL' || typeof right === 'number' ? [] : [right]),
            ]);
            return shown.every(column =>
                values.some(([name, value]) => name === columnText(select, column) && value === cell(match, column)),
            )
                ? undefined
                : 'other values';
        }
        case 'table': {
            const unit = units.findIndex(({ alias }) => alias === lack.table);
            const others = units.map(({ table }, i) => ({ table, i })).filter(({ i }) => i !== unit);
            const rows = new Map(others.map(({ table, i }, at) => [i, tables[table][lack.rows[at]?.row ?? -1] ?? []]));
            if (lack.rows.length !== others.length || unit < 0) return 'of nothing';
            const matchWith = (row: readonly Cell[]): Match => units.map((_, i) => (i === unit ? row : (rows.get(i) ?? [])));
            const outside = tests.filter(one => !mentions(one, unit));
            const blank = matchWith([]);
            if (!outside.every(one => holds(one, blank))) return 'the rest fails';
            if ([0, 1].some(i => items[i]?.column.unit !== unit && !fits(blank, i))) return 'the rest gives another row';
            const own = tests.filter(one => mentions(one, unit));
            if (
                own
                    .map(one => testText(select, one))
                    .sort()
                    .join() !== lack.conditions.map(bare).sort().join()
            )
                return 'other conditions';
            const mine = [0, 1].filter(i => items[i]?.column.unit === unit && asked[i] !== null);
            if (lack.asked.map(({ column }) => column).join() !== mine.join()) return 'other values asked';
            const some = tables[units[unit]?.table ?? 't'].some(row => {
                const match = matchWith(row);
                return own.every(one => holds(one, match)) && mine.every(i => fits(match, i));
            });
            if (some) return 'a row fits';
            const bound = [...(lack.known ?? [])].every(([column, value]) => {
                const isEqual = own.some(
                    ({ left, operator, right }) =>
                        operator === '=' &&
                        ((left.unit === unit &&
                            left.column === column &&
                            number(value) === (typeof right === 'number' ? right : cell(blank, right))) ||
                            (typeof right !== 'number' &&
                                right.unit === unit &&
                                right.column === column &&
                                number(value) === cell(blank, left))),
                );
                return (
                    isEqual ||
                    items.some(
                        (item, i) =>
                            item.column.unit === unit && item.column.column === column && item.plus === 0 && asked[i] === number(value),
                    )
                );
            });
            return bound ? undefined : 'a value that nothing asks for';
        }
    }
}

/** Without brackets around the whole. */
function bare(text: string): string {
    return text.replace(/^\((.*)\)$/u, '$1').replaceAll('!=', '<>');
}

test('what is said about a query without a row is true, and nearly always something is said', async () => {
    const random = seededRandom(5);
    const below = (most: number): number => Math.floor(random() * most);
    const kinds = new Map<string, number>();
    const wrong: string[] = [];
    let [absent, told] = [0, 0];
    for (let i = 0; i < 120; i++) {
        const select = randomSelect(below);
        const rows = (arity: number, count: number): Table =>
            Array.from({ length: count }, () => Array.from({ length: arity }, () => (below(7) === 0 ? null : below(4))));
        const tables = { t: rows(3, below(4)), u: rows(2, below(4)) };
        const asked = [below(5), below(3) === 0 ? null : below(5)];
        const dictionary = new Dictionary();
        const idOf = (value: Cell): number => (value === null ? dictionary.freshNull('data') : dictionary.number(value));
        const inputs = (['t', 'u'] as const).map(
            (name): QueryInput => ({
                name,
                relation: name,
                columns: Array.from({ length: ARITY[name] }, (_, column) => ({ name: `${name}_${column}`, type: { kind: 'int' } })),
                count: tables[name].length,
                ids: Array.from({ length: ARITY[name] }, (_, column) => Int32Array.from(tables[name], row => idOf(row[column] ?? null))),
            }),
        );
        const text = textOf(select, below(2) === 0);
        const ids = asked.map(value => (value === null ? undefined : dictionary.number(value)));
        const parameter = (): never => {
            throw new Error('no parameter');
        };
        const lacks = await queries.lacks({ text, tables: inputs, parameter, dictionary }, ids, () => undefined);
        const isThere = product(select.units.map(({ table }) => tables[table])).some(
            match =>
                select.tests.every(one => holds(one, match)) &&
                select.items.every((item, at) => asked[at] === null || itemOf(item, match) === asked[at]),
        );
        if (isThere) {
            expect(lacks, text).toEqual([]);
            continue;
        }
        absent++;
        if (lacks.length > 0) told++;
        for (const lack of lacks) {
            kinds.set(lack.kind, (kinds.get(lack.kind) ?? 0) + 1);
            const number = (id: number | undefined): Cell => (id === undefined ? null : dictionary.numberOf(id));
            const fault = untrue(select, tables, asked, lack, number);
            if (fault !== undefined) wrong.push(`${fault}: ${text} ${JSON.stringify({ tables, asked, lack })}`);
        }
    }
    expect(wrong.slice(0, 3).join('\n')).toBe('');
    expect([...kinds.keys()].sort()).toEqual(['condition', 'empty', 'table', 'value']);
    expect(told).toBeGreaterThan(0.8 * absent);
});
