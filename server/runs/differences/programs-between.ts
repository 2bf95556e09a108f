import type { Database } from '#engine/contracts/database.ts';
import type { HeldProgram, RowEdit } from '#engine/maintain/held-program.ts';
import { listPredicate } from '#engine/results/listing.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { tableOf, textOfRow } from '../compare-listings.ts';
import type { LoadedProgram } from '../load-program.ts';
import { type MixedProgram, mixedProgram } from '../mixed-program.ts';
import { type Edit, hasNull, type RowsEdit, type Sides, translationTo, valuesIn } from './edits.ts';

/** A row that is different, by its values in some dictionary. */
export interface SearchedRow {
    readonly predicate: PredicateKey;
    readonly values: readonly ValueId[];
    /** Whether the later run has it. */
    readonly isNew: boolean;
}

interface Between {
    readonly sides: Sides;
    readonly edits: readonly Edit[];
    /** The values of the rows are of this one. */
    readonly dictionary: Dictionary;
    readonly rows: readonly SearchedRow[];
    /** Holds the earlier program, with its rows. */
    readonly held: HeldProgram;
    /** A program, undefined where it has errors. */
    load(mixed: MixedProgram): Promise<LoadedProgram | undefined>;
}

/** The programs and rows between those of two runs: those of the earlier one with some of the edits that lead to the later. */
export class ProgramsBetween {
    readonly #of: Between;
    /** The edits of program and parameters that are done. */
    #done = '';
    /** The edits of rows that are done. */
    readonly #given = new Set<number>();

    constructor(of: Between) {
        this.#of = of;
    }

    /** For each row whether it is as in the later run; undefined where the edits make no program that can be evaluated. */
    async evaluate(edits: readonly number[]): Promise<Uint8Array | undefined> {
        const { held } = this.#of;
        const isDone = (await this.#doProgram(edits)) && held.outcome.ok && this.#doRows(edits);
        if (!isDone || !held.outcome.ok) return undefined;
        return this.#rowsIn(held.outcome.database);
    }

    async #doProgram(edits: readonly number[]): Promise<boolean> {
        const { sides, held, load } = this.#of;
        const own = edits.flatMap(number => {
            const edit = this.#of.edits[number];
            return edit?.kind === 'run' ? [{ number, edit: edit.edit }] : [];
        });
        const key = own.map(({ number }) => number).join();
        if (key === this.#done && held.notHeld === undefined) return true;
        const mixed = mixedProgram(
            sides.before.made,
            sides.after.made,
            own.map(({ edit }) => edit),
        );
        const loaded = await load(mixed);
        if (loaded === undefined) return false;
        const update = await held.update(loaded.program, loaded.parameters);
        // Rows that were given are unknown to another evaluation.
        if (update.kind === 'evaluated') this.#given.clear();
        this.#done = key;
        return true;
    }

    #doRows(edits: readonly number[]): boolean {
        const { held, edits: all } = this.#of;
        if (!held.outcome.ok) return false;
        const wanted = new Set(edits.filter(number => all[number]?.kind === 'rows'));
        const changes = [
            ...[...this.#given].filter(number => !wanted.has(number)).flatMap(number => this.#rowEdits(number, true)),
            ...[...wanted].filter(number => !this.#given.has(number)).flatMap(number => this.#rowEdits(number, false)),
        ];
        if (changes.length === 0) return true;
        if (held.edit(changes) === undefined) {
            this.#done = '-';
            return false;
        }
        this.#given.clear();
        for (const number of wanted) this.#given.add(number);
        return true;
    }

    #rowEdits(number: number, undone: boolean): RowEdit[] {
        const { sides, held, edits } = this.#of;
        const edit = edits[number];
        if (edit?.kind !== 'rows' || !held.outcome.ok) return [];
        const { dictionary } = held.outcome.database;
        const rows = (of: RowsEdit['added'], from: Database, kind: RowEdit['kind']): RowEdit[] => {
            const translate = translationTo(from.dictionary, dictionary);
            return of.flatMap(({ predicate, row }) => {
                const relation = from.relation(predicate);
                return relation === undefined ? [] : [{ predicate, kind, values: valuesIn(relation, row).map(translate) }];
            });
        };
        return [
            ...rows(edit.removed, sides.before.database, undone ? 'add' : 'remove'),
            ...rows(edit.added, sides.after.database, undone ? 'remove' : 'add'),
        ];
    }

    #rowsIn(database: Database): Uint8Array {
        const { rows, dictionary } = this.#of;
        const translate = translationTo(dictionary, database.dictionary);
        const texts = new Map<PredicateKey, ReadonlySet<string>>();
        const textsOf = (predicate: PredicateKey): ReadonlySet<string> => {
            const known = texts.get(predicate);
            if (known !== undefined) return known;
            const table = tableOf(listPredicate(database, predicate), id => id);
            const every = table.columns.map((_, column) => column);
            const found = new Set(Array.from({ length: table.count }, (_, row) => textOfRow(database.dictionary, table, row, every)));
            texts.set(predicate, found);
            return found;
        };
        return Uint8Array.from(rows, ({ predicate, values, isNew }) => {
            const own = values.map(translate);
            const isListed =
                database.program.predicates.get(predicate)?.post.length !== 0 || own.some(id => hasNull(database.dictionary, id));
            const relation = database.relation(predicate);
            const single = { count: 1, columns: own.map(id => Int32Array.of(id)) };
            const isThere = isListed
                ? textsOf(predicate).has(
                      textOfRow(
                          database.dictionary,
                          single,
                          0,
                          own.map((_, column) => column),
                      ),
                  )
                : relation !== undefined && relation.arity === own.length && relation.find(own) >= 0;
            return Number(isThere === isNew);
        });
    }
}
