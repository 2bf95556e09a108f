import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
    CallToolRequestSchema,
    type CallToolResult,
    ErrorCode,
    ListResourcesRequestSchema,
    ListToolsRequestSchema,
    McpError,
    ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Errors } from 'typebox/value';
import { RunStopped } from '#engine/reports.ts';
import { say } from '#language/program/say.ts';
import { PlatformError } from '#server/client/platform-client.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { ConnectionError } from '#server/remote/connect.ts';
import { DataDirectoryError } from '#server/store/data-directory.ts';
import { CommandsBusy } from './commands.ts';
import { DOCUMENTATION_TOOLS } from './documentation-tools.ts';
import { PROGRAM_TOOLS } from './program-tools.ts';
import { listResources, readResource } from './resources.ts';
import { SERVICE_TOOLS } from './service-tools.ts';
import { type Tool, ToolMisuse, type ToolPlace } from './tool.ts';

declare const RULELANG_VERSION: string;

const TOOLS: readonly Tool[] = [...PROGRAM_TOOLS, ...SERVICE_TOOLS, ...DOCUMENTATION_TOOLS];

/** Who is served. */
export interface McpSettings {
    /** Uses the tools of those who may only look. */
    readonly isViewer: boolean;
    /** Where a call works; it ends when its signal does. */
    place(signal: AbortSignal): Promise<ToolPlace>;
}

const INSTRUCTIONS = `rulelang is a Datalog± rule language over files and databases. Write rules as head(X) <- body(X, Y), Y > 3. and mark results with
@output("head"). Look up what you are not sure of with search_docs, check a program after each change, run it, and explain a row before you rely on it.`;

/** A server of the Model Context Protocol: https://modelcontextprotocol.io/specification */
export function mcpServer({ isViewer, place }: McpSettings): Server {
    const server = new Server(
        { name: 'rulelang', version: RULELANG_VERSION },
        { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    );
    const tools = TOOLS.filter(({ viewer }) => viewer || !isViewer);
    server.setRequestHandler(ListToolsRequestSchema, async (_, { signal }) => {
        const { hasFiles } = await place(signal);
        return { tools: tools.map(one => listed(one, hasFiles)) };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input } }, { signal }) => {
        const called = tools.find(one => one.name === name);
        if (called === undefined) throw new McpError(ErrorCode.InvalidParams, unknownTool(name));
        try {
            const { text, isError } = await called.call(validInput(called, input ?? {}), await place(signal));
            return answer(text, isError);
        } catch (error) {
            return answer(failureText(error), true);
        }
    });
    server.setRequestHandler(ListResourcesRequestSchema, async (_, { signal }) => ({
        resources: await listResources(await place(signal)),
    }));
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
        try {
            return { contents: [await readResource(uri, await place(signal))] };
        } catch (error) {
            throw new McpError(ErrorCode.InvalidParams, failureText(error));
        }
    });
    return server;
}

function listed({ name, title, description, input, isReadOnly, isDestructive = false }: Tool, hasFiles: boolean) {
    const { file: _, ...others } = input.properties;
    return {
        name,
        title,
        description,
        inputSchema: { ...(input as { readonly type: 'object' }), properties: hasFiles ? input.properties : others },
        annotations: { title, readOnlyHint: isReadOnly, destructiveHint: isDestructive, openWorldHint: false },
    };
}

function unknownTool(name: string): string {
    return say`There is no tool '${name}'; there are ${TOOLS.map(one => one.name).join(', ')}`;
}

function validInput({ input }: Tool, given: Readonly<Record<string, unknown>>): unknown {
    const unknown = Object.keys(given).find(name => !Object.hasOwn(input.properties, name));
    if (unknown !== undefined)
        throw new ToolMisuse(say`There is no argument '${unknown}'; there are ${Object.keys(input.properties).join(', ')}`);
    const [wrong] = Errors(input, given);
    if (wrong !== undefined) throw new ToolMisuse(say`${wrong.instancePath.slice(1)}: ${wrong.message}`.replace(/^: /u, ''));
    return given;
}

function answer(text: string, isError = false): CallToolResult {
    return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}

/** What a model is told of a call that failed; what is our own fault goes on, and is told as such. */
function failureText(error: unknown): string {
    if (error instanceof PlatformError) return error.details === null ? error.message : `${error.message}\n${jsonOf(error.details)}`;
    const isTold = [ToolMisuse, ApiError, RunStopped, ConnectionError, DataDirectoryError, CommandsBusy].some(
        kind => error instanceof kind,
    );
    if (isTold) return (error as Error).message;
    if (error instanceof TypeError && error.cause instanceof Error) return say`The service cannot be reached: ${error.cause.message}`;
    throw error;
}
