/**
 * A language model of any provider. Every failure is an `ApiError`: `llm_failed`, `usage_limit_reached`, `evaluation_stopped` if the caller
 * left.
 */
export interface Model {
    /** Its name at the provider: the value of `LLM_VERSION`, or the default of the provider. */
    readonly name: string;
    readonly provider: string;
    /** The answer as it comes. The last piece is an `end`; leaving the loop early gives the request up. */
    stream(question: ModelQuestion): AsyncIterable<ModelPiece>;
    /** The whole answer at once. */
    complete(question: ModelQuestion): Promise<ModelAnswer>;
}

/** Makes vectors of texts that are near each other where texts mean the like. It fails as a `Model` does. */
export interface EmbeddingModel {
    readonly name: string;
    readonly provider: string;
    /** One vector for each text, in their order, all of one length. */
    embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

export interface ModelQuestion {
    /** The task of the model, and its form. */
    readonly system: string;
    /** The conversation; the last of it is from a user or a tool. */
    readonly messages: readonly ModelMessage[];
    /** Tools that the model may call; none if absent. */
    readonly tools?: readonly ModelTool[];
    /** Tokens of the answer at most; those of the configuration where absent. */
    readonly maxTokens?: number;
    /** Ends the request at once. */
    readonly signal: AbortSignal;
}

export type ModelMessage =
    | { readonly role: 'user'; readonly text: string; readonly files?: readonly ModelFile[] }
    | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ToolCall[] }
    /** The result of a tool for a call of the assistant: a JSON value. */
    | { readonly role: 'tool'; readonly id: string; readonly name: string; readonly result: unknown };

/** An image or another file that models of some providers read. */
interface ModelFile {
    /** `image/png`, `application/pdf` */
    readonly type: string;
    readonly bytes: Uint8Array;
}

export interface ModelTool {
    readonly name: string;
    readonly description: string;
    /** A JSON Schema of an object: the input of a call. Models do not always keep to it. */
    readonly parameters: object;
}

export interface ToolCall {
    /** Says which call a result belongs to. */
    readonly id: string;
    readonly name: string;
    /** Arguments from the model; undefined if they are not JSON. */
    readonly input: unknown;
}

/** Why an answer ended: by itself, at the most tokens, because the provider or the model refused it, for tools, or otherwise. */
export type EndReason = 'stop' | 'length' | 'refused' | 'tools' | 'other';

/** Tokens as the provider counts them; 0 where it does not say. */
export interface ModelTokens {
    readonly input: number;
    readonly output: number;
}

export type ModelPiece =
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'call'; readonly call: ToolCall }
    | { readonly kind: 'end'; readonly reason: EndReason; readonly tokens: ModelTokens };

export interface ModelAnswer {
    readonly text: string;
    readonly calls: readonly ToolCall[];
    readonly reason: EndReason;
    readonly tokens: ModelTokens;
}

/** Collects a stream into the whole answer. */
export async function wholeAnswer(pieces: AsyncIterable<ModelPiece>): Promise<ModelAnswer> {
    const calls: ToolCall[] = [];
    let text = '';
    for await (const piece of pieces) {
        if (piece.kind === 'text') text += piece.text;
        else if (piece.kind === 'call') calls.push(piece.call);
        else return { text, calls, reason: piece.reason, tokens: piece.tokens };
    }
    throw new TypeError('a stream of a model had no end');
}
