import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Documentation } from '#server/assistant/documentation.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import { MEBIBYTE } from '#server/protocol/platform/schema.ts';
import type { Commands } from '#server/tools/commands.ts';
import type { ToolPlace } from '#server/tools/tool.ts';
import { bodyOf, departure } from './app.ts';
import { callerClient } from './caller-client.ts';
import { headerValues, isForeignOrigin } from './host-check.ts';
import type { Caller } from './token.ts';
import { shown } from './validate.ts';

/** The services that the tools for agents use. */
export interface McpContext {
    readonly commands: Commands;
    /** An empty folder, the only one that programs see; it is made when one is needed. */
    readonly folder: () => string;
    readonly documentation: Documentation | undefined;
    /** Everything up to `/api/v1` of these services. */
    readonly address: () => string;
}

/** Behind the prefix of the platform API. */
export const MCP_PATH = '/mcp';

const LARGEST = MEBIBYTE;
/** Of one command. */
const LIMITS = ['--timeout=60s', '--max-memory=512m'];

/** Refuses pages and other methods than POST: there is nothing to listen to, and no session to end. */
export function admitMcp(request: FastifyRequest): void {
    if (isForeignOrigin(request.raw)) throw apiError('host_not_allowed', [shown(headerValues(request.raw, 'origin').join(', '))]);
    if (request.method !== 'POST') throw apiError('method_not_allowed', [request.method, MCP_PATH], { headers: { Allow: 'POST' } });
}

/** The Model Context Protocol over streamable HTTP, without sessions: each request is answered with JSON on behalf of its caller. */
export function mcpRoute(app: FastifyInstance, context: McpContext, callerOf: (request: FastifyRequest) => Caller): void {
    app.post(MCP_PATH, { bodyLimit: LARGEST }, async (request, reply) => {
        const { WebStandardStreamableHTTPServerTransport } = await import('#server/mcp/http-transport.ts');
        const { mcpServer } = await import('#server/mcp/mcp-server.ts');
        const isViewer = callerOf(request).role === 'viewer';
        const server = mcpServer({ isViewer, place: async signal => placeOf(request, context, signal) });
        const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
        await server.connect(transport);
        const leave = (): void => void server.close();
        departure(reply).addEventListener('abort', leave);
        try {
            return await send(reply, await transport.handleRequest(requestOf(request)));
        } finally {
            leave();
        }
    });
}

function placeOf(request: FastifyRequest, { commands, folder, documentation, address }: McpContext, signal: AbortSignal): ToolPlace {
    return {
        folder: { commands, options: { read: [], write: [], python: [], limits: LIMITS }, folders: [folder()], hasFiles: false },
        platform: () => callerClient(address(), request),
        documentation,
        signal,
    };
}

function requestOf(request: FastifyRequest): Request {
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as [string, string]] : [],
    );
    return new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers, body: new Uint8Array(bodyOf(request)) });
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
    const type = response.headers.get('content-type');
    reply
        .code(response.status)
        .headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...(type !== null && { 'Content-Type': type }) });
    return reply.send(await response.text());
}
