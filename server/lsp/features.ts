import { agentTools } from './features/agent-tools.ts';
import { codeAction } from './features/code-action.ts';
import { codeLens } from './features/code-lens.ts';
import { completion } from './features/completion.ts';
import { concepts } from './features/concepts.ts';
import { definition } from './features/definition.ts';
import { dependencyGraph } from './features/dependency-graph.ts';
import { documentHighlight } from './features/document-highlight.ts';
import { documentLink } from './features/document-link.ts';
import { documentSymbol } from './features/document-symbol.ts';
import { foldingRange } from './features/folding-range.ts';
import { formatting } from './features/formatting.ts';
import { hover } from './features/hover.ts';
import { openPage } from './features/open-page.ts';
import { problemHelp } from './features/problem-help.ts';
import { problemSettings } from './features/problem-settings.ts';
import { questionAt } from './features/question-at.ts';
import { rangeFormatting } from './features/range-formatting.ts';
import { references } from './features/references.ts';
import { rename } from './features/rename.ts';
import { reorderArguments } from './features/reorder-arguments.ts';
import { runs } from './features/runs.ts';
import { selectionRange } from './features/selection-range.ts';
import { semanticTokens } from './features/semantic-tokens.ts';
import { signatureHelp } from './features/signature-help.ts';
import { tools } from './features/tools.ts';
import { workspaceSymbol } from './features/workspace-symbol.ts';
import type { Feature } from './language-server.ts';

/** Everything that the server can do beside following documents. */
export const FEATURES: readonly Feature[] = [
    completion,
    hover,
    signatureHelp,
    definition,
    references,
    documentHighlight,
    rename,
    documentSymbol,
    workspaceSymbol,
    semanticTokens,
    foldingRange,
    selectionRange,
    codeAction,
    codeLens,
    documentLink,
    formatting,
    rangeFormatting,
    problemHelp,
    problemSettings,
    runs,
    questionAt,
    reorderArguments,
    dependencyGraph,
    openPage,
    tools,
    agentTools,
    concepts,
];
