import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, test } from 'vitest';
import type { AgentWork } from '#server/agent/agent-work.ts';
import { turnLines } from '#server/agent/turn.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { editorTools } from '#server/mcp/editor-tools.ts';
import { mcpServer } from '#server/mcp/mcp-server.ts';
import type { Model, ModelPiece, ModelTool } from '#server/model/model.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import type { ProgramFolder, ToolPlace } from '#server/tools/tool.ts';
import { TOOLS } from '#server/tools/tools.ts';

// What the build puts in the place of it.
Object.assign(globalThis, { RULELANG_VERSION: '1' });

const DEFINITION = 'big(X) <- t(X). t(1). @output("big").';
const CONCEPT = {
    concept_name: 'big',
    concept_type: 'logic',
    output_predicate: 'big',
    definition: DEFINITION,
    binds: {},
    python_scripts: {},
    dependencies: [],
};
const SECTION = { title: 'Rules', url: '/docs/language#rules', text: 'A rule has a head.', keywords: '' };

/** The platform: what it is called with, and what it answers. */
function platform(): { readonly client: PlatformClient; readonly calls: [route: string, call: { readonly body?: object }][] } {
    const calls: [string, { readonly body?: object }][] = [];
    const answers: Readonly<Record<string, unknown>> = {
        listConcepts: [CONCEPT, { ...CONCEPT, concept_name: 'sums', concept_type: 'sql', definition: 'SELECT 1' }],
        listSources: [],
        runConcept: { execution_id: 'e', rows_processed: 1, columns: ['X'], results: [[1]], warnings: [] },
        saveConcept: { id: 'i', concept_name: 'big', created: false },
        explainRow: { words: 'It is given.', changed_files: [] },
    };
    const called = (route: string) => async (call: object) => {
        calls.push([route, call]);
        if (!(route in answers)) throw new PlatformError(404, 'results_not_found', `no answer to ${route}`, { route });
        return answers[route];
    };
    return { client: new Proxy({}, { get: (_, route) => called(String(route)) }) as PlatformClient, calls };
}

function placeWith(client: PlatformClient): ToolPlace {
    return {
        platform: () => client,
        documentation: { sections: [SECTION], search: () => [SECTION] },
        signal: new AbortController().signal,
    };
}

const FOLDER: ProgramFolder = {
    commands: async args => ({ exitCode: 0, output: args.join(' '), errors: '' }),
    options: { read: [], write: [], python: [], limits: [] },
    folders: ['/work'],
    hasFiles: true,
};

function workWith(client: PlatformClient): AgentWork {
    return {
        ...placeWith(client),
        project: { id: 'p', scope: 'user', check: async () => [] },
        effects: async () => ({ outputs: ['big'], reads: [], unread: [], input: [], output: [], python: false, model: false }),
        tryOut: async () => ({ outputs: [], not_run: [] }),
        changed: new Map(),
    };
}

interface Called {
    readonly offered: readonly ModelTool[];
    readonly result: { readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown } };
}

/** What the agent offers to its model, and what becomes of one call. */
async function byAgent(name: string, input: unknown, client = platform().client): Promise<Called> {
    let offered: readonly ModelTool[] = [];
    let round = 0;
    const model: Pick<Model, 'stream'> = {
        async *stream({ tools = [] }): AsyncIterable<ModelPiece> {
            offered = tools;
            if (round++ === 0) yield { kind: 'call', call: { id: '1', name, input } };
        },
    };
    const lines = turnLines({ model: model as Model, system: '', messages: [], work: workWith(client) });
    for await (const line of lines) if (line.type === 'tool_result') return { offered, result: line.data.result as Called['result'] };
    throw new Error('the call has no result');
}

async function mcpClient(isViewer = false, client = platform().client): Promise<Client> {
    const server = mcpServer({ isViewer, place: async () => ({ ...placeWith(client), folder: FOLDER }) });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const connected = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(far), connected.connect(near)]);
    return connected;
}

async function byMcp(name: string, input: Record<string, unknown>, client?: PlatformClient): Promise<string> {
    const connected = await mcpClient(false, client);
    const { content } = await connected
        .callTool({ name, arguments: input })
        .catch((error: Error) => ({ content: [{ text: error.message.replace(/^(?:MCP error -\d+: )+/u, '') }] }));
    return (content as [{ text: string }])[0].text;
}

async function byEditor(name: string, input: Record<string, unknown>): Promise<string> {
    const { text } = await editorTools((_, signal) => ({ ...placeWith(platform().client), folder: FOLDER, signal }))(
        { name, input },
        new AbortController().signal,
    );
    return text;
}

interface Schema {
    readonly properties: Readonly<Record<string, { readonly type: string }>>;
    readonly required?: readonly string[];
}

