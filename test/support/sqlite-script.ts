import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadSqlite } from '#server/sources/sqlite/load-sqlite.ts';

/** Runs statements in the database of a file, which is there then. */
export async function sqliteScript(path: string, sql: string): Promise<void> {
    const database = await loadSqlite(existsSync(path) ? readFileSync(path) : undefined);
    database.run(sql);
    writeFileSync(path, database.export());
    database.close();
}
