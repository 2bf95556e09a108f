import type { Position, SelectionRange } from 'vscode-languageserver/node';
import { selectionRanges } from '#language/editing/selection-ranges.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';

export const selectionRange: Feature = {
    capabilities: () => ({ selectionRangeProvider: true }),
    register: server =>
        server.connection.onSelectionRanges(
            aboutDocument(server, 'textDocument/selectionRange', (document, { positions }) =>
                positions.map(position => rangesAround(document, position)),
            ),
        ),
};

/** The innermost range, with the ones around it as its parents. */
function rangesAround(document: EditorDocument, position: Position): SelectionRange {
    const [innermost, ...wider] = selectionRanges(document.program, document.offsetAt(position)).map(range => document.rangeOf(range));
    let parent: SelectionRange | undefined;
    for (const range of wider.reverse()) parent = parent === undefined ? { range } : { range, parent };
    const range = innermost ?? { start: position, end: position };
    return parent === undefined ? { range } : { range, parent };
}
