import { type ProvidedArguments, ProvidedFailed, type Providers } from '#engine/contracts/providers.ts';
import { splitKnownOptions } from '#language/library/known-options.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { whileLooked } from '#server/processes/while-looked.ts';
import { MODEL_FUNCTIONS } from '#server/protocol/model-functions.ts';
import type { ApiErrorCode } from '#server/protocol/platform/errors.ts';
import { DataDirectoryError, StoreUnavailable } from '#server/store/data-directory.ts';
import type { AnswerKeep, KeptQuestion } from './answer-keep.ts';
import type { ModelAnswer } from './model.ts';
import type { ModelConfiguration, ReadConfiguration } from './model-configuration.ts';
import { type ModelHost, openEmbeddings, openModel } from './open-model.ts';

/** A model for a run, the limits of its calls, and its kept answers. */
export interface ModelFunctions {
    readonly configuration: ReadConfiguration;
    /** Lets a run make calls for which no answer is kept; a `ProvidedFailed` where it may not. */
    readonly allow: (calls: NewCalls) => Promise<void> | void;
    readonly keep: AnswerKeep;
    readonly host: ModelHost;
}

/** Calls for which no answer is kept. */
export interface NewCalls {
    readonly count: number;
    /** How many the run has made before. */
    readonly made: number;
    /** About how many tokens their questions have. */
    readonly tokens: number;
    /** The model to ask. */
    readonly configuration: ModelConfiguration;
}

/** Requests at a time. */
const TOGETHER = 4;
/** Texts whose vectors are asked for together. */
const TEXTS = 100;
/** Characters of a text that make one token, about. */
const PER_TOKEN = 4;
/** Milliseconds for which kept answers are read or written at a time: others may wait for this thread. */
const TURN = 20;

/** Providers of a run that may ask no model; `remedy` says how the user can let it. */
export function withoutModel(remedy: () => string): Providers {
    return { find: () => undefined, remedy: name => (MODEL_FUNCTIONS.includes(name) ? remedy() : undefined) };
}

/** The functions of models (7.6, 7.7) for one run. */
export function modelFunctions({ configuration: read, allow, keep, host }: ModelFunctions): Providers {
    let made = 0;
    return {
        find: name => {
            if (!read.ok) return undefined;
            const { configuration } = read;
            const asked = askedBy(name, configuration);
            if (asked === undefined) return undefined;
            return async (calls, look) => {
                const pause = pauses(look);
                const questions: KeptQuestion[] = [];
                const replies: (string | undefined)[] = [];
                try {
                    for (const call of calls) {
                        const question = asked.question(call);
                        questions.push(question);
                        replies.push(keep.get(question));
                        await pause();
                    }
                    const open = questions.flatMap((question, i) => (replies[i] === undefined ? [{ question, i }] : []));
                    if (open.length === 0) return replies;
                    await whileLooked(look, async signal => {
                        await allow({ count: open.length, made, tokens: tokensOf(open.map(({ question }) => question)), configuration });
                        made += open.length;
                        await inTurns(chunksOf(open, asked.together), async part => {
                            const answers = await asked.ask(
                                part.map(({ question }) => question.asked),
                                host,
                                signal,
                            );
                            for (const [at, { question, i }] of part.entries()) {
                                keep.put(question, answers[at] ?? '');
                                replies[i] = answers[at];
                                await pause();
                            }
                        });
                    });
                    return replies;
                } catch (error) {
                    throw isTold(error) ? new ProvidedFailed(error.message) : error;
                }
            };
        },
        remedy: name => (MODEL_FUNCTIONS.includes(name) ? remedyOf(read) : undefined),
    };
}

/** Builds the `allow` of a run that may make so many calls. `remedy` says how it may make more. */
export function upTo(most: number, remedy: (count: number) => string): ModelFunctions['allow'] {
    return ({ count, made, tokens }) => {
        if (made + count <= most) return;
        throw new ProvidedFailed(
            say`it would take ${countText(count)} calls with about ${countText(tokens)} tokens of questions, and this run may make ${countText(most - made)}`,
            remedy(made + count),
        );
    };
}

/** The failures of providers and of the data directory, whose words are for the user. */
function isTold(error: unknown): error is Error {
    if (error instanceof DataDirectoryError || error instanceof StoreUnavailable) return true;
    return error instanceof Error && TOLD.has(codeOf(error));
}

/** The door to models is a part of the build, with a class of errors of its own: they are known by their codes. */
function codeOf(error: unknown): unknown {
    return error instanceof Error && 'code' in error ? error.code : undefined;
}

const TOLD: ReadonlySet<unknown> = new Set<ApiErrorCode>(['llm_failed', 'usage_limit_reached']);

function tokensOf(questions: readonly KeptQuestion[]): number {
    const characters = questions.reduce((sum, { asked }) => sum + JSON.stringify(asked).length, 0);
    return Math.max(1, Math.round(characters / PER_TOKEN));
}

/** Returns a function to call often: now and then it waits for a turn of others, and checks whether the run has to end. */
function pauses(look: () => void): () => Promise<void> | undefined {
    let next = performance.now() + TURN;
    const pause = async (): Promise<void> => {
        await new Promise(resolve => setImmediate(resolve));
        look();
        next = performance.now() + TURN;
    };
    return () => (performance.now() < next ? undefined : pause());
}

