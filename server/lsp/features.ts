import { agentTools } from './features/agent-tools.ts';
import { atCursor } from './features/at-cursor.ts';
import { callHierarchy } from './features/call-hierarchy.ts';
import { codeAction } from './features/code-action.ts';
import { codeLens } from './features/code-lens.ts';
import { completion } from './features/completion.ts';
import { concepts } from './features/concepts.ts';
import { definitions } from './features/definition.ts';
import { dependencyGraph } from './features/dependency-graph.ts';
import { documentHighlight } from './features/document-highlight.ts';
import { documentLink } from './features/document-link.ts';
import { documentSymbol } from './features/document-symbol.ts';
import { executeCommand } from './features/execute-command.ts';
import { foldingRange } from './features/folding-range.ts';
import { formatting } from './features/formatting.ts';
import { hover } from './features/hover.ts';
import { inlayHint } from './features/inlay-hint.ts';
import { inlineCompletion } from './features/inline-completion.ts';
import { inlineValue } from './features/inline-value.ts';
import { linkedEditing } from './features/linked-editing.ts';
import { moniker } from './features/moniker.ts';
import { onTypeFormatting } from './features/on-type-formatting.ts';
import { problemHelp } from './features/problem-help.ts';
import { pullDiagnostics } from './features/pull-diagnostics.ts';
import { questionAt } from './features/question-at.ts';
import { rangeFormatting } from './features/range-formatting.ts';
import { references } from './features/references.ts';
import { rename } from './features/rename.ts';
import { reorderArguments } from './features/reorder-arguments.ts';
import { runs } from './features/runs.ts';
import { search } from './features/search.ts';
import { selectionRange } from './features/selection-range.ts';
import { semanticTokens } from './features/semantic-tokens.ts';
import { settings } from './features/settings.ts';
import { shownDocuments } from './features/shown-documents.ts';
import { signatureHelp } from './features/signature-help.ts';
import { testCases } from './features/test-cases.ts';
import { tools } from './features/tools.ts';
import { translations } from './features/translations.ts';
import { typeHierarchy } from './features/type-hierarchy.ts';
import { willRenameFiles } from './features/will-rename-files.ts';
import { workspaceSymbol } from './features/workspace-symbol.ts';
import type { Feature } from './language-server.ts';

/** Everything that the server can do beside following documents. */
export const FEATURES: readonly Feature[] = [
    pullDiagnostics,
    completion,
    inlineCompletion,
    hover,
    signatureHelp,
    definitions,
    references,
    moniker,
    documentHighlight,
    rename,
    willRenameFiles,
    linkedEditing,
    callHierarchy,
    typeHierarchy,
    documentSymbol,
    workspaceSymbol,
    semanticTokens,
    foldingRange,
    selectionRange,
    codeAction,
    codeLens,
    inlayHint,
    inlineValue,
    documentLink,
    formatting,
    rangeFormatting,
    onTypeFormatting,
    problemHelp,
    settings,
    runs,
    questionAt,
    atCursor,
    reorderArguments,
    search,
    dependencyGraph,
    testCases,
    shownDocuments,
    executeCommand,
    tools,
    agentTools,
    concepts,
    translations,
];
