import type { Fact } from '#language/program/program.ts';
import type { Database } from '../database.ts';
import type { Origin } from './explanation.ts';
import type { FactRow } from './match-rule.ts';

/** Where a fact was given: a clause of the program or a line of a source. */
export function originOf(database: Database, { predicate: key, row }: FactRow): Origin | undefined {
    const predicate = database.program.predicates.get(key);
    const rows = database.relation(key);
    if (predicate === undefined || rows === undefined || row < 0) return undefined;
    const line = rows.lines?.[row] ?? 0;
    const source = rows.sources?.[row] ?? 0;
    const bind = predicate.inputBinds[source];
    if (line > 0 && bind !== undefined) return { kind: 'source', bind, file: rows.sourceNames?.[source] ?? bind.inner, line };
    return clauseOrigin(predicate.facts[(rows.facts?.[row] ?? 0) - 1]);
}

function clauseOrigin(fact: Fact | undefined): Origin | undefined {
    return fact === undefined ? undefined : { kind: 'clause', place: fact.place, span: fact.span };
}