describe('what is offered', () => {
    test('the same tools with the same arguments, but for what a place lacks', async () => {
        const agent = new Map((await byAgent('search_docs', {})).offered.map(tool => [tool.name, tool]));
        const mcp = new Map((await (await mcpClient()).listTools()).tools.map(tool => [tool.name, tool]));
        const namesOf = (...needs: readonly unknown[]) => TOOLS.filter(tool => needs.includes(tool.needs)).map(({ name }) => name);
        expect([...agent.keys()]).toEqual(namesOf(undefined, 'project'));
        expect([...mcp.keys()]).toEqual(namesOf(undefined, 'folder', 'projects', 'sources'));
        for (const { name, inputWith = {} } of TOOLS.filter(tool => tool.needs === undefined)) {
            const [own, other] = [agent.get(name)?.parameters, mcp.get(name)?.inputSchema] as [Schema, Schema];
            const added = new Set(Object.values(inputWith).flatMap(properties => Object.keys(properties)));
            expect(agent.get(name)?.description).toBe(mcp.get(name)?.description);
            expect([name, Object.keys(other.properties).filter(key => !(key in own.properties) && !added.has(key))]).toEqual([name, []]);
            for (const [key, schema] of Object.entries(own.properties)) {
                expect([name, key, other.properties[key]?.type]).toEqual([name, key, schema.type]);
                if (!added.has(key)) expect([name, key, other.properties[key]]).toEqual([name, key, schema]);
            }
        }
    });

    test('the page of the tools lists them, and who may only look', () => {
        const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
        const rows = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|.*\| (yes )?\|$/gmu)];
        const listed = rows.flatMap(([, names = '', viewer]) => [...names.matchAll(/\w+/gu)].map(([name]) => [name, viewer !== undefined]));
        const tools = TOOLS.map(({ name, viewer }) => [name, viewer]);
        expect(new Map(listed as [string, boolean][])).toEqual(new Map(tools as [string, boolean][]));
    });

    test('whoever may only look has what changes nothing', async () => {
        const viewed = (await (await mcpClient(true)).listTools()).tools.map(({ name }) => name);
        expect(viewed).toEqual(TOOLS.filter(({ viewer, needs }) => viewer && needs !== 'project').map(({ name }) => name));
        await expect((await mcpClient(true)).callTool({ name: 'run_concept', arguments: {} })).rejects.toThrow(
            `There is no tool 'run_concept'; there are ${viewed.join(', ')}`,
        );
    });
});

