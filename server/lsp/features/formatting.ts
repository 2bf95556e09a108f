import { formatEdits } from '#language/editing/format-edits.ts';
import { textEdits } from '../edits.ts';
import type { Feature } from '../language-server.ts';

export const formatting: Feature = {
    capabilities: () => ({ documentFormattingProvider: true }),
    register: ({ connection, documents, guard }) => {
        connection.onDocumentFormatting(
            guard.request('textDocument/formatting', ({ textDocument }) => {
                const document = documents.get(textDocument.uri);
                return document && textEdits(document, formatEdits(document.text));
            }),
        );
    },
};
