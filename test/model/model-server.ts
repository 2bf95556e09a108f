import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the scripted server answers to one request. */
export type Scripted =
    | {
          /** Sent in these pieces. */
          readonly text?: readonly string[];
          /** The arguments are JSON, or what a model writes instead, and sent in pieces of a few characters. */
          readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
          /** Usually by itself, or for the calls. */
          readonly end?: 'length' | 'refused';
          /** What the model says instead of an answer, where the wire format has a place for it. */
          readonly refusal?: string;
          /** How it goes wrong after the pieces: the connection is cut, the rest never comes, the answer has no end, or is no JSON. */
          readonly fault?: 'cut' | 'silence' | 'no end' | 'no JSON';
      }
    | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
    | { readonly embeddings: readonly (readonly number[])[] };

export interface ReceivedRequest {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    // biome-ignore lint/suspicious/noExplicitAny: a body has whatever shape the wire format gives it, and tests look into it
    readonly body: any;
    /** Resolves when the client has gone away, or has all of the answer. */
    readonly closed: Promise<void>;
}

export interface ModelServer {
    /** `http://127.0.0.1:1234/v1` */
    readonly baseUrl: string;
    /** In the order in which they came. */
    readonly requests: ReceivedRequest[];
    /** Answers to the requests that come from now on; one without an answer is told 500. */
    script(...answers: readonly Scripted[]): void;
    /** Answers to all requests that come from now on, in whatever order. */
    answerBy(answer: (body: ReceivedRequest['body'], path: string) => Scripted): void;
    stop(): Promise<void>;
}

/**
 * A server on this machine that speaks as providers do: as OpenAI at `/chat/completions` and `/embeddings`, as Anthropic at
 * `/messages`. It answers what a test has stated, and nothing else.
 */
export async function startModelServer(): Promise<ModelServer> {
    let answers: readonly Scripted[] = [];
    let answerBy: Parameters<ModelServer['answerBy']>[0] | undefined;
    const requests: ReceivedRequest[] = [];
    const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const path = request.url ?? '';
        const closed = new Promise<void>(resolve => response.once('close', resolve));
        const body = JSON.parse(Buffer.concat(chunks).toString());
        requests.push({ path, headers: request.headers, body, closed });
        const [answer = answerBy?.(body, path) ?? { status: 500, body: 'the script has no answer' }, ...others] = answers;
        answers = others;
        await answerWith(answer, path.endsWith('/messages') ? anthropicEvents : openAiEvents, response);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return {
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
        requests,
        script: (...more) => {
            answers = more;
        },
        answerBy: answer => {
            answerBy = answer;
        },
        stop: () => {
            server.closeAllConnections();
            return new Promise(resolve => server.close(() => resolve()));
        },
    };
}

type Spoken = Extract<Scripted, { text?: unknown }>;

async function answerWith(answer: Scripted, eventsOf: (answer: Spoken) => readonly string[], response: ServerResponse): Promise<void> {
    if ('status' in answer) {
        response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
        response.end(answer.body ?? JSON.stringify({ type: 'error', error: { message: `scripted ${answer.status}`, type: 'scripted' } }));
        return;
    }
    if ('embeddings' in answer) {
        const data = answer.embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ object: 'list', data, model: 'scripted', usage: { prompt_tokens: 5, total_tokens: 5 } }));
        return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of eventsOf(answer)) {
        response.write(event);
        // Each event is a packet of its own.
        await new Promise(resolve => setImmediate(resolve));
    }
    if (answer.fault === 'cut') response.destroy();
    else if (answer.fault !== 'silence') response.end();
}

function pieces(text: string): string[] {
    return text.match(/[\s\S]{1,7}/gu) ?? [];
}

function openAiEvents({ text = [], calls = [], end, refusal, fault }: Spoken): readonly string[] {
    const event = (more: object): string =>
        `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', ...more })}\n\n`;
    const chunk = (delta: object, reason: string | null = null): string => event({ choices: [{ index: 0, delta, finish_reason: reason }] });
    const started = [
        chunk({ role: 'assistant', content: '' }),
        ...text.map(content => chunk({ content })),
        ...(refusal === undefined ? [] : pieces(refusal).map(part => chunk({ refusal: part }))),
        ...calls.flatMap(({ name, arguments: written }, index) => [
            chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] }),
            ...pieces(written).map(part => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
        ]),
    ];
    if (fault === 'no JSON') return [...started, 'data: {"choices": [\n\n'];
    if (fault !== undefined) return started;
    const reason = end === 'length' ? 'length' : end === 'refused' ? 'content_filter' : calls.length > 0 ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    return [...started, chunk({}, reason), event({ choices: [], usage }), 'data: [DONE]\n\n'];
}

function anthropicEvents({ text = [], calls = [], end, refusal, fault }: Spoken): readonly string[] {
    const event = (type: string, more: object = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
    const block = (index: number, content: object, deltas: readonly object[]): string[] => [
        event('content_block_start', { index, content_block: content }),
        ...deltas.map(delta => event('content_block_delta', { index, delta })),
    ];
    const said = [...text, ...(refusal === undefined ? [] : pieces(refusal))];
    const spoken =
        said.length === 0
            ? []
            : block(
                  0,
                  { type: 'text', text: '' },
                  said.map(part => ({ type: 'text_delta', text: part })),
              );
    const usage = { input_tokens: 11, output_tokens: 1 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [], stop_reason: null, usage };
    const first = said.length === 0 ? 0 : 1;
    const blocks = calls.map(({ name, arguments: written }, i) =>
        block(
            first + i,
            { type: 'tool_use', id: `toolu_${i}`, name, input: {} },
            pieces(written).map(part => ({ type: 'input_json_delta', partial_json: part })),
        ),
    );
    const all = [spoken, ...blocks].filter(events => events.length > 0);
    const open = all.flatMap((events, index) =>
        index === all.length - 1 && fault !== undefined ? events : [...events, event('content_block_stop', { index })],
    );
    const started = [event('message_start', { message }), event('ping'), ...open];
    if (fault === 'no JSON') return [...started, 'event: content_block_delta\ndata: {"type": \n\n'];
    if (fault !== undefined) return started;
    const isRefused = end === 'refused' || refusal !== undefined;
    const reason = end === 'length' ? 'max_tokens' : isRefused ? 'refusal' : calls.length > 0 ? 'tool_use' : 'end_turn';
    const last = { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 7 } };
    return [...started, event('message_delta', last), event('message_stop')];
}