describe('the same call', () => {
    /** In a project, which the agent has and others name. */
    const IN_PROJECT = { project: 'p' };

    test.each([
        ['a missing argument', 'search_docs', {}, {}, 'validation_error'],
        ['an argument of another type', 'search_docs', { question: 1 }, {}, 'validation_error'],
        ['another argument', 'search_docs', { question: 'x', text: 'y' }, {}, 'validation_error'],
        ['a number that is too large', 'facts_near', { values: ['a'], steps: 4 }, IN_PROJECT, 'validation_error'],
        ['an empty list', 'facts_near', { values: [] }, IN_PROJECT, 'validation_error'],
        ['an empty rule', 'validate_rows', { name: 'big', rule: '' }, IN_PROJECT, 'validation_error'],
        ['no such concept', 'read_concept', { name: 'bigg' }, IN_PROJECT, 'concept_not_found'],
        ['a concept of SQL', 'edit_concept', { name: 'sums', old_text: '1', new_text: '2' }, IN_PROJECT, 'validation_error'],
        ['a text that is not there', 'edit_concept', { name: 'big', old_text: 'x(', new_text: '' }, IN_PROJECT, 'validation_error'],
        ['no name', 'save_concept', { name: '../x', definition: DEFINITION }, IN_PROJECT, 'validation_error'],
        ['no value', 'run_concept', { name: 'big', parameters: ['least'] }, IN_PROJECT, 'validation_error'],
        ['no such source', 'infer_schema', { name: 'x' }, {}, 'source_unavailable'],
        ['what the platform refuses', 'fetch_results', { name: 'big' }, IN_PROJECT, 'results_not_found'],
    ])('with %s is refused in the same words: %s', async (_, name, input, where, code) => {
        const { error } = (await byAgent(name, input)).result;
        expect(error?.code).toBe(code);
        const words = error?.details === undefined ? error?.message : `${error.message}\n${jsonOf(error.details)}`;
        expect(await byMcp(name, { ...input, ...where })).toBe(words);
        expect(await byEditor(name, { ...input, ...where })).toBe(words);
    });

    test('that reaches no service is told so, and a defect is told to nobody', async () => {
        const failing = (error: Error) => new Proxy({}, { get: () => () => Promise.reject(error) }) as PlatformClient;
        const unreachable = failing(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
        const message = 'The service cannot be reached: connect ECONNREFUSED';
        expect((await byAgent('list_sources', {}, unreachable)).result.error).toEqual({ code: 'service_unavailable', message });
        expect(await byMcp('list_sources', {}, unreachable)).toBe(message);
        const defect = failing(new RangeError('of ours'));
        await expect(byAgent('list_sources', {}, defect)).rejects.toThrow('of ours');
        const client = await mcpClient(false, defect);
        await expect(client.callTool({ name: 'list_sources', arguments: {} })).rejects.toThrow('-32603');
    });

    test('of no tool is told what tools there are', async () => {
        const { offered, result } = await byAgent('drop', {});
        const words = (names: readonly string[]) => `There is no tool 'drop'; there are ${names.join(', ')}`;
        expect(result.error).toEqual({ code: 'tool_not_found', message: words(offered.map(({ name }) => name)) });
        const { tools } = await (await mcpClient()).listTools();
        const others = words(tools.map(({ name }) => name));
        expect([await byMcp('drop', {}), await byEditor('drop', {})]).toEqual([others, others]);
    });

    test.each([
        ['list_concepts', {}],
        ['read_concept', { name: 'big' }],
        ['run_concept', { name: 'big' }],
        ['save_concept', { name: 'big', definition: DEFINITION }],
        ['explain', { name: 'big', row: 0 }],
    ])('of %s gives the same data', async (name, input) => {
        const { dry_run: _, ...result } = (await byAgent(name, input)).result as Record<string, unknown>;
        expect(result).not.toHaveProperty('error');
        expect(JSON.parse(await byMcp(name, { ...input, ...IN_PROJECT }))).toEqual(JSON.parse(jsonOf(result)));
    });
});

test('an explanation is of a program or of a concept, and takes the arguments of that alone', async () => {
    const program = { program: 'p(1).' };
    expect(await byMcp('explain', { ...program, fact: 'p(1)' })).toBe('explain -- - p(1)');
    expect(await byMcp('explain', { ...program, name: 'big', row: 0 })).toContain("Give either 'program'");
    expect(await byMcp('explain', {})).toContain("Give either 'program'");
    expect(await byMcp('explain', program)).toBe("Give 'fact'");
    expect(await byMcp('explain', { ...program, fact: 'p(1)', row: 0 })).toContain("'row' does not go");
    expect(await byMcp('explain', { name: 'big', row: 0 })).toContain("Give 'project'");
    expect(await byMcp('explain', { name: 'big', project: 'p' })).toBe("Give 'row'");
    expect(await byMcp('why_not', { name: 'big', project: 'p', fact: 'big(2)', parameters: ['a=1'] })).toContain(
        "'parameters' does not go",
    );
});

describe('values of parameters', () => {
    const given = async (name: string, input: object, call: 'agent' | 'mcp' = 'agent'): Promise<unknown> => {
        const { client, calls } = platform();
        if (call === 'agent') await byAgent(name, input, client);
        else await byMcp(name, { ...input, project: 'p' }, client);
        return (calls.find(([route]) => route === 'runConcept')?.[1].body as { params?: object } | undefined)?.params;
    };

    test('are what JSON writes so, and texts otherwise', async () => {
        const parameters = ['a=5', 'b=1.10', 'c=true', 'd=[1, "x"]', 'e=null', 'f=9007199254740993', 'g=x=y', 'h="x"', 'i='];
        const values = { a: 5, b: '1.10', c: true, d: [1, 'x'], e: 'null', f: 9007199254740993n, g: 'x=y', h: '"x"', i: '' };
        expect(await given('run_concept', { name: 'big', parameters })).toEqual(values);
        expect(await given('run_concept', { name: 'big', parameters }, 'mcp')).toEqual(values);
    });

    test('and calls of the agent are those that its contract shows', async () => {
        expect(await given('run_concept', { concept_name: 'big', params: { a: 5, b: '5' } })).toEqual({ a: 5, b: '5' });
        expect((await byAgent('run_concept', { concept_name: 'big', sql: 'x' })).result.error?.message).toBe(
            "There is no argument 'sql'; there are concept_name, params",
        );
        const created = await byAgent('create_concept', { concept_name: 'big', rulelang_code: DEFINITION, description: 'Large' });
        expect(created.result).toMatchObject({ id: 'i', concept_name: 'big', created: false });
        expect(created.offered.map(({ name }) => name)).not.toContain('create_concept');
        expect(await byMcp('create_concept', { concept_name: 'big', rulelang_code: DEFINITION })).toContain("no tool 'create_concept'");
    });
});
