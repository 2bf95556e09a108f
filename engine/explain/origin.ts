import type { Predicate } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Rows } from '../relations/rows.ts';
import type { Origin } from './explanation.ts';

/** Where a row of a predicate's facts was given: a clause of the program or a line of a source. */
export function originOf({ facts, inputBinds, rules }: Predicate, rows: Rows, row: number): Origin | undefined {
    const line = rows.notes?.lines?.[row] ?? 0;
    const source = rows.notes?.sourceFiles?.[rows.notes.sources?.[row] ?? 0];
    const bind = inputBinds[source?.bind ?? 0];
    const fact = facts[(rows.notes?.facts?.[row] ?? 0) - 1];
    if (bind !== undefined && (line > 0 || (fact === undefined && rules.length === 0)))
        return {
            kind: 'source',
            bind,
            file: source?.name ?? bind.inner,
            ...(source?.counts === 'items' ? { line: 0, item: line } : { line }),
        };
    return fact === undefined ? undefined : { kind: 'clause', place: fact.place, span: fact.span };
}

/** `owns.csv:17`, or `owns.json, item 3`, or the source alone where it has no lines. */
export function sourcePlace({ file, line, item }: Extract<Origin, { kind: 'source' }>): string {
    if (item !== undefined) return say`${file}, item ${item}`;
    return line > 0 ? `${file}:${line}` : file;
}