/** How the calls of a function are put to a model. */
interface AskedModel {
    /** Questions that are asked in one request. */
    readonly together: number;
    question(call: ProvidedArguments): KeptQuestion;
    /** One answer for each. */
    ask(asked: readonly unknown[], host: ModelHost, signal: AbortSignal): Promise<readonly string[]>;
}

function askedBy(name: string, configuration: ModelConfiguration): AskedModel | undefined {
    switch (name) {
        case 'llm:generate':
            return texts(configuration, ([prompt, options]) => [prompt, options, optionOf(options, 'output_type')]);
        case '#LLM':
            return texts(configuration, call => call);
        case 'embeddings:vectorize':
            return vectors(configuration);
        default:
            return undefined;
    }
}

/** A question that a model answers with a text. */
interface TextQuestion {
    readonly system: string;
    readonly prompt: string;
    /** The models, each of which is asked where those before it give no answer. */
    readonly versions: readonly string[];
    readonly temperature: number;
    readonly maxTokens: number;
}

/** `read` gives the prompt, the options and the type of the answer of a call. */
function texts(configuration: ModelConfiguration, read: (call: ProvidedArguments) => ProvidedArguments): AskedModel {
    const { provider, baseUrl, temperature, maxTokens } = configuration;
    return {
        together: 1,
        question: call => {
            const [prompt = '', options, type] = read(call);
            const selected = (optionOf(options, 'selected_models') ?? '').split(';').map(name => name.trim());
            const named = selected.filter(name => name !== '');
            const versions = named.length === 0 ? [configuration.version] : named;
            const asked: TextQuestion = { system: systemFor(type), prompt, versions, temperature, maxTokens };
            return { kind: 'text', provider, baseUrl, model: versions.join(';'), asked };
        },
        ask: async ([asked], host, signal) => {
            const { system, prompt, versions } = asked as TextQuestion;
            const question = { system, messages: [{ role: 'user', text: prompt } as const], signal };
            let failure: unknown;
            for (const version of versions) {
                try {
                    return [textOf(await openModel({ ...configuration, version }, host).complete(question), maxTokens)];
                } catch (error) {
                    if (!(error instanceof ProvidedFailed) && codeOf(error) !== ('llm_failed' satisfies ApiErrorCode)) throw error;
                    failure = error;
                }
            }
            throw failure;
        },
    };
}

function textOf({ text, reason }: ModelAnswer, maxTokens: number): string {
    if (reason === 'refused') throw new ProvidedFailed(say`the model refused to answer one of the questions`);
    if (reason !== 'length') return text.trim();
    throw new ProvidedFailed(
        say`an answer is longer than ${countText(maxTokens)} tokens`,
        say`Set LLM_MAX_TOKENS to a larger number, or ask for a shorter answer.`,
    );
}

function vectors(configuration: ModelConfiguration): AskedModel | undefined {
    const { provider, baseUrl, embedding } = configuration;
    const { version, dimensions = null } = embedding;
    if (version === undefined) return undefined;
    return {
        together: TEXTS,
        question: words => ({ kind: 'vector', provider, baseUrl, model: version, asked: [words.join(' '), dimensions] }),
        ask: async (asked, host, signal) => {
            const words = (asked as readonly (readonly [string, number | null])[]).map(([text]) => text);
            const made = (await openEmbeddings(configuration, host)?.embed(words, signal)) ?? [];
            return made.map(vector => JSON.stringify(vector));
        },
    };
}

/** Instructions to a model about the form of its answer. */
function systemFor(type = 'string'): string {
    const form = FORMS.get(type.toLowerCase()) ?? (/^(?:list|set)</u.test(type) ? listForm(type) : undefined);
    return `Your answer becomes a value of a program. Answer with ${form ?? 'the text that is asked for'} and nothing else: no introduction, no explanation, no formatting.`;
}

const FORMS = new Map([
    ...['int', 'integer', 'long'].map(type => [type, 'one whole number in digits'] as const),
    ...['double', 'float', 'number'].map(type => [type, 'one number in digits, with a dot before its fraction'] as const),
    ...['boolean', 'bool'].map(type => [type, 'true or false'] as const),
]);

function listForm(type: string): string {
    const of = /<(\w+)>/u.exec(type)?.[1] ?? 'string';
    return `a JSON array of ${of === 'string' ? 'strings' : of === 'boolean' ? 'booleans' : 'numbers'}`;
}

function optionOf(options: string | undefined, name: string): string | undefined {
    const found = splitKnownOptions(
        options ?? '',
        key => key === name,
        () => false,
    ).find(({ key }) => key === name);
    return found?.value;
}

function remedyOf(configuration: ReadConfiguration): string {
    if (!configuration.ok) return say`No model can be asked: ${configuration.reason}.`;
    return say`${configuration.configuration.provider} has no embeddings; set EMBEDDING_MODEL_VERSION, or another LLM_PROVIDER.`;
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
    return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

/** Does work for all of some things, a few at a time, until one fails; what has begun by then is finished, since it is paid for. */
async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
    let next = 0;
    const failures: unknown[] = [];
    const worker = async (): Promise<void> => {
        while (failures.length === 0 && next < all.length) {
            try {
                await work(all[next++] as T);
            } catch (error) {
                failures.push(error);
            }
        }
    };
    await Promise.all(Array.from({ length: TOGETHER }, worker));
    if (failures.length > 0) throw failures[0];
}
