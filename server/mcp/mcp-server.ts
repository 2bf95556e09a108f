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
import { say } from '#language/program/say.ts';
import { callTool, failureText } from './call-tool.ts';
import { listResources, readResource } from './resources.ts';
import type { Tool, ToolPlace } from './tool.ts';
import { TOOLS } from './tools.ts';

declare const RULELANG_VERSION: string;

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
        const { text, isError } = await callTool(called, input ?? {}, () => place(signal));
        return answer(text, isError);
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

function answer(text: string, isError = false): CallToolResult {
    return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}
