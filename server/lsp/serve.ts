import {
    CodeLensRefreshRequest,
    type Connection,
    type Diagnostic,
    type InitializeParams,
    InlayHintRefreshRequest,
    MessageType,
    type ServerCapabilities,
    ShowMessageNotification,
    TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { hostGrant } from '#server/protocol/host-grant.ts';
import { isConnected, type Login, loginHosts } from '#server/protocol/login.ts';
import { CELL_LANGUAGES, NOTEBOOK_TYPE } from '#server/protocol/notebooks/notebook-blocks.ts';
import { CONNECTED, type InitializationOptions, isInitializationOptions, TRUST_GRANTED } from '#server/protocol/runs.ts';
import { queryTrials } from '#server/runs/query-trials.ts';
import { secretsNamed } from '#server/secrets/secret.ts';
import { speakLocale } from '#server/words/speak-locale.ts';
import { type EditorDocument, openDocuments } from '#server/workspace/documents.ts';
import { editorIndex } from '#server/workspace/editor-index.ts';
import { workspaceFolders } from '#server/workspace/folders.ts';
import { includingPrograms } from '#server/workspace/including-programs.ts';
import { projectRoots } from '#server/workspace/project-roots.ts';
import { reporting } from '#server/workspace/reporting.ts';
import { sourceColumns } from '#server/workspace/source-columns.ts';
import type { Encoding } from '#server/workspace/text-positions.ts';
import { backgroundReading } from './background-reading.ts';
import { closedProblems } from './closed-problems.ts';
import { diagnosticsPublisher, type Telling } from './diagnostics-publisher.ts';
import { pullsDiagnostics } from './features/pull-diagnostics.ts';
import { FEATURES } from './features.ts';
import { guarding } from './guard.ts';
import type { LanguageServer } from './language-server.ts';
import { largeDocuments } from './large-documents.ts';
import { problemDiagnostics } from './problem-diagnostics.ts';
import { problemPages } from './problem-pages.ts';
import { projectFiles } from './project-files.ts';
import { pulledDiagnostics } from './pulled-diagnostics.ts';
import { pythonOf } from './python-of.ts';
import { runProblems } from './run-problems.ts';
import { runSizes } from './run-sizes.ts';
import { FILE_OPERATIONS, synchronize, watchFiles } from './synchronize.ts';
import { usualLimits } from './usual-limits.ts';

declare const RULELANG_VERSION: string;

/** Notebooks that a client sends cell by cell; the rest of the server sees their programs. */
const NOTEBOOKS = { notebook: { notebookType: NOTEBOOK_TYPE }, cells: CELL_LANGUAGES.map(language => ({ language })) };

/** Serves one client: everything that depends on it is made when it introduces itself. */
export function serve(connection: Connection): void {
    connection.onInitialize(params => {
        speakLocale(params.locale);
        const server = languageServer(connection, params);
        const tellProjects = projectFiles(server);
        connection.onNotification(TRUST_GRANTED, () => {
            server.trust.granted = true;
            server.documents.refreshSources();
            server.documents.index.walk();
            server.reading.go();
            tellProjects();
        });
        connection.onNotification(CONNECTED, (params: unknown) => {
            if (!isConnected(params)) return;
            server.connected.logins = params.logins;
            server.documents.refreshSources();
            tellProjects();
        });
        synchronize(server, tellProjects);
        for (const feature of FEATURES) feature.register(server);
        const own = capabilitiesOf(server);
        return {
            serverInfo: { name: 'rulelang', version: RULELANG_VERSION },
            capabilities: {
                positionEncoding: server.encoding,
                textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
                notebookDocumentSync: { notebookSelector: [NOTEBOOKS] },
                ...own,
                workspace: { workspaceFolders: { supported: true, changeNotifications: true }, ...FILE_OPERATIONS, ...own.workspace },
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
    const projects = projectRoots(workspace);
    const trust = { granted: options.trusted };
    const connected: { logins: readonly Login[] } = { logins: [] };
    const documents = openDocuments({
        encoding,
        columns: sourceColumns({
            roots: () => workspace.roots(),
            isTrusted: () => trust.granted,
            python: pythonOf(options),
            ...queryTrials(usualLimits(options)),
            failed: error => void guard.failed(say`asking a source`, error),
            reached: () => ({
                hosts: [...(options.allowNet ?? []).flatMap(text => hostGrant(text) ?? []), ...loginHosts(connected.logins)],
                secrets: secretsNamed(options.secrets ?? [], process.env),
                logins: connected.logins,
            }),
            answered: uri => {
                documents.refreshSourcesOf(uri);
                diagnostics.schedule(uri);
            },
        }),
        closedColumns: sourceColumns({
            roots: () => workspace.roots(),
            isTrusted: () => false,
            failed: error => void guard.failed(say`asking a source`, error),
            answered: uri => {
                closed.forget(uri);
                pulled.changed('dependent');
            },
        }),
        index: held => editorIndex(held, { folders: workspace, projects, trust, wanted: () => reading.go() }),
        failed: error => void guard.failed(say`reading a change`, error),
    });
    documents.onClosed(large.forget);
    const reported = reporting(workspace, message => {
        void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
    });
    const pages = problemPages({ client: capabilities, options });
    const problems = runProblems(documents, pages, uri => {
        closed.forget(uri);
        diagnostics.schedule(uri);
    });
    const sizes = runSizes(documents);
    sizes.onChanged(() => {
        if (capabilities.workspace?.codeLens?.refreshSupport === true) void connection.sendRequest(CodeLensRefreshRequest.type);
        if (capabilities.workspace?.inlayHint?.refreshSupport === true) void connection.sendRequest(InlayHintRefreshRequest.type);
    });
    documents.onClosed(sizes.forget);
    const including = includingPrograms(documents, workspace);
    const told = problemDiagnostics(documents, { reporting: reported, including }, problems, pages);
    const closed = closedProblems({
        documents,
        diagnosticsOf: told.ofClosed,
        read: () => reading.settled(),
        failed: error => void guard.failed('workspace/diagnostic', error),
    });
    const pulled = pulledDiagnostics(connection, documents, told, closed, guard);
    const send = ({ uri, version }: EditorDocument, diagnostics: Diagnostic[]): void =>
        void connection.sendDiagnostics({ uri, version, diagnostics });
    const pushed: Telling = {
        asksAfterEdits: false,
        begin: document => {
            const diagnostics = told.ofBeginning(document);
            if (diagnostics.length > 0) send(document, diagnostics);
        },
        tell: document => send(document, told.of(document)),
        closed: uri => void connection.sendDiagnostics({ uri, diagnostics: [] }),
        changed: () => undefined,
    };
    const diagnostics = diagnosticsPublisher(documents, guard, pullsDiagnostics(capabilities) ? pulled : pushed, including.dependents);
    const reading = backgroundReading(
        documents,
        () => {
            documents.refreshIndex();
            diagnostics.scheduleDependents();
        },
        error => void guard.failed(say`reading a program`, error),
    );
    connection.onInitialized(() => {
        documents.index.walk();
        reading.go();
        watchFiles({ connection, client: capabilities });
    });
    return {
        connection,
        client: capabilities,
        options,
        encoding,
        folders: workspace,
        projects,
        trust,
        connected,
        documents,
        reading,
        reporting: reported,
        diagnostics,
        pulled,
        problems,
        sizes,
        suggestions: { rules: true },
        guard,
        large,
    };
}

function capabilitiesOf(server: LanguageServer): ServerCapabilities {
    const all = FEATURES.map(feature => feature.capabilities(server));
    return Object.assign({}, ...all, { workspace: Object.assign({}, ...all.map(({ workspace }) => workspace)) });
}

/** The first of the client's encodings that we know; UTF-16 where it says nothing. */
function chosenEncoding(preferred: readonly string[] | undefined): Encoding {
    const known: readonly Encoding[] = ['utf-8', 'utf-16', 'utf-32'];
    return preferred?.map(name => known.find(encoding => encoding === name)).find(found => found !== undefined) ?? 'utf-16';
}
