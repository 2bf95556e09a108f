import type { ClientCapabilities, Connection, ServerCapabilities } from 'vscode-languageserver/node';
import type { Login } from '#server/protocol/login.ts';
import type { InitializationOptions } from '#server/protocol/runs.ts';
import type { Documents } from '#server/workspace/documents.ts';
import type { WorkspaceFolders } from '#server/workspace/folders.ts';
import type { ProjectRoots } from '#server/workspace/project-roots.ts';
import type { Reporting } from '#server/workspace/reporting.ts';
import type { Encoding } from '#server/workspace/text-positions.ts';
import type { BackgroundReading } from './background-reading.ts';
import type { DiagnosticsPublisher } from './diagnostics-publisher.ts';
import type { Guard } from './guard.ts';
import type { LargeDocuments } from './large-documents.ts';
import type { PulledDiagnostics } from './pulled-diagnostics.ts';
import type { RunProblems } from './run-problems.ts';
import type { RunSizes } from './run-sizes.ts';

/** State that the answers to one client share. */
export interface LanguageServer {
    readonly connection: Connection;
    readonly client: ClientCapabilities;
    readonly options: InitializationOptions;
    readonly encoding: Encoding;
    readonly trust: Trust;
    /** Credentials of databases that the user has connected and programs may reach. */
    readonly connected: { logins: readonly Login[] };
    readonly folders: WorkspaceFolders;
    readonly projects: ProjectRoots;
    readonly documents: Documents;
    readonly reading: BackgroundReading;
    readonly reporting: Reporting;
    readonly diagnostics: DiagnosticsPublisher;
    /** Problems for a client that asks for them. */
    readonly pulled: PulledDiagnostics;
    /** Reports of runs at places of programs. */
    readonly problems: RunProblems;
    /** How many rows predicates had in the last runs. */
    readonly sizes: RunSizes;
    /** Suggestions that the user wants. */
    readonly suggestions: { rules: boolean };
    readonly guard: Guard;
    readonly large: LargeDocuments;
}

/** Whether the user trusts the workspace. Nothing runs and nothing is listed before that. */
export interface Trust {
    granted: boolean;
}

/** One thing that the server can do: what it tells the client about it, and its handlers. */
export interface Feature {
    capabilities(server: LanguageServer): ServerCapabilities;
    register(server: LanguageServer): unknown;
}
