import type { Dialect } from '../contracts/compute.ts';

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

const same = (left: string, right: string, columns: readonly string[]): string =>
    columns.map(column => `${left}.${column} = ${right}.${column}`).join(' and ');

export const DUCKDB: Dialect = {
    name: 'duckdb',
    types: {
        int: 'INTEGER',
        long: 'BIGINT',
        double: 'DOUBLE',
        string: 'VARCHAR',
        boolean: 'BOOLEAN',
        date: 'DATE',
        timestamp: 'TIMESTAMP',
    },
    text: quoted,
    // It compares the bytes of UTF-8, which have the order of code points.
    byCodePoint: expression => expression,
    finite: double => `finite(${double})`,
    quotient: (left, right) => `quotient(${left}, ${right})`,
    remainder: (left, right) => `remainder(${left}, ${right})`,
    contains: (text, part) => `contains(${text}, ${part})`,
    make: (table, query) => `create table ${table} as ${query}`,
    difference: (query, table, columns) =>
        `select distinct ${columns.map(column => `f.${column}`).join(', ')} from (${query}) f anti join ${table} o on ${same('o', 'f', columns)}`,
    fixpoint: (name, columns, start, step) =>
        `with recursive ${name}(${columns.join(', ')}) as ((${start}) union (${step.join(' union all ')})) select ${columns.join(', ')} from ${name}`,
};
