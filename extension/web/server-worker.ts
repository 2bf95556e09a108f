import { type ExtensionContext, FileType, type LogOutputChannel, Uri, workspace } from 'vscode';
import {
    BrowserMessageReader,
    BrowserMessageWriter,
    FileChangeType,
    type FileEvent,
    LanguageClient,
    type MessageTransports,
    RevealOutputChannelOn,
    State,
} from 'vscode-languageclient/browser';
import type { MakeClient } from '#extension/host/client.ts';
import { type MountedFolders, mountedFolders } from './mounted-folders.ts';
import { FILES_CHANGED, FILES_WRITTEN, type FilesChanged, type FilesWritten } from './worker/files.ts';
import type { Beginning } from './worker/messages.ts';
import { isLookedInto, isRead, readFolders } from './workspace-files.ts';

/** Runs the language server as a worker. It gets the files of the workspace and hands back those that runs write. */
export function serverWorker(context: ExtensionContext, log: LogOutputChannel): MakeClient {
    const script = Uri.joinPath(context.extensionUri, 'web', 'worker.js').toString(true);
    let worker: Worker | undefined;
    let folders = mountedFolders([]);
    const start = async (): Promise<MessageTransports> => {
        worker?.terminate();
        folders = mountedFolders(workspace.workspaceFolders ?? []);
        const files = await readFolders(folders.folders, log);
        worker = new Worker(script, { name: 'rulelang-language' });
        worker.postMessage({ role: 'language', script, files } satisfies Beginning);
        return mapped(worker, folders);
    };
    context.subscriptions.push({ dispose: () => worker?.terminate() });
    return async options => {
        const client = new LanguageClient('rulelang', 'Rulelang', start, {
            ...options,
            // Files are wherever the workspace is.
            documentSelector: [...(options.documentSelector ?? []), ...schemesOf().map(scheme => ({ scheme, language: 'rulelang' }))],
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            middleware: {
                ...options.middleware,
                workspace: {
                    async didChangeWatchedFile(event, next) {
                        await client.sendNotification(FILES_CHANGED, await changeOf(event, folders, log));
                        await next(event);
                    },
                },
            },
        });
        client.onNotification(FILES_WRITTEN, ({ files }: FilesWritten) => {
            for (const [path, bytes] of files) void write(path, bytes);
        });
        const write = async (path: string, bytes: Uint8Array): Promise<void> => {
            const uri = folders.uriOf(path);
            if (uri === undefined) return;
            try {
                await workspace.fs.writeFile(uri, bytes);
            } catch (reason) {
                log.error(`${uri} could not be written: ${reason}`);
            }
        };
        context.subscriptions.push(
            workspace.onDidChangeWorkspaceFolders(async () => {
                await client.stop();
                await client.start();
            }),
        );
        return { client, states: State };
    };
}

function schemesOf(): string[] {
    return [...new Set((workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme))].filter(scheme => scheme !== 'file');
}

/** Messages whose addresses are changed on their way. */
function mapped(worker: Worker, folders: MountedFolders): MessageTransports {
    const reader = new BrowserMessageReader(worker);
    const writer = new BrowserMessageWriter(worker);
    const { listen } = reader;
    reader.listen = callback => listen.call(reader, message => callback(folders.toEditor(message)));
    const { write } = writer;
    writer.write = message => write.call(writer, folders.toServer(message));
    return { reader, writer };
}

/** Describes a new, changed or removed file, or such a folder with its files, for the server. */
async function changeOf({ uri, type }: FileEvent, folders: MountedFolders, log: LogOutputChannel): Promise<FilesChanged> {
    const place = Uri.parse(uri);
    const path = folders.pathOf(place);
    if (path === undefined || !isLookedInto(place)) return { files: [], removed: [] };
    if (type === FileChangeType.Deleted) return { files: [], removed: [path] };
    try {
        if (isRead(place)) return { files: [[path, await workspace.fs.readFile(place)]], removed: [] };
        const isFolder = ((await workspace.fs.stat(place)).type & FileType.Directory) !== 0;
        return { files: isFolder ? await readFolders([{ uri: place, path }], log) : [], removed: [] };
    } catch {
        return { files: [], removed: [path] };
    }
}
