import type { ExtensionContext } from 'vscode';
import type { ServerOptions, TransportKind } from 'vscode-languageclient/node';
import type { MakeClient } from '#extension/host/client.ts';

/**
 * More room for young objects: parsing allocates much that lives shortly. With 64 MB in place of 32 a workspace of 100,000 clauses takes 635 MB in
 * place of 569, and each collection 34 ms in place of 22, for no less of the processor; with the usual 16 MB a program of 50,000 clauses takes a tenth
 * more of it.
 */
const SERVER_FLAGS = ['--max-semi-space-size=32'];

/** Has the language server be a process of its own. */
export function serverProcess(context: ExtensionContext): MakeClient {
    return async options => {
        const { LanguageClient, RevealOutputChannelOn, State, TransportKind } = await import('./language-client.ts');
        const server = serverOptions(context, TransportKind.ipc);
        const client = new LanguageClient('rulelang', 'Rulelang', server, {
            ...options,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
        });
        return { client, states: State };
    };
}

function serverOptions(context: ExtensionContext, transport: TransportKind): ServerOptions {
    const module = context.asAbsolutePath('server/lsp.mjs');
    const run = { module, transport, options: { execArgv: SERVER_FLAGS } };
    return { run, debug: { ...run, options: { execArgv: [...SERVER_FLAGS, '--nolazy', '--inspect=6009'] } } };
}
