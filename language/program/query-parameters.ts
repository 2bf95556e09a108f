import type { Bind } from './analysed-program.ts';

/** The columns, counted from 1, that the query of a `@qbind` takes as `${n}`, in ascending order (8.6). */
export function queryParameters({ kind, inner }: Pick<Bind, 'kind' | 'inner'>): number[] {
    const written = kind === 'qbind' ? Array.from(inner.matchAll(/(?<!\$)\$\{(\d+)\}/gu), match => Number(match[1])) : [];
    return [...new Set(written)].sort((a, b) => a - b);
}
