import type { Range } from 'vscode-languageserver/node';
import type { TextRange } from '#language/document/open-document.ts';
import { formatRange, formatRanges } from '#language/editing/format-range.ts';
import type { TextPositions } from '#server/workspace/text-positions.ts';
import { aboutDocument } from '../answer.ts';
import { textEdits } from '../edits.ts';
import type { Feature } from '../language-server.ts';

export const rangeFormatting: Feature = {
    capabilities: () => ({ documentRangeFormattingProvider: { rangesSupport: true } }),
    register: server => {
        server.connection.onDocumentRangeFormatting(
            aboutDocument(server, 'textDocument/rangeFormatting', (document, { range }) =>
                textEdits(document, formatRange(document.program, touchedBy(document, range))),
            ),
        );
        server.connection.onDocumentRangesFormatting(
            aboutDocument(server, 'textDocument/rangesFormatting', (document, { ranges }) => {
                const touched = ranges.map(range => touchedBy(document, range));
                return textEdits(document, formatRanges(document.program, touched));
            }),
        );
    },
};

function touchedBy(positions: TextPositions, { start, end }: Range): TextRange {
    return { start: positions.offsetAt(start), end: positions.offsetAt(end) };
}
