import { formatRange } from '#language/editing/format-range.ts';
import { aboutDocument } from '../answer.ts';
import { textEdits } from '../edits.ts';
import type { Feature } from '../language-server.ts';

export const rangeFormatting: Feature = {
    capabilities: () => ({ documentRangeFormattingProvider: true }),
    register: server =>
        server.connection.onDocumentRangeFormatting(
            aboutDocument(server, 'textDocument/rangeFormatting', (document, { range }) => {
                const touched = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
                return textEdits(document, formatRange(document.program, touched));
            }),
        ),
};
