import type { Dialect } from './dialect.ts';
import { MYSQL } from './mysql.ts';
import { POSTGRESQL } from './postgresql.ts';

/** The databases that are connected to, by the types of binds. */
export const DIALECTS = { postgresql: POSTGRESQL, mysql: MYSQL, mariadb: MYSQL } as const satisfies Readonly<Record<string, Dialect>>;

export type DatabaseType = keyof typeof DIALECTS;

export function isDatabaseType(type: string): type is DatabaseType {
    return Object.hasOwn(DIALECTS, type);
}
