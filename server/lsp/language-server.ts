import type { ClientCapabilities, Connection, ServerCapabilities } from 'vscode-languageserver/node';
import type { InitializationOptions } from '#server/protocol/runs.ts';
import type { Documents } from '#server/workspace/documents.ts';
import type { WorkspaceFolders } from '#server/workspace/folders.ts';
import type { Encoding } from '#server/workspace/text-positions.ts';
import type { DiagnosticsPublisher } from './diagnostics.ts';
import type { Guard } from './guard.ts';

/** What the answers to one client share. */
export interface LanguageServer {
    readonly connection: Connection;
    readonly client: ClientCapabilities;
    readonly options: InitializationOptions;
    readonly encoding: Encoding;
    readonly folders: WorkspaceFolders;
    readonly documents: Documents;
    /** Lists the files that a path in this document may go on to; absent where nothing may be listed. */
    filesNear(uri: string): ((prefix: string) => readonly string[]) | undefined;
    readonly diagnostics: DiagnosticsPublisher;
    readonly guard: Guard;
}

/** One thing that the server can do: what it tells the client about it, and its handlers. */
export interface Feature {
    capabilities(server: LanguageServer): ServerCapabilities;
    register(server: LanguageServer): unknown;
}
