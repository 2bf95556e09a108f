import { type Checked, isCount, isFlag, isNumber, isText, listOf, optional, shape } from '../schema.ts';

const isOutputState = shape({
    output: isText,
    sort: listOf(shape({ column: isCount, descending: isFlag }), 64),
    filters: listOf(shape({ column: isCount, text: isText }), 1000),
    search: isText,
    hidden: listOf(isCount),
    top: isNumber,
    left: isNumber,
    row: isNumber,
    column: isCount,
});

/** What a user chose for one output: it stays over runs and reloads. */
export type OutputState = Checked<typeof isOutputState>;

const isViewState = shape({
    panel: isText,
    output: optional(isText),
    filterRow: isFlag,
    outputs: listOf(isOutputState),
    explanation: optional(shape({ size: isNumber })),
});

export type ViewState = Checked<typeof isViewState>;

export function readViewState(saved: unknown): ViewState | undefined {
    return isViewState(saved) ? saved : undefined;
}

export function newOutputState(output: string): OutputState {
    return { output, sort: [], filters: [], search: '', hidden: [], top: 0, left: 0, row: 0, column: 0 };
}
