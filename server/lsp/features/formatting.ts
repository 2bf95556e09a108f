import { formatEdits } from '#language/editing/format-edits.ts';
import { aboutDocument } from '../answer.ts';
import { textEdits } from '../edits.ts';
import type { Feature } from '../language-server.ts';

export const formatting: Feature = {
    capabilities: () => ({ documentFormattingProvider: true }),
    register: server =>
        server.connection.onDocumentFormatting(
            aboutDocument(server, 'textDocument/formatting', document => textEdits(document, formatEdits(document.text))),
        ),
};
