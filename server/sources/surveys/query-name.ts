import { createHash } from 'node:crypto';

/** What a query is called that nobody has named: other queries have other names, and the same one has the same. */
export function queryName(text: string): string {
    return `query_${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}
