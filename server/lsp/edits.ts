import type { TextEdit as WireEdit } from 'vscode-languageserver/node';
import type { TextEdit } from '#language/editing/format-edits.ts';
import type { TextPositions } from '#server/workspace/text-positions.ts';

export function textEdits(positions: TextPositions, edits: readonly TextEdit[]): WireEdit[] {
    return edits.map(({ start, end, text }) => ({ range: positions.rangeOf({ start, end }), newText: text }));
}
