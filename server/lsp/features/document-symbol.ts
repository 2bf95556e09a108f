import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver/node';
import { type OutlineItem, outline } from '#language/editing/outline.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';

const KINDS: Record<OutlineItem['kind'], SymbolKind> = {
    predicate: SymbolKind.Class,
    facts: SymbolKind.Array,
    rule: SymbolKind.Method,
    constraint: SymbolKind.Event,
    annotation: SymbolKind.Property,
};

export const documentSymbol: Feature = {
    capabilities: () => ({ documentSymbolProvider: true }),
    register: server =>
        server.connection.onDocumentSymbol(
            aboutDocument(server, 'textDocument/documentSymbol', document =>
                server.large
                    .most(document.uri, 'symbols', outline(document.program), ({ kind }) => kind !== 'facts')
                    .map(item => symbolOf(item, document)),
            ),
        ),
};

function symbolOf({ name, detail, kind, range, selection, children }: OutlineItem, document: EditorDocument): DocumentSymbol {
    return {
        name,
        detail,
        kind: KINDS[kind],
        range: document.rangeOf(range),
        selectionRange: document.rangeOf(selection),
        children: children.map(child => symbolOf(child, document)),
    };
}
