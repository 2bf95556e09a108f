import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { bundledDocumentation } from '#server/assistant/bundled-documentation.ts';
import type { ServiceOptions } from '#server/remote/connect.ts';
import { commandProcesses } from '#server/tools/commands.ts';
import type { EvaluationOptions } from '#server/tools/tool.ts';
import { mcpServer } from './mcp-server.ts';
import { connectToServices } from './services.ts';

/** What `rulelang mcp` was asked for. */
export interface McpOptions {
    readonly currentFolder: string;
    readonly allowRead: readonly string[];
    readonly secrets: readonly string[];
    readonly evaluation: EvaluationOptions;
    readonly service: ServiceOptions;
}

/** Commands at a time. */
const PARALLEL = 2;

/** Serves one program over standard input and output, until that ends. */
export async function serveMcp({ currentFolder, allowRead, secrets, evaluation, service }: McpOptions): Promise<number> {
    const commands = commandProcesses({ secrets, parallel: PARALLEL });
    let roots: Promise<readonly string[]> | undefined;
    const server = mcpServer({
        isViewer: false,
        async place(signal) {
            roots ??= announcedRoots();
            const announced = await roots;
            const folders = [...(announced.length === 0 ? [currentFolder] : announced), ...allowRead];
            return {
                folder: { commands, options: evaluation, folders, hasFiles: true },
                platform: () => connectToServices(service),
                documentation: bundledDocumentation(),
                signal,
            };
        },
    });
    /** Folders that the client works in; it may have none, or not tell. */
    const announcedRoots = async (): Promise<readonly string[]> => {
        if (server.getClientCapabilities()?.roots === undefined) return [];
        const { roots: told } = await server.listRoots().catch(() => ({ roots: [] }));
        const folders = told.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => fileURLToPath(uri));
        return folders.filter(folder => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory());
    };
    server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
        roots = undefined;
    });
    const closed = new Promise<void>(resolve => {
        server.onclose = resolve;
        process.stdin.once('end', resolve);
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    await server.connect(new StdioServerTransport());
    await closed;
    await server.close();
    return 0;
}
