// Turns the CSV file of mixed rows in a folder into a Parquet file: node bench/to-parquet.mjs <folder>
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const [folder] = process.argv.slice(2);
const csv = join(folder, 'rows.csv');
const columns = "{'a': 'INTEGER', 'b': 'VARCHAR', 'c': 'INTEGER', 'd': 'VARCHAR'}";
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(
    `copy (from read_csv('${csv}', header = false, columns = ${columns})) to '${join(folder, 'rows.parquet')}' (format parquet)`,
);
rmSync(csv);
