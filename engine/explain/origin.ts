import type { Predicate } from '#language/program/analysed-program.ts';
import type { Rows } from '../relations/rows.ts';
import type { Origin } from './explanation.ts';

/** Where a row of a predicate's facts was given: a clause of the program or a line of a source. */
export function originOf({ facts, inputBinds }: Predicate, rows: Rows, row: number): Origin | undefined {
    const line = rows.notes?.lines?.[row] ?? 0;
    const source = rows.notes?.sources?.[row] ?? 0;
    const bind = inputBinds[source];
    if (line > 0 && bind !== undefined) return { kind: 'source', bind, file: rows.notes?.sourceNames?.[source] ?? bind.inner, line };
    const fact = facts[(rows.notes?.facts?.[row] ?? 0) - 1];
    return fact === undefined ? undefined : { kind: 'clause', place: fact.place, span: fact.span };
}
