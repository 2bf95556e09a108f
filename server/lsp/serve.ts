import {
    type Connection,
    DidChangeWatchedFilesNotification,
    type InitializeParams,
    type ServerCapabilities,
    TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { type InitializationOptions, TRUST_GRANTED } from '#server/protocol/runs.ts';
import { openDocuments } from '#server/workspace/documents.ts';
import { workspaceFolders } from '#server/workspace/folders.ts';
import { sourceColumns } from '#server/workspace/source-columns.ts';
import type { Encoding } from '#server/workspace/text-positions.ts';
import { diagnosticsPublisher } from './diagnostics.ts';
import { FEATURES } from './features.ts';
import { guarding } from './guard.ts';
import { isInitializationOptions } from './initialization-options.ts';
import type { LanguageServer } from './language-server.ts';
import { synchronize } from './synchronize.ts';

declare const RULELANG_VERSION: string;

/** Data files whose first record may be part of a program's meaning. */
const WATCHED = '**/*.{csv,tsv,txt}';

/** Serves one client: everything that depends on it is made when it introduces itself. */
export function serve(connection: Connection): void {
    connection.onInitialize(params => {
        const server = languageServer(connection, params);
        connection.onNotification(TRUST_GRANTED, () => {
            server.trust.granted = true;
        });
        synchronize(server);
        for (const feature of FEATURES) feature.register(server);
        return {
            serverInfo: { name: 'rulelang', version: RULELANG_VERSION },
            capabilities: {
                positionEncoding: server.encoding,
                textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
                workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
                ...capabilitiesOf(server),
            },
        };
    });
    connection.listen();
}

function languageServer(
    connection: Connection,
    { capabilities, initializationOptions, workspaceFolders: folders }: InitializeParams,
): LanguageServer {
    const options: InitializationOptions = isInitializationOptions(initializationOptions) ? initializationOptions : { trusted: false };
    const encoding = chosenEncoding(capabilities.general?.positionEncodings);
    const workspace = workspaceFolders((folders ?? []).map(({ uri }) => uri));
    const guard = guarding(text => connection.console.error(text));
    const documents = openDocuments(
        encoding,
        sourceColumns(() => workspace.roots()),
        error => void guard.failed('reading a change', error),
    );
    if (capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration) {
        connection.onInitialized(() => {
            void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: WATCHED }] });
        });
    }
    return {
        connection,
        client: capabilities,
        options,
        encoding,
        folders: workspace,
        trust: { granted: options.trusted },
        documents,
        diagnostics: diagnosticsPublisher(connection, documents, guard),
        guard,
    };
}

function capabilitiesOf(server: LanguageServer): ServerCapabilities {
    return Object.assign({}, ...FEATURES.map(feature => feature.capabilities(server)));
}

/** The first of the client's encodings that we know; UTF-16 where it says nothing. */
function chosenEncoding(preferred: readonly string[] | undefined): Encoding {
    const known: readonly Encoding[] = ['utf-8', 'utf-16', 'utf-32'];
    return preferred?.map(name => known.find(encoding => encoding === name)).find(found => found !== undefined) ?? 'utf-16';
}
