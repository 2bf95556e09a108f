import { DocumentHighlightKind } from 'vscode-languageserver/node';
import { highlights } from '#language/editing/highlights.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature } from '../language-server.ts';

const KINDS = { read: DocumentHighlightKind.Read, write: DocumentHighlightKind.Write } as const;

export const documentHighlight: Feature = {
    capabilities: () => ({ documentHighlightProvider: true }),
    register: server =>
        server.connection.onDocumentHighlight(
            aboutPlace(server, 'textDocument/documentHighlight', (document, offset) =>
                highlights(document.program, offset).map(({ range, kind }) => ({ range: document.rangeOf(range), kind: KINDS[kind] })),
            ),
        ),
};
