import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Database, Rows } from '../database.ts';
import type { ValueId } from '../values/dictionary.ts';
import type { FactRow } from './match-rule.ts';
import type { NearMiss } from './near-miss.ts';

/** Given facts whose values are looked at. */
const LOOKED_AT = 200_000;
/** Facts that tell which kinds of values a column has. */
const TELLING = 4_000;

/** How many given facts have a value, and one of them. */
export interface Occurrence {
    count: number;
    readonly fact: FactRow;
}

/** What is unusual about the facts that a program and its sources give: where slips of the pen show. */
export class GivenFacts {
    readonly #database: Database;
    readonly #uniqueColumns = new Map<Rows, ReadonlySet<ValueId>[]>();
    readonly #odd = new Map<PredicateKey, readonly NearMiss[]>();
    #given: ReadonlyMap<ValueId, Occurrence> | undefined;

    constructor(database: Database) {
        this.#database = database;
    }

    /** Whether a column that has no value twice has this one already. */
    isTaken(rows: Rows, column: number, value: ValueId): boolean {
        let values = this.#uniqueColumns.get(rows)?.[column];
        if (values === undefined) {
            const all = rows.columns.map(ids => {
                const different = new Set(ids.subarray(0, rows.count));
                return different.size === rows.count && rows.count > 1 ? different : new Set<ValueId>();
            });
            this.#uniqueColumns.set(rows, all);
            values = all[column]!;
        }
        return values.has(value);
    }

    /** The given facts with a value of another kind than most facts have in its column. */
    oddRows(key: PredicateKey): readonly NearMiss[] {
        const known = this.#odd.get(key);
        if (known !== undefined) return known;
        const { dictionary } = this.#database;
        const rows = this.#database.relation(key);
        const found: NearMiss[] = [];
        for (const [column, ids] of rows?.columns.entries() ?? []) {
            const byKind = new Map<string, number[]>();
            for (let row = 0; row < Math.min(rows!.count, LOOKED_AT); row++) {
                const kind = dictionary.kind(ids[row]!);
                if (kind === 'null') continue;
                const same = byKind.get(kind) ?? [];
                same.push(row);
                byKind.set(kind, same);
            }
            for (const same of byKind.values())
                if (same.length * 3 <= rows!.count) found.push(...same.map((row): NearMiss => ({ row, column, difference: 'type' })));
        }
        this.#odd.set(key, found);
        return found;
    }

    /** How often each value stands in a given fact, and in which. */
    occurrences(): ReadonlyMap<ValueId, Occurrence> {
        if (this.#given !== undefined) return this.#given;
        const found = new Map<ValueId, Occurrence>();
        let looked = 0;
        for (const predicate of this.#database.program.predicates.values()) {
            const rows = this.#database.relation(predicate.key);
            if (rows === undefined || (predicate.facts.length === 0 && predicate.inputBinds.length === 0)) continue;
            for (let row = 0; row < rows.count && looked < LOOKED_AT; row++, looked++) {
                for (const column of rows.columns) {
                    const known = found.get(column[row]!);
                    if (known === undefined) found.set(column[row]!, { count: 1, fact: { predicate: predicate.key, row } });
                    else known.count++;
                }
            }
        }
        this.#given = found;
        return found;
    }

    /** Whether a value is of a kind that no fact has in this column. */
    isForeign(rows: Rows | undefined, column: number, asked: ValueId | undefined): boolean {
        if (rows === undefined || rows.count === 0 || asked === undefined) return false;
        const { dictionary } = this.#database;
        return !rows.columns[column]!.subarray(0, Math.min(rows.count, TELLING)).some(
            value => dictionary.kind(value) === dictionary.kind(asked),
        );
    }
}
