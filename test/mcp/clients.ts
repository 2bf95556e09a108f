import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CLI } from '../cli/command-line.ts';

export interface Called {
    readonly text: string;
    readonly isError: boolean;
}

export interface Agent {
    readonly client: Client;
    call(name: string, input: Readonly<Record<string, unknown>>): Promise<Called>;
    close(): Promise<void>;
}

/** An agent that starts `rulelang mcp` in a folder; with roots, it announces them. */
export async function localAgent(
    folder: string,
    args: readonly string[] = [],
    roots?: readonly string[],
): Promise<Agent & { readonly pid: number }> {
    const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...args], cwd: folder, stderr: 'pipe' });
    const client = new Client({ name: 'test', version: '1' }, { capabilities: roots === undefined ? {} : { roots: {} } });
    if (roots !== undefined)
        client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map(root => ({ uri: `file://${root}` })) }));
    await client.connect(transport);
    return { ...agent(client), pid: transport.pid ?? 0 };
}

/** An agent that speaks to services with a token. */
export async function remoteAgent(base: string, token: string): Promise<Agent> {
    const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return agent(client);
}

function agent(client: Client): Agent {
    return {
        client,
        async call(name, input) {
            const { content, isError } = await client.callTool({ name, arguments: input });
            const [first] = content as readonly { readonly type: string; readonly text?: string }[];
            return { text: first?.text ?? '', isError: isError === true };
        },
        close: () => client.close(),
    };
}
