import { isOutputState } from '#extension/surfaces/grid/output-state.ts';
import { isFlag, isNumber, isText, listOf, type Of, object, optional } from '#server/protocol/shape.ts';

const isViewState = object({
    panel: isText,
    output: optional(isText),
    filterRow: isFlag,
    outputs: listOf(isOutputState),
    explanation: optional(object({ size: isNumber })),
});

export type ViewState = Of<typeof isViewState>;

export function readViewState(saved: unknown): ViewState | undefined {
    return isViewState(saved) ? saved : undefined;
}
