import type { Database } from '#engine/contracts/database.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { originOf } from '#engine/explain/origin.ts';
import type { Rows } from '#engine/relations/rows.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { KeptProgram } from '../kept-program.ts';
import { translation } from '../kept-rows.ts';
import type { MadeOf, RunEdit } from '../run-difference.ts';

/** One of two runs that are compared: what it was made of, and its rows with their heights. */
export interface Side {
    readonly made: MadeOf & { readonly program: KeptProgram };
    readonly database: Database;
}

export interface Sides {
    readonly before: Side;
    readonly after: Side;
}

/** Rows of a source that only the later run has, or only the earlier one. */
export interface RowsEdit {
    readonly kind: 'rows';
    readonly added: readonly FactRow[];
    readonly removed: readonly FactRow[];
}

/** Something that leads from the earlier run to the later one, and can be done alone. */
export type Edit = { readonly kind: 'run'; readonly edit: RunEdit } | RowsEdit;

/** If more rows of a predicate differ, they are one edit together. */
const MOST_ROWS = 5000;

/** Returns the rows of sources that differ between two runs, each as an edit. Rows with nulls have no common name, and are left out. */
export function rowEdits({ before, after }: Sides): RowsEdit[] {
    return [...new Set([...before.database.program.predicates.keys(), ...after.database.program.predicates.keys()])].flatMap(predicate => {
        const removed = onlyIn(before.database, after.database, predicate);
        const added = onlyIn(after.database, before.database, predicate);
        if (added.length + removed.length === 0) return [];
        if (added.length + removed.length > MOST_ROWS) return [{ kind: 'rows', added, removed }];
        return [
            ...removed.map((row): RowsEdit => ({ kind: 'rows', added: [], removed: [row] })),
            ...added.map((row): RowsEdit => ({ kind: 'rows', added: [row], removed: [] })),
        ];
    });
}

function onlyIn(own: Database, other: Database, key: PredicateKey): FactRow[] {
    const [predicate, their] = [own.program.predicates.get(key), other.program.predicates.get(key)];
    const [rows, others] = [own.relation(key), other.relation(key)];
    if (predicate === undefined || their === undefined || rows === undefined || others === undefined) return [];
    if (predicate.inputBinds.length === 0 || their.inputBinds.length === 0 || rows.arity !== others.arity) return [];
    const translate = translationTo(own.dictionary, other.dictionary);
    const found: FactRow[] = [];
    for (let row = 0; row < rows.count; row++) {
        const values = rows.columns.map(column => column[row] ?? 0);
        if (values.some(id => hasNull(own.dictionary, id)) || originOf(predicate, rows, row)?.kind !== 'source') continue;
        const at = others.find(values.map(translate));
        if (at < 0 || originOf(their, others, at)?.kind !== 'source') found.push({ predicate: key, row });
    }
    return found;
}

/** Values of one run in the dictionary of another, in which nulls of the first are none that it has. */
export function translationTo(from: Dictionary, to: Dictionary): (id: ValueId) => ValueId {
    if (from === to) return id => id;
    const numbers = new Map<ValueId, number>();
    const numberOf = (id: ValueId): number => {
        const number = numbers.get(id) ?? numbers.size;
        numbers.set(id, number);
        return number;
    };
    return translation(from, numberOf, to);
}

export function hasNull(dictionary: Dictionary, id: ValueId): boolean {
    if (id < 0) return false;
    const kind = dictionary.kind(id);
    if (kind === 'null') return true;
    const isCollection = kind === 'list' || kind === 'set' || kind === 'struct' || kind === 'map';
    return isCollection && dictionary.membersOf(id).some(member => hasNull(dictionary, member));
}

/** The values of a row. */
export function valuesIn(rows: Rows, row: number): ValueId[] {
    return rows.columns.map(column => column[row] ?? 0);
}
