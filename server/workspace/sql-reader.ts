import { allClauses } from '#language/program/inclusion.ts';
import type { Program } from '#language/program/program.ts';
import { hasSqlQuery, type SqlReader } from '#language/program/sql-reading.ts';

/** Whether a rule of the program, or of its modules, has a SQL query. */
export function hasSql(program: Program): boolean {
    return allClauses(program).some(hasSqlQuery);
}

/** Loads the reader of SQL, on demand since the parser is large. */
export async function loadSqlReader(): Promise<SqlReader> {
    return (await import('#language/sql/read-query.ts')).readQuery;
}
