import type { OutputRows } from '#engine/sources/source.ts';
import { say } from '#language/program/say.ts';

/**
 * The columns of a table for those of the rows: by their names where it has all of them, else in order where there are as many. `refuse` is told
 * what is wrong where neither is so.
 */
export function matchingColumns<F extends { readonly name: string }>(
    fields: readonly F[],
    { columns }: OutputRows,
    refuse: (reason: string) => never,
): readonly F[] {
    const named = columns.flatMap(({ name }) => fields.find(field => field.name === name) ?? fieldFolded(fields, name) ?? []);
    const found = named.length === columns.length && new Set(named).size === named.length ? named : fields;
    if (found.length === columns.length) return found;
    const [has, given] = [fields, columns].map(list => list.map(({ name }) => name).join(', '));
    return refuse(say`has the columns ${has}, and the rows have ${given}; name them alike with @model`);
}

function fieldFolded<F extends { readonly name: string }>(fields: readonly F[], name: string): F | undefined {
    const alike = fields.filter(field => field.name.toLowerCase() === name.toLowerCase());
    return alike.length === 1 ? alike[0] : undefined;
}
