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
import { inputOf, needsMetIn, type Offer, offeredTools } from '#server/tools/offered-tools.ts';
import type { Tool, ToolPlace } from '#server/tools/tool.ts';
import { listResources, readResource } from './resources.ts';
import { failureText, textAnswer } from './text-answer.ts';

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
    server.setRequestHandler(ListToolsRequestSchema, async (_, { signal }) => {
        const offer = { has: needsMetIn(await place(signal)), isViewer };
        return { tools: offeredTools(offer).map(one => listed(one, offer)) };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }, { signal }) => {
        const { text, failure } = await textAnswer({ name, input }, await place(signal), isViewer);
        if (failure === 'tool_not_found') throw new McpError(ErrorCode.InvalidParams, text);
        return answer(text, failure !== undefined);
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

function listed(tool: Tool, offer: Offer) {
    const { name, title, description, isReadOnly, isDestructive = false } = tool;
    return {
        name,
        title,
        description,
        inputSchema: inputOf(tool, offer) as { readonly type: 'object' },
        annotations: { title, readOnlyHint: isReadOnly, destructiveHint: isDestructive, openWorldHint: false },
    };
}

function answer(text: string, isError: boolean): CallToolResult {
    return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}
