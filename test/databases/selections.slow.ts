import { describe, test } from 'vitest';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { compareSelections, SELECTED_TERMS, type SelectedColumn } from '../support/compare-selections.ts';
import { mariadbShop, postgresqlShop, type Shop } from './shop.ts';

/** Random programs for each database, and where they begin: `RANDOM_PROGRAMS=400` tries more of them, `RANDOM_SEED` others. */
const PROGRAMS = Number(process.env.RANDOM_PROGRAMS ?? 100);
const SEED = Number(process.env.RANDOM_SEED ?? 9);

const { integers, doubles, texts, dates, timestamps, booleans } = SELECTED_TERMS;
const numbers = [...doubles, ...integers];

/** A column, its type in the database, and the texts of its values. */
interface StoredColumn extends SelectedColumn {
    readonly stored: string;
    readonly values: readonly string[];
}

const plain = texts.map(text => text.slice(1, -1).replaceAll('\\\\', '\\'));

function column(name: string, type: string, stored: string, terms: readonly string[], values: readonly string[]): StoredColumn {
    return { name, type, stored, terms, values };
}

const COMMON = [
    column('i', 'long', 'bigint', numbers, integers),
    column('j', 'int', 'int', numbers, ['0', '1', '-1', '5', '6', '2147483647', '-2147483648']),
    column('day', 'date', 'date', [...dates, ...timestamps], dates),
];

const IN_POSTGRESQL = [
    ...COMMON,
    column('d', 'double', 'double precision', numbers, [...doubles, 'NaN', 'Infinity', '-0']),
    column('r', 'double', 'real', numbers, ['0.1', '-0.1', '2.5', '5.5', '0']),
    column('n', 'double', 'numeric', numbers, [...doubles, '0.1000000000000000001', '5.4999999999999999999999', '1e-400', 'NaN']),
    column('q', 'long', 'numeric(25, 0)', numbers, [...integers, '1234567890123456789012345']),
    column('s', 'string', 'text', texts, plain),
    column('v', 'string', 'varchar(20)', texts, plain),
    column('c', 'string', 'char(3)', ['"a  "', '"a"', '"   "', ...texts], ['a', 'A', '']),
    column('u', 'string', 'text COLLATE loose', texts, plain),
    column('w', 'string', 'word', texts, ['a', 'A', 'z']),
    column('at', 'timestamp', 'timestamptz', [...timestamps, ...dates], [...timestamps, 'infinity']),
    column('ok', 'boolean', 'boolean', booleans, ['true', 'false']),
];

const IN_MARIADB = [
    ...COMMON,
    column('b', 'long', 'bigint unsigned', numbers, ['0', '5', '18446744073709551615', '9223372036854775807']),
    column('d', 'double', 'double', numbers, doubles),
    column('e', 'double', 'double(8, 3)', numbers, ['0.1', '-0.1', '2.5', '5.5']),
    column('r', 'double', 'float', numbers, ['0.1', '-0.1', '2.5', '5.5', '0', '123456.78125', '16777216']),
    column('n', 'double', 'decimal(30, 20)', numbers, ['0.1', '0.1000000000000000001', '5.49999999999999999999', '5', '6']),
    column('q', 'long', 'decimal(25, 0)', numbers, [...integers, '1234567890123456789012345']),
    column('s', 'string', 'varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci', texts, plain),
    column('v', 'string', 'varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_nopad_ci', texts, plain),
    column('l', 'string', 'varchar(20) CHARACTER SET latin1', texts, ['', 'a', 'A', 'ä', 'b']),
    column('c', 'string', 'char(3)', texts, ['a', 'A', '']),
    column('w', 'string', "enum('a', 'A1', 'z')", texts, ['a', 'A1', 'z']),
    column('x', 'string', 'text CHARACTER SET utf8mb4', texts, plain),
    column('at', 'timestamp', 'datetime(6)', [...timestamps, ...dates], timestamps),
    column('m', 'timestamp', 'timestamp(3) NULL', [...timestamps, ...dates], ['2031-04-09 10:15:00', '2031-04-09 00:00:00']),
    column('ok', 'boolean', 'boolean', booleans, ['1', '0', '5']),
];

const ROWS = 200;

/** A table in which each row has values in turn. */
function statements(columns: readonly StoredColumn[], isMariadb: boolean): string {
    const quoted = (text: string): string => {
        const doubled = text.replaceAll("'", "''");
        return `'${isMariadb ? doubled.replaceAll('\\', '\\\\') : doubled}'`;
    };
    const rows = Array.from({ length: ROWS }, (_, row) => {
        const cells = columns.map(({ values }, at) => {
            const value = values[(row * (at + 1) + at) % (values.length + 1)];
            return value === undefined ? 'NULL' : quoted(value);
        });
        return `(${cells.join(', ')})`;
    });
    const declared = columns.map(({ name, stored }) => `${name} ${stored}`);
    return `CREATE TABLE t (${declared.join(', ')}); INSERT INTO t VALUES ${rows.join(', ')};`;
}

function accessTo(port: number): SourceAccess {
    const grants = { ...NO_GRANTS, hosts: [{ host: '127.0.0.1', port }] };
    return { grants, programFile: 'p.rulelang', currentFolder: '/', parameters: () => undefined };
}

describe('what is asked of a database changes no answer', () => {
    test('postgresql', async () => {
        const shop = await postgresqlShop('selections', 'pw');
        const types = `CREATE TYPE word AS ENUM ('a', 'A', 'z'); CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);`;
        shop.execute(`${types}${statements(IN_POSTGRESQL, false)}`);
        await compareSelections({ bind: bindTo(shop), access: accessTo(shop.port), columns: IN_POSTGRESQL }, PROGRAMS, SEED);
    });

    test('mariadb', async () => {
        const shop = await mariadbShop('selections', 'pw');
        shop.execute(statements(IN_MARIADB, true));
        await compareSelections({ bind: bindTo(shop), access: accessTo(shop.port), columns: IN_MARIADB }, PROGRAMS, SEED);
    });
});

function bindTo({ type, port, owner, database }: Shop): string {
    return `"${type} host='127.0.0.1', port=${port}, username='${owner}', password='pw'", "${database}", "t"`;
}
