import type { Bind } from '#language/program/analysed-program.ts';

/** What people call a source: its table or file, and that of a query where it is asked; an address without its login. */
export function sourceName({ kind, outer, inner }: Pick<Bind, 'kind' | 'outer' | 'inner'>): string {
    return (kind === 'qbind' || inner === '' ? outer : inner).replace(/\/\/[^/]*@/u, '//');
}
