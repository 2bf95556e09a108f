// The modules that are bundled with their common parts in files beside them, by the names of their bundles.

/** What the command line loads when it is asked for. */
export const LATER = {
    lsp: 'server/lsp/main.ts',
    dap: 'server/dap/main.ts',
    api: 'server/api/main.ts',
    mcp: 'server/mcp/main.ts',
    repl: 'server/repl/main.ts',
    remote: 'server/remote/main.ts',
    translate: 'server/translate/main.ts',
    'problem-help': 'server/problem-help/problem-help.ts',
    'help-text': 'server/problem-help/help-text.ts',
};

export const MODULES = {
    ...LATER,
    'run-process': 'server/runs/run-process.ts',
    'debug-thread': 'server/dap/debug-thread.ts',
    'explaining-thread': 'server/runs/explaining-thread.ts',
    'tool-worker': 'server/api/tool-worker.ts',
    'read-worker': 'server/api/read-worker.ts',
};
