import { isNumeric, MIXED, type Type } from '#language/program/types.ts';
import { castValue } from '../values/cast.ts';
import { textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { type ColumnPlan, readColumns } from './column-plan.ts';
import type { RowFaults } from './row-faults.ts';
import type { RowTarget } from './source.ts';

/** How the rows of a source go to those of a predicate. */
export interface RowLayout {
    readonly plan: ColumnPlan;
    /** By source column; what a column of the predicate takes goes before it. */
    readonly types?: readonly (Type | undefined)[];
    readonly faults: RowFaults;
    readonly nullFor: (column: number) => ValueId;
}

/** The value of a cell; undefined for a missing one, and a text for one that is not a value. */
export type CellAt = (source: number, at: number) => ValueId | string | undefined;

/** Puts rows into a target, one at a time: each value in the type of its column. */
export class PlannedRows {
    /** The row under way, by columns of the predicate. */
    readonly row: Int32Array;
    readonly #target: RowTarget;
    readonly #layout: RowLayout;
    readonly #cells: readonly { readonly source: number; readonly at: number; readonly type: Type; readonly cast: boolean }[];

    constructor(target: RowTarget, layout: RowLayout) {
        const { plan, types } = layout;
        const isRead = readColumns(plan, target.needs);
        this.row = new Int32Array(target.columns.length);
        this.#target = target;
        this.#layout = layout;
        this.#cells = [...plan.targets.entries()].flatMap(([source, at]) => {
            const column = target.columns[at];
            if (column === undefined || !isRead(at)) return [];
            return [{ source, at, type: (column.cast ? column.type : types?.[source]) ?? MIXED, cast: column.cast }];
        });
    }

    /** Fills the row, which stands on this line of the source. */
    fill(cellAt: CellAt, line: number): void {
        const { faults, nullFor } = this.#layout;
        const { dictionary } = this.#target;
        for (const { source, at, type, cast } of this.#cells) {
            const cell = cellAt(source, at);
            const id = typeof cell !== 'number' ? undefined : cast ? castValue(dictionary, cell, type, MIXED) : this.#declared(cell, type);
            if (id === undefined && cell !== undefined)
                faults.unreadable(at, line, () => (typeof cell === 'string' ? cell : textOf(dictionary, cell, MIXED, String)));
            this.row[at] = id ?? nullFor(at);
        }
    }

    /** The value in the type that the source says its column has, which makes no number another one (3.5). */
    #declared(id: ValueId, type: Type): ValueId | undefined {
        const { dictionary } = this.#target;
        if (isNumeric(type) && dictionary.isNumber(id)) {
            if (type.kind === 'double') return id;
            if (type.kind !== 'float' && !dictionary.isInteger(id)) return undefined;
        }
        return castValue(dictionary, id, type, MIXED);
    }

    /** Adds it to the target; `line` is 0 where the source has none. */
    add(line: number): void {
        const { plan, nullFor } = this.#layout;
        for (const at of plan.absent) this.row[at] = nullFor(at);
        for (const [from, to] of plan.copies) this.row[to] = this.row[from] ?? 0;
        this.#target.add(this.row, line);
    }
}
