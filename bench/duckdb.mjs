// One workload on DuckDB with one thread: node bench/duckdb.mjs <workload> <folder>
import { DuckDBInstance } from '@duckdb/node-api';
import { WORKLOADS } from './workloads.mjs';

const [name, folder] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
const connection = await instance.connect();
await WORKLOADS.find(workload => workload.name === name).duckdb(async sql => (await connection.run(sql)).getRows(), folder);
