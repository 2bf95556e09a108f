import {
    type Connection,
    DidChangeWatchedFilesNotification,
    type InitializeParams,
    MessageType,
    type ServerCapabilities,
    ShowMessageNotification,
    TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { hostGrant } from '#server/protocol/host-grant.ts';
import { type InitializationOptions, TRUST_GRANTED } from '#server/protocol/runs.ts';
import { queryTrials } from '#server/runs/query-trials.ts';
import { secretsNamed } from '#server/secrets/secret.ts';
import { speakLocale } from '#server/words/speak-locale.ts';
import { openDocuments } from '#server/workspace/documents.ts';
import { editorIndex } from '#server/workspace/editor-index.ts';
import { workspaceFolders } from '#server/workspace/folders.ts';
import { reporting } from '#server/workspace/reporting.ts';
import { sourceColumns } from '#server/workspace/source-columns.ts';
import type { Encoding } from '#server/workspace/text-positions.ts';
import { backgroundReading } from './background-reading.ts';
import { diagnosticsPublisher, problemPages } from './diagnostics.ts';
import { FEATURES } from './features.ts';
import { guarding } from './guard.ts';
import { isInitializationOptions } from './initialization-options.ts';
import type { LanguageServer } from './language-server.ts';
import { largeDocuments } from './large-documents.ts';
import { pythonOf } from './python-of.ts';
import { runProblems } from './run-problems.ts';
import { synchronize } from './synchronize.ts';
import { usualLimits } from './usual-limits.ts';

declare const RULELANG_VERSION: string;

/** Data files that tell of their columns, scripts, programs, and settings. */
const WATCHED = ['**/*.{rulelang,py,csv,tsv,txt,gz,zst,json,ndjson,parquet,xlsx,sqlite,sqlite3,db}', '**/rulelang.json'];

/** Serves one client: everything that depends on it is made when it introduces itself. */
export function serve(connection: Connection): void {
    connection.onInitialize(params => {
        speakLocale(params.locale);
        const server = languageServer(connection, params);
        connection.onNotification(TRUST_GRANTED, () => {
            server.trust.granted = true;
            server.documents.refreshSources();
            server.documents.index.walk();
            server.reading.go();
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
    const large = largeDocuments(text => connection.console.info(text));
    const trust = { granted: options.trusted };
    const documents = openDocuments({
        encoding,
        columns: sourceColumns({
            roots: () => workspace.roots(),
            isTrusted: () => trust.granted,
            python: pythonOf(options),
            ...queryTrials(usualLimits(options)),
            failed: error => void guard.failed(say`asking a source`, error),
            reached: {
                hosts: (options.allowNet ?? []).flatMap(text => hostGrant(text) ?? []),
                secrets: secretsNamed(options.secrets ?? [], process.env),
            },
            answered: uri => {
                documents.refreshSourcesOf(uri);
                diagnostics.schedule(uri);
            },
        }),
        index: held => editorIndex(held, { folders: workspace, trust, wanted: () => reading.go() }),
        failed: error => void guard.failed(say`reading a change`, error),
    });
    documents.onClosed(large.forget);
    const reported = reporting(workspace, message => {
        void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
    });
    const problems = runProblems(documents, uri => diagnostics.schedule(uri));
    const diagnostics = diagnosticsPublisher(
        connection,
        documents,
        reported,
        problems,
        guard,
        problemPages({ client: capabilities, options }),
    );
    const reading = backgroundReading(
        documents.index,
        () => {
            documents.refreshIndex();
            for (const uri of documents.including('')) diagnostics.scheduleDependent(uri);
        },
        error => void guard.failed(say`reading a program`, error),
    );
    connection.onInitialized(() => {
        documents.index.walk();
        reading.go();
        if (capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration) {
            void connection.client.register(DidChangeWatchedFilesNotification.type, {
                watchers: WATCHED.map(globPattern => ({ globPattern })),
            });
        }
    });
    return {
        connection,
        client: capabilities,
        options,
        encoding,
        folders: workspace,
        trust,
        documents,
        reading,
        reporting: reported,
        diagnostics,
        problems,
        guard,
        large,
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
