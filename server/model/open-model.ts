import { setTimeout as wait } from 'node:timers/promises';
import type {
    EmbeddingModelV3Result,
    LanguageModelV3,
    LanguageModelV3CallOptions,
    LanguageModelV3FunctionTool,
    LanguageModelV3Message,
    LanguageModelV3StreamPart,
    LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import { say } from '#language/program/say.ts';
import { ApiError, apiError } from '#server/protocol/platform/api-error.ts';
import { retrySeconds } from '#server/protocol/retry-after.ts';
import { maskedText } from '#server/secrets/secret-shapes.ts';
import {
    type EmbeddingModel,
    type EndReason,
    type Model,
    type ModelMessage,
    type ModelPiece,
    type ModelQuestion,
    type ModelTokens,
    wholeAnswer,
} from './model.ts';
import type { ModelConfiguration } from './model-configuration.ts';
import type { SentRequest } from './provider-fetch.ts';

/** Counts and records requests. */
export interface ModelHost {
    /** Counts a request that is about to be sent; fails where there may be no more of them. */
    spend(kind: 'llm' | 'embedding'): Promise<void>;
    /** Records the tokens of an answer. */
    spent(kind: 'llm' | 'embedding', tokens: ModelTokens): Promise<void>;
    sent(request: SentRequest): void;
    /** Milliseconds without a piece of an answer after which it is given up; a minute where absent. */
    readonly patience?: number;
}

const PATIENCE = 60_000;
const MOST_TRIES = 3;
/** Seconds that we wait if a provider asks to; longer ones end the call with an error. */
const LONGEST_WAIT = 20;
/** Milliseconds before the second try, where the provider names none; twice that before the third. */
const FIRST_WAIT = 500;
/** Characters of what a provider says. */
const LONGEST_REASON = 500;

/** A model that is asked over the network. Its provider's library is loaded with the first question. */
export function openModel(configuration: ModelConfiguration, host: ModelHost): Model {
    const { provider, version: name } = configuration;
    const stream = (question: ModelQuestion): AsyncIterable<ModelPiece> => streamed(configuration, host, question);
    return { name, provider, stream, complete: question => wholeAnswer(stream(question)) };
}

/** The model for embeddings of a configuration; undefined where it has none. */
export function openEmbeddings(configuration: ModelConfiguration, host: ModelHost): EmbeddingModel | undefined {
    const { provider, embedding } = configuration;
    const { version, dimensions } = embedding;
    if (version === undefined) return undefined;
    const embed = async (texts: readonly string[], caller: AbortSignal): Promise<readonly (readonly number[])[]> => {
        const { dimensionOptions, providerModels } = await import('./provider-models.ts');
        const model = providerModels(configuration, host.sent).embedding?.(version);
        if (model === undefined) throw apiError('llm_failed', [say`${provider} has no embeddings`]);
        const most = Math.min((await model.maxEmbeddingsPerCall) ?? texts.length, MOST_TEXTS);
        const request = new Request(configuration, host, caller);
        const vectors: (readonly number[])[] = [];
        try {
            for (let from = 0; from < texts.length; from += most) {
                const values = texts.slice(from, from + most);
                const options = dimensions === undefined ? {} : { providerOptions: dimensionOptions(dimensions) };
                const made = await request.opened(
                    'embedding',
                    (abortSignal): PromiseLike<EmbeddingModelV3Result> => model.doEmbed({ values, abortSignal, ...options }),
                );
                if (made.embeddings.length !== values.length)
                    throw apiError('llm_failed', [say`it gave ${made.embeddings.length} embeddings for ${values.length} texts`]);
                vectors.push(...made.embeddings);
                await host.spent('embedding', { input: made.usage?.tokens ?? 0, output: 0 });
            }
        } finally {
            request.end();
        }
        const other = vectors.find(({ length }) => length !== (dimensions ?? vectors[0]?.length));
        if (other === undefined) return vectors;
        const wanted = dimensions ?? vectors[0]?.length;
        throw apiError('llm_failed', [
            say`${version} gives embeddings of ${other.length} numbers, not ${wanted}; set EMBEDDING_DIMENSIONS`,
        ]);
    };
    return { name: version, provider, embed };
}

/** Texts in one request for embeddings. */
const MOST_TEXTS = 100;

async function* streamed(configuration: ModelConfiguration, host: ModelHost, question: ModelQuestion): AsyncGenerator<ModelPiece> {
    const { providerModels } = await import('./provider-models.ts');
    const model = providerModels(configuration, host.sent).language(configuration.version);
    const request = new Request(configuration, host, question.signal);
    const asked = { ...promptOf(question), maxOutputTokens: question.maxTokens ?? configuration.maxTokens, includeRawChunks: true };
    let isTold = false;
    let refusal = '';
    try {
        const send = (signal: AbortSignal) => opened(model, { ...asked, abortSignal: signal }, configuration);
        const reader = (await request.opened('llm', send)).getReader();
        for (;;) {
            const { value: part } = await request.waited(reader.read());
            if (part === undefined) throw request.failure(undefined, say`its answer broke off`);
            if (part.type === 'error') throw request.failure(part.error);
            if (part.type === 'raw') refusal += refusalIn(part.rawValue);
            if (part.type === 'text-delta' && part.delta !== '') yield { kind: 'text', text: part.delta };
            if (part.type === 'tool-call')
                yield {
                    kind: 'call',
                    call: { id: part.toolCallId, name: part.toolName, input: jsonOr(part.input === '' ? '{}' : part.input, undefined) },
                };
            isTold ||= (part.type === 'text-delta' && part.delta !== '') || part.type === 'tool-call';
            if (part.type !== 'finish') continue;
            const { unified, raw } = part.finishReason;
            // What every library says of a stream that ends without a reason.
            if (unified === 'error' || (unified === 'other' && raw === undefined))
                throw request.failure(undefined, say`its answer broke off`);
            const tokens = { input: part.usage.inputTokens.total ?? 0, output: part.usage.outputTokens.total ?? 0 };
            await host.spent('llm', tokens);
            if (!isTold && refusal !== '') yield { kind: 'text', text: refusal };
            yield { kind: 'end', reason: refusal === '' ? REASONS[unified] : 'refused', tokens };
            return;
        }
    } finally {
        request.end();
    }
}

const REASONS = {
    stop: 'stop',
    length: 'length',
    'content-filter': 'refused',
    'tool-calls': 'tools',
    other: 'other',
} as const satisfies Record<string, EndReason>;

/** Asks without a temperature where the model takes none. */
async function opened(
    model: LanguageModelV3,
    options: LanguageModelV3CallOptions,
    { temperature }: ModelConfiguration,
): Promise<ReadableStream<LanguageModelV3StreamPart>> {
    try {
        return (await model.doStream({ ...options, temperature })).stream;
    } catch (error) {
        if (statusOf(error) !== 400 || !/temperature/iu.test(messageOf(error))) throw error;
        return (await model.doStream(options)).stream;
    }
}

/** A question to a provider, with its tries and its time. */
class Request {
    readonly #configuration: ModelConfiguration;
    readonly #host: ModelHost;
    readonly #caller: AbortSignal;
    readonly #controller = new AbortController();
    readonly #leave = (): void => this.#controller.abort();
    #isLate = false;

    constructor(configuration: ModelConfiguration, host: ModelHost, caller: AbortSignal) {
        this.#configuration = configuration;
        this.#host = host;
        this.#caller = caller;
        if (caller.aborted) this.#leave();
        caller.addEventListener('abort', this.#leave);
    }

    /** Sends a request until it is answered: again, a little later, where the provider is busy, fails or cannot be reached. */
    async opened<T>(kind: 'llm' | 'embedding', send: (signal: AbortSignal) => PromiseLike<T>): Promise<T> {
        const { signal } = this.#controller;
        for (let tries = 1; ; tries++) {
            if (this.#caller.aborted) throw this.failure(undefined);
            await this.#host.spend(kind);
            try {
                return await this.waited(send(signal));
            } catch (error) {
                const milliseconds = this.#pauseAfter(error, tries);
                if (milliseconds === undefined) throw this.failure(error);
                await wait(milliseconds, undefined, { signal }).catch(() => undefined);
            }
        }
    }

    /** Waits for the next piece of an answer as long as that may take. */
    async waited<T>(piece: PromiseLike<T>): Promise<T> {
        const timer = setTimeout(() => {
            this.#isLate = true;
            this.#controller.abort();
        }, this.#patience);
        try {
            return await piece;
        } catch (error) {
            throw this.failure(error);
        } finally {
            clearTimeout(timer);
        }
    }

    /** Gives the request up, if it is still going on. */
    end(): void {
        this.#caller.removeEventListener('abort', this.#leave);
        this.#controller.abort();
    }

    /** Returns the caller's error. `reason` describes an error that does not explain itself. */
    failure(error: unknown, reason?: string): ApiError {
        if (error instanceof ApiError) return error;
        if (this.#caller.aborted) return apiError('evaluation_stopped', []);
        if (this.#isLate) return apiError('llm_failed', [say`it said nothing for ${this.#patience / 1000} s`]);
        const told = apiError('llm_failed', [reason ?? this.#reasonOf(error)]);
        told.cause = error;
        return told;
    }

    get #patience(): number {
        return this.#host.patience ?? PATIENCE;
    }

    /** Milliseconds until another try; undefined where none would help. */
    #pauseAfter(error: unknown, tries: number): number | undefined {
        const cause = error instanceof ApiError ? error.cause : error;
        const status = statusOf(cause);
        const isPassing = status === undefined ? isUnreachable(cause) : status === 429 || status === 408 || status >= 500;
        if (this.#controller.signal.aborted || tries === MOST_TRIES || !isPassing) return undefined;
        const seconds = retrySeconds(headerOf(cause, 'retry-after'));
        if (seconds !== undefined) return seconds > LONGEST_WAIT ? undefined : seconds * 1000;
        return FIRST_WAIT * tries * (1 + Math.random() / 4);
    }

    #reasonOf(error: unknown): string {
        const { key, provider, version } = this.#configuration;
        const host = new URL(this.#configuration.baseUrl).host;
        const said = messageOf(error).replaceAll(/\s+/gu, ' ');
        const message = maskedText(key === undefined ? said : said.replaceAll(key.open(), String(key))).slice(0, LONGEST_REASON);
        const status = statusOf(error);
        if (status === undefined) return isUnreachable(error) ? say`${host} cannot be reached: ${message}` : message;
        if (status >= 300 && status < 400) return say`${host} redirects to another address; set LLM_BASE_URL to that one`;
        const seconds = retrySeconds(headerOf(error, 'retry-after'));
        if (status === 429 && seconds !== undefined) return say`${host} answered ${status}: ${message}; try again in ${seconds} s`;
        if (status === 401 || status === 403) return say`${host} answered ${status}: ${message}; LLM_API_KEY must be a key for ${provider}`;
        if (status === 404)
            return say`${host} answered ${status}: ${message}; LLM_VERSION is '${version}', and LLM_BASE_URL must be right, too`;
        return say`${host} answered ${status}: ${message}`;
    }
}

function statusOf(error: unknown): number | undefined {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    return typeof status === 'number' && status !== 200 ? status : undefined;
}

function headerOf(error: unknown, name: string): string | undefined {
    const headers = error instanceof Error && 'responseHeaders' in error ? (error.responseHeaders as Record<string, string>) : undefined;
    return headers?.[name];
}

/** Whether an error comes from the network: there was no answer, or it broke off. */
function isUnreachable(error: unknown): boolean {
    return networkCause(error) !== undefined;
}

function networkCause(error: unknown): Error | undefined {
    for (let one = error; one instanceof Error; one = one.cause) {
        if ('code' in one && typeof one.code === 'string' && /^(?:E[A-Z]+|UND_ERR_\w+)$/u.test(one.code)) return one;
        if (one instanceof AggregateError && one.errors[0] instanceof Error) return networkCause(one.errors[0]) ?? one;
    }
    return undefined;
}

/** Returns the message of an error, the innermost if it comes from the network. Libraries put the provider's answer into the error. */
function messageOf(error: unknown): string {
    const network = networkCause(error);
    if (network !== undefined) return network.message;
    const body = error instanceof Error && 'responseBody' in error ? error.responseBody : undefined;
    if (typeof body === 'string' && body !== '') return saidIn(jsonOr(body, body)) ?? body;
    if (error instanceof Error) return error.message === '' ? error.name : error.message;
    return saidIn(error) ?? JSON.stringify(error) ?? '';
}

/** Returns the message in the body of an error, in any of the shapes that servers use. */
function saidIn(body: unknown): string | undefined {
    if (typeof body === 'string') return body;
    if (typeof body !== 'object' || body === null) return undefined;
    const { error, message, detail } = body as { error?: unknown; message?: unknown; detail?: unknown };
    return saidIn(error) ?? saidIn(message) ?? saidIn(detail);
}

/** Returns the refusal of an OpenAI model, which the library leaves out. */
function refusalIn(chunk: unknown): string {
    const [choice] = (chunk as { choices?: readonly { delta?: { refusal?: unknown } }[] } | undefined)?.choices ?? [];
    return typeof choice?.delta?.refusal === 'string' ? choice.delta.refusal : '';
}

function jsonOr(text: string, otherwise: unknown): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return otherwise;
    }
}

function promptOf({ system, messages, tools = [] }: ModelQuestion): Pick<LanguageModelV3CallOptions, 'prompt' | 'tools'> {
    const described = tools.map(({ name, description, parameters }) => {
        return { type: 'function', name, description, inputSchema: parameters } as LanguageModelV3FunctionTool;
    });
    return {
        prompt: [{ role: 'system', content: system }, ...messages.map(messageOfPrompt)],
        ...(described.length > 0 && { tools: described }),
    };
}

function messageOfPrompt(message: ModelMessage): LanguageModelV3Message {
    switch (message.role) {
        case 'user': {
            const files = (message.files ?? []).map(({ type, bytes }) => ({ type: 'file', mediaType: type, data: bytes }) as const);
            return { role: 'user', content: [...files, { type: 'text', text: message.text }] };
        }
        case 'assistant': {
            const calls = (message.calls ?? []).map(
                ({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: input ?? {} }) as const,
            );
            return {
                role: 'assistant',
                content: [...(message.text === '' ? [] : [{ type: 'text', text: message.text } as const]), ...calls],
            };
        }
        case 'tool': {
            const output = { type: 'json', value: message.result ?? null } as LanguageModelV3ToolResultPart['output'];
            return { role: 'tool', content: [{ type: 'tool-result', toolCallId: message.id, toolName: message.name, output }] };
        }
    }
}
