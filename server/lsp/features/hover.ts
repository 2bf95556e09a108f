import { MarkupKind } from 'vscode-languageserver/node';
import { hoverCard } from '#language/editing/hover-card.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature } from '../language-server.ts';

export const hover: Feature = {
    capabilities: () => ({ hoverProvider: true }),
    register: server =>
        server.connection.onHover(
            aboutPlace(server, 'textDocument/hover', (document, offset) => {
                document.freshenSources();
                const card = hoverCard(document.program, offset, document.tablesOf);
                return card && { contents: { kind: MarkupKind.Markdown, value: card.markdown }, range: document.rangeOf(card.range) };
            }),
        ),
};
