import type { Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import type { Database } from '../contracts/database.ts';
import type { Rows } from '../relations/rows.ts';
import { castText } from '../values/cast.ts';
import type { ValueId } from '../values/value-id.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { type Difference, differenceOf, type NearMiss, nearMisses } from './near-miss.ts';
import type { Steps } from './steps.ts';

/** Given facts whose values are looked at. */
const LOOKED_AT = 200_000;
/** Facts that are compared with missing ones. */
const LOOKED_NEAR = 400_000;
/** Facts that tell which kinds of values a column has. */
const TELLING = 4_000;
/** Pairs of values that are compared. */
const COMPARED = 250_000;

/** How many given facts have a value, and one of them. */
export interface Occurrence {
    count: number;
    readonly fact: FactRow;
}

/** A value that was probably meant to be another one. */
export interface Slip {
    readonly value: ValueId;
    readonly meant: ValueId;
    readonly fact: FactRow;
    readonly difference: Difference;
}

/** What is unusual about the facts that a program and its sources give: where slips of the pen show. */
export class GivenFacts {
    readonly #database: Database;
    /** What looking for near misses may cost. */
    readonly #nearSteps: Steps;
    readonly #steps: Steps;
    readonly #near = new Map<string, readonly NearMiss[]>();
    readonly #kinds = new Map<Rows, ReadonlySet<string>[]>();
    readonly #uniqueColumns = new Map<Rows, ReadonlySet<ValueId>[]>();
    readonly #odd = new Map<PredicateKey, readonly NearMiss[]>();
    #byColumn: Map<string, ReadonlyMap<ValueId, number>> | undefined;
    #given: ReadonlyMap<ValueId, Occurrence> | undefined;

    constructor(database: Database, steps: Steps) {
        this.#database = database;
        this.#steps = steps.apart(Number.POSITIVE_INFINITY);
        this.#nearSteps = steps.apart(LOOKED_NEAR);
    }

    /** Whether a column that has no value twice has this one already. */
    isTaken(rows: Rows, column: number, value: ValueId): boolean {
        let values = this.#uniqueColumns.get(rows)?.[column];
        if (values === undefined) {
            const all = rows.columns.map(ids => this.#uniqueValues(ids, rows.count));
            this.#uniqueColumns.set(rows, all);
            values = all[column]!;
        }
        return values.has(value);
    }

    /** The values of a column that has none twice; empty for others. */
    #uniqueValues(ids: Int32Array, count: number): ReadonlySet<ValueId> {
        const different = new Set<ValueId>();
        for (let row = 0; row < count; row++) {
            this.#steps.take();
            if (different.size === different.add(ids[row]!).size) return new Set();
        }
        return count > 1 ? different : new Set();
    }

    /** The facts of a predicate that come nearest to a pattern. */
    near(key: PredicateKey, pattern: HeadPattern): readonly NearMiss[] {
        const name = `${key}:${pattern.join()}`;
        const known = this.#near.get(name) ?? nearMisses(this.#database.dictionary, this.#database.relation(key), pattern, this.#nearSteps);
        this.#near.set(name, known);
        return known;
    }

    /** The given facts with a value of another kind than all but a few facts have in its column. */
    oddRows(key: PredicateKey): readonly NearMiss[] {
        const known = this.#odd.get(key);
        if (known !== undefined) return known;
        const { dictionary } = this.#database;
        const rows = this.#database.relation(key);
        const found: NearMiss[] = [];
        const looked = Math.min(rows?.count ?? 0, LOOKED_AT);
        for (const [column, ids] of rows?.columns.entries() ?? []) {
            const byKind = new Map<string, number[]>();
            for (let row = 0; row < looked; row++) {
                this.#steps.take();
                const kind = dictionary.kind(ids[row]!);
                if (kind === 'null') continue;
                const same = byKind.get(kind) ?? [];
                same.push(row);
                byKind.set(kind, same);
            }
            if (byKind.size !== 2) continue;
            for (const same of byKind.values())
                if (same.length * 3 <= looked) found.push(...same.map((row): NearMiss => ({ row, column, difference: 'type' })));
        }
        this.#odd.set(key, found);
        return found;
    }

    /** The values that a given fact with an odd one would have with two columns exchanged, or with the other type; undefined where neither helps. */
    meantByOdd({ predicate, row }: FactRow, column: number): readonly ValueId[] | undefined {
        const { dictionary } = this.#database;
        const rows = this.#database.relation(predicate)!;
        const values = rows.columns.map(ids => ids[row]!);
        const odd = this.oddRows(predicate);
        const isOdd = (one: number): boolean => odd.some(other => other.row === row && other.column === one);
        const partner = values.findIndex((_, other) => other !== column && isOdd(other));
        if (partner >= 0) return values.with(column, values[partner]!).with(partner, values[column]!);
        const [type] = new Set(
            rows.columns[column]!.subarray(0, Math.min(rows.count, TELLING))
                .filter((_, other) => other !== row)
                .map(one => (dictionary.kind(one) === 'number' ? 1 : 0)),
        );
        const text = dictionary.kind(values[column]!) === 'string' ? dictionary.stringOf(values[column]!) : undefined;
        if (text !== undefined && type === 1) {
            const number = castText(dictionary, text, { kind: 'double' });
            return number === undefined ? undefined : values.with(column, number);
        }
        if (dictionary.kind(values[column]!) === 'number' && type === 0)
            return values.with(column, dictionary.string(String(dictionary.numberOf(values[column]!))));
        return undefined;
    }

    /** How often each value stands in a given fact, and in which. */
    occurrences(): ReadonlyMap<ValueId, Occurrence> {
        if (this.#given !== undefined) return this.#given;
        const found = new Map<ValueId, Occurrence>();
        let looked = 0;
        for (const predicate of this.#givenPredicates()) {
            const rows = this.#database.relation(predicate.key)!;
            for (let row = 0; row < rows.count && looked < LOOKED_AT; row++, looked++) {
                this.#steps.take(rows.arity);
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

    /**
     * Whether a value is at home in a column: another given fact has it there, or in a column that shares further values
     * with this one. It is away where it stands in other columns alone, and unknown where no other given fact has it.
     */
    isAtHome(key: PredicateKey, column: number, value: ValueId, besides = -1): 'home' | 'away' | 'unknown' {
        const columns = this.#valuesByColumn();
        const own = `${key} ${column}`;
        const there = columns.get(own);
        const beside = besides < 0 ? undefined : this.#database.relation(key)?.columns.map(ids => ids[besides]!);
        if ((there?.get(value) ?? 0) > (beside?.[column] === value ? 1 : 0)) return 'home';
        let isKnown = false;
        for (const [name, values] of columns) {
            const count = values.get(value) ?? 0;
            const isBeside = beside !== undefined && name.startsWith(`${key} `) && beside[Number(name.slice(key.length + 1))] === value;
            if (name === own || count <= (isBeside ? 1 : 0)) continue;
            isKnown = true;
            for (const other of there?.keys() ?? []) {
                this.#steps.take();
                if (other !== value && values.has(other)) return 'home';
            }
        }
        return isKnown ? 'away' : 'unknown';
    }

    #valuesByColumn(): ReadonlyMap<string, ReadonlyMap<ValueId, number>> {
        if (this.#byColumn !== undefined) return this.#byColumn;
        this.#byColumn = new Map();
        for (const predicate of this.#givenPredicates()) {
            const rows = this.#database.relation(predicate.key)!;
            for (const [column, ids] of rows.columns.entries()) {
                const counts = new Map<ValueId, number>();
                for (const value of ids.subarray(0, Math.min(rows.count, LOOKED_AT))) {
                    this.#steps.take();
                    counts.set(value, (counts.get(value) ?? 0) + 1);
                }
                this.#byColumn.set(`${predicate.key} ${column}`, counts);
            }
        }
        return this.#byColumn;
    }

    #givenPredicates(): Predicate[] {
        const { program } = this.#database;
        return [...program.predicates.values()].filter(
            ({ key, facts, inputBinds }) => (facts.length > 0 || inputBinds.length > 0) && this.#database.relation(key) !== undefined,
        );
    }

    /** The values that a single given fact has, and that look like another value of the given facts. */
    slips(): readonly Slip[] {
        const { dictionary } = this.#database;
        const strings = [...this.occurrences()].filter(([value]) => dictionary.kind(value) === 'string');
        const rare = strings.filter(([, { count }]) => count === 1);
        if (strings.length * rare.length > COMPARED) return [];
        return rare.flatMap(([value, { fact }]) =>
            strings.flatMap(([meant]): Slip[] => {
                this.#steps.take();
                const difference = meant === value ? 'other' : differenceOf(dictionary, value, meant);
                return difference === 'other' ? [] : [{ value, meant, fact, difference }];
            }),
        );
    }

    /** Whether a value is of a kind that no fact has in this column. */
    isForeign(rows: Rows | undefined, column: number, asked: ValueId | undefined): boolean {
        if (rows === undefined || rows.count === 0 || asked === undefined) return false;
        const { dictionary } = this.#database;
        let kinds = this.#kinds.get(rows);
        if (kinds === undefined) {
            kinds = rows.columns.map(ids => new Set([...ids.subarray(0, Math.min(rows.count, TELLING))].map(id => dictionary.kind(id))));
            this.#kinds.set(rows, kinds);
        }
        return !kinds[column]!.has(dictionary.kind(asked));
    }
}
