// Builds what an editor in a browser loads into the staged extension: the extension, and the script of its workers.
import { browserParts } from './browser-parts.mjs';
import { build } from './noted-build.mjs';

const SOURCE = 'extension/web';
const PARTS = {
    modules: {
        'node:dns/promises': 'server/browser/network.ts',
        'node:net': 'server/browser/network.ts',
        'node:os': 'server/browser/machine.ts',
        'node:url': 'server/browser/urls.ts',
        'node:util': 'server/browser/equality.ts',
    },
    files: {
        'server/lsp/features/agent-tools.ts': `${SOURCE}/worker/agent-tools.ts`,
        'server/lsp/features/open-page.ts': 'server/browser/open-page.ts',
        'server/lsp/memory-return.ts': 'server/browser/memory-return.ts',
        'server/lsp/run-models.ts': 'server/browser/run-models.ts',
        'server/processes/child-processes.ts': `${SOURCE}/worker/child-processes.ts`,
        'server/processes/end-with-parent.ts': `${SOURCE}/worker/end-with-parent.ts`,
        'server/processes/process-memory.ts': 'server/browser/process-memory.ts',
        'server/processes/yield-priority.ts': 'server/browser/yield-priority.ts',
        'server/python/python-unavailable.ts': 'server/browser/python-unavailable.ts',
        'server/runs/inline-less.ts': 'server/browser/inline-less.ts',
        'server/runs/start-explaining.ts': `${SOURCE}/worker/start-explaining.ts`,
        'server/sources/databases/dialects.ts': 'server/browser/databases.ts',
        'server/words/speak-locale.ts': 'server/browser/words.ts',
    },
};

export async function buildWeb(stage, define) {
    const common = {
        bundle: true,
        minify: true,
        logLevel: 'warning',
        platform: 'browser',
        target: 'es2023',
        define: { ...define, 'import.meta.url': '"file:///extension/"' },
        inject: ['server/browser/system.ts'],
        plugins: [browserParts(PARTS)],
    };
    await build({
        ...common,
        entryPoints: [`${SOURCE}/worker/main.ts`],
        outfile: `${stage}/web/worker.js`,
        format: 'iife',
        alias: { 'vscode-languageserver/node': 'vscode-languageserver/browser' },
    });
    await build({ ...common, entryPoints: [`${SOURCE}/main.ts`], outfile: `${stage}/web/main.js`, format: 'cjs', external: ['vscode'] });
}
