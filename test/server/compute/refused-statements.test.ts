import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QueryFailed, type QueryInput } from '#engine/contracts/queries.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { MIXED } from '#language/program/types.ts';
import { sqlEngine } from '#server/compute/sql-engine.ts';

const queries = sqlEngine({ memory: 256 * 2 ** 20, threads: 1 });
let folder = '';

beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rulelang-sql-'));
    writeFileSync(join(folder, 'secret.csv'), 'a,b\n1,2\n');
    process.env.RULELANG_CANARY = 'canary-31';
});

afterAll(() => {
    queries.close();
    rmSync(folder, { recursive: true });
    delete process.env.RULELANG_CANARY;
});

/** What a query over `t(1), t(2)` gives: its values, or why it has none. */
async function answered(text: string): Promise<string> {
    const dictionary = new Dictionary();
    const ids = Int32Array.of(dictionary.number(1), dictionary.number(2));
    const table: QueryInput = { name: 't', relation: 't/1', columns: [{ name: 't_0', type: { kind: 'int' } }], count: 2, ids: [ids] };
    const found: string[] = [];
    try {
        await queries.answer(
            { text, tables: [table], dictionary, parameter: () => ({ value: ids[0] ?? 0, type: MIXED }) },
            {
                arity: 1,
                addRows: ([column], count) =>
                    void found.push(...Array.from({ length: count }, (_, row) => String(dictionary.numberOf(column?.[row] ?? 0)))),
                freshNull: () => dictionary.freshNull('n'),
                checkpoint: () => undefined,
            },
        );
        return found.join();
    } catch (error) {
        if (error instanceof QueryFailed) return 'refused';
        throw error;
    }
}

/** Reading, writing, loading, settings, other databases, catalogues, the system, several statements; `@` is a folder with a file. */
const STATEMENTS = `
SELECT a FROM read_csv('@/secret.csv')
SELECT a FROM read_csv_auto('@/secret.csv')
SELECT a FROM '@/secret.csv'
SELECT a FROM "@/secret.csv"
SELECT content FROM read_text('@/secret.csv')
SELECT content FROM read_blob('@/secret.csv')
SELECT * FROM read_parquet('@/secret.csv')
SELECT * FROM read_json('@/secret.csv')
SELECT * FROM read_json_auto('@/secret.csv')
SELECT * FROM glob('@/*')
SELECT * FROM parquet_metadata('@/secret.csv')
SELECT * FROM sniff_csv('@/secret.csv')
SELECT getenv('RULELANG_CANARY')
SELECT getvariable('x')
SELECT current_setting('temp_directory')
SELECT current_setting('secret_directory')
SELECT version()
SELECT current_database()
SELECT current_schema()
SELECT txid_current()
SELECT nextval('s')
SELECT random()
SELECT setseed(0.5)
SELECT gen_random_uuid()
SELECT now()
SELECT pg_sleep(1)
SELECT write_log('x')
SELECT enable_logging('file')
SELECT * FROM enable_logging(storage='file', storage_path='@/log')
SELECT * FROM duckdb_settings()
SELECT * FROM duckdb_secrets()
SELECT * FROM duckdb_extensions()
SELECT * FROM duckdb_databases()
SELECT * FROM duckdb_tables()
SELECT * FROM duckdb_functions()
SELECT * FROM duckdb_logs()
SELECT * FROM pragma_version()
SELECT * FROM pragma_database_size()
SELECT * FROM pragma_table_info('t')
SELECT * FROM information_schema.tables
SELECT * FROM pg_catalog.pg_tables
SELECT * FROM sqlite_master
SELECT t_0 FROM memory.main.t
SELECT t_0 FROM main.t
SELECT * FROM query('SELECT 1')
SELECT * FROM query_table('t')
SELECT * FROM which_secret('x', 's3')
SELECT * FROM test_all_types()
SELECT * FROM repeat_row(1, num_rows = 10)
SELECT * FROM checkpoint()
SELECT * FROM force_checkpoint()
SELECT * FROM summary((SELECT 1))
SELECT * FROM json_execute_serialized_sql('{}')
SELECT json_serialize_sql('SELECT 1')
SELECT t_0 FROM t; SELECT t_0 FROM t
SELECT t_0 FROM t; DROP TABLE t
COPY t TO '@/out.csv'
COPY (SELECT 1) TO '@/out.csv'
COPY t FROM '@/secret.csv'
EXPORT DATABASE '@/export'
IMPORT DATABASE '@/export'
ATTACH '@/other.db' AS other
ATTACH ':memory:' AS other
DETACH memory
USE memory
INSTALL httpfs
LOAD httpfs
FORCE INSTALL httpfs FROM 'http://localhost:1'
SET enable_external_access = true
SET lock_configuration = false
SET GLOBAL memory_limit = '100GB'
RESET memory_limit
PRAGMA database_list
PRAGMA enable_profiling
CALL pragma_version()
CHECKPOINT
VACUUM
CREATE TABLE u (a INTEGER)
CREATE MACRO f(x) AS x
CREATE SECRET s (TYPE s3)
CREATE SEQUENCE s
CREATE VIEW v AS SELECT 1
DROP TABLE t
ALTER TABLE t ADD COLUMN b INTEGER
INSERT INTO t VALUES (3)
UPDATE t SET t_0 = 0
DELETE FROM t
TRUNCATE t
BEGIN TRANSACTION
COMMIT
EXPLAIN SELECT 1
EXPLAIN ANALYZE SELECT 1
DESCRIBE t
SHOW TABLES
SHOW ALL TABLES
SUMMARIZE t
PREPARE p AS SELECT 1
EXECUTE p
DEALLOCATE p
SELECT * FROM (DESCRIBE t)
SELECT * FROM (SHOW TABLES)
`
    .trim()
    .split('\n');

test.each(STATEMENTS)('%s', async statement => {
    expect(await answered(statement.replaceAll('@', folder))).toBe('refused');
    expect(readdirSync(folder)).toEqual(['secret.csv']);
});

test('what is allowed still works after all that, and the table is what it was', async () => {
    expect(await answered('SELECT t_0 FROM t ORDER BY t_0')).toBe('1,2');
    expect(await answered('WITH u AS (SELECT sum(t_0) AS s FROM t) SELECT s + unnest([0, 1]) FROM u')).toBe('3,4');
    expect(existsSync(join(folder, 'out.csv'))).toBe(false);
});
