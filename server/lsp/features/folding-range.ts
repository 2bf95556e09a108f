import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver/node';
import { type Fold, folding } from '#language/editing/folding.ts';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';

const KINDS: Record<Fold['kind'], FoldingRangeKind | undefined> = {
    clause: undefined,
    facts: FoldingRangeKind.Region,
    annotations: FoldingRangeKind.Region,
    comment: FoldingRangeKind.Comment,
};

export const foldingRange: Feature = {
    capabilities: () => ({ foldingRangeProvider: true }),
    register: server =>
        server.connection.onFoldingRanges(
            aboutDocument(server, 'textDocument/foldingRange', document =>
                server.large.most(document.uri, 'folds', folding(document.program)).map(({ range, kind }): FoldingRange => {
                    const { start, end } = document.rangeOf(range);
                    const lines = { startLine: start.line, endLine: end.line };
                    return KINDS[kind] === undefined ? lines : { ...lines, kind: KINDS[kind] };
                }),
            ),
        ),
};
