import { MODEL_DEFAULTS } from '#server/model/model-configuration.ts';
import { tryModel } from '#server/model/try-model.ts';
import { JsonText, memberTexts } from '#server/protocol/json-text.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { FieldFault } from '#server/protocol/platform/errors.ts';
import type { USERS_ROUTES } from '#server/protocol/platform/routes/users.ts';
import { KIBIBYTE, MEBIBYTE } from '#server/protocol/platform/schema.ts';
import { valueForViewer } from '#server/secrets/for-viewer.ts';
import { MASK } from '#server/secrets/secret-shapes.ts';
import type { UsageKind } from '#server/store/usage.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';

/** The keys that every configuration has, with what counts where nothing is saved. */
const KNOWN_KEYS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
    ['PLATFORM_TOKEN', null],
    ...Object.entries(MODEL_DEFAULTS),
    ['SERVICE_URL', null],
]);

const RANGES: ReadonlyMap<string, { readonly minimum: number; readonly maximum: number; readonly whole: boolean }> = new Map([
    ['LLM_TEMPERATURE', { minimum: 0, maximum: 2, whole: false }],
    ['LLM_MAX_TOKENS', { minimum: 1, maximum: 200_000, whole: true }],
    ['EMBEDDING_DIMENSIONS', { minimum: 1, maximum: 65_536, whole: true }],
]);

const KEY = /^[A-Za-z0-9_.-]{1,128}$/u;
const LARGEST = 64 * KIBIBYTE;
/** Of all that is saved in a scope: every request for it reads the whole of it. */
const MOST_KEYS = 1000;
const LARGEST_WHOLE = MEBIBYTE;
/** Keys whose values a viewer sees; of every other key only that it has a value. */
const SHOWN_TO_VIEWERS = /^(?:LLM_(?:PROVIDER|VERSION|TEMPERATURE|MAX_TOKENS)|EMBEDDING_[A-Z0-9_]+|theme|(?:dashboard|layout)\..+)$/u;
export function usersRoutes({ configuration, models, usage, usageLimits }: PlatformContext): RouteHandlers<keyof typeof USERS_ROUTES> {
    const status = async (kind: UsageKind) => {
        const limit = usageLimits[kind];
        const current = Math.min(await usage.current(kind), limit);
        const { input, output } = await usage.tokens(kind);
        return { current, limit, remaining: limit - current, input_tokens: input, output_tokens: output };
    };
    return {
        getRole: (_, { caller }) => ({ data: { role: caller.role } }),
        usageStatus: async () => ({ data: { llm_usage: await status('llm'), embedding_usage: await status('embedding') } }),
        loadConfig: ({ query }, { caller }) => {
            const all = new Map<string, unknown>([...KNOWN_KEYS, ...configuration.load(query.scope)]);
            const shown = caller.role === 'viewer' ? Array.from(all, ([key, value]) => [key, shownToViewer(key, value)] as const) : all;
            return { data: Object.fromEntries(shown) };
        },
        lastModelRequest: (_, { caller }) => {
            const sent = models.lastRequest(caller.username);
            return { data: sent === undefined ? null : { url: sent.url, body: sent.body } };
        },
        testModel: async (_, { caller, departure }) => {
            const model = models.model(caller.username);
            const { text, tokens, milliseconds } = await tryModel(model, departure);
            return {
                data: {
                    provider: model.provider,
                    model: model.name,
                    answer: text,
                    milliseconds,
                    input_tokens: tokens.input,
                    output_tokens: tokens.output,
                    usage: await status('llm'),
                },
            };
        },
        saveConfig: ({ body }) => {
            const values = new Map(Array.from(memberTexts(body.config_data.text), ([key, json]) => [key, new JsonText(json)] as const));
            if (values.size > MOST_KEYS) throw tooManyKeys();
            refuseBadValues(values);
            const kept = [...values].map(
                ([key, value]) => [key, value.text === 'null' && KNOWN_KEYS.has(key) ? undefined : value] as const,
            );
            refuseLarge(configuration.load(body.scope), new Map(kept));
            configuration.save(body.scope, new Map(kept));
            return { data: { saved_keys: [...values.keys()].sort(), scope: body.scope } };
        },
    };
}

function tooManyKeys(): Error {
    return apiError('payload_too_large', ['The configuration', MOST_KEYS, 'keys']);
}

/** Refuses a configuration that grows too large. A change that makes it smaller is saved, however large it is. */
function refuseLarge(before: ReadonlyMap<string, JsonText>, changes: ReadonlyMap<string, JsonText | undefined>): void {
    const whole = new Map([...before, ...changes]);
    const after = new Map([...whole].flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
    if (after.size > MOST_KEYS && after.size > before.size) throw tooManyKeys();
    const size = bytesOf(after);
    if (size > LARGEST_WHOLE && size > bytesOf(before)) throw apiError('payload_too_large', ['The configuration', LARGEST_WHOLE]);
}

function bytesOf(values: ReadonlyMap<string, JsonText>): number {
    let bytes = 0;
    for (const [key, { text }] of values) bytes += Buffer.byteLength(key) + Buffer.byteLength(text);
    return bytes;
}

function refuseBadValues(values: ReadonlyMap<string, JsonText>): void {
    const faults: FieldFault[] = [];
    for (const [key, json] of values) {
        const { value } = json;
        const path = `config_data.${key.slice(0, 128)}`;
        if (!KEY.test(key)) faults.push({ path, issue: 'bad_format', expected: KEY.source, actual: 'string' });
        const text = typeof value === 'string' ? value : json.text;
        if (Buffer.byteLength(text) > LARGEST) throw apiError('payload_too_large', [path, LARGEST]);
        const range = RANGES.get(key);
        if (range === undefined || value === null) continue;
        const expected = `${range.minimum}..${range.maximum}`;
        if (typeof value !== 'number') faults.push({ path, issue: 'wrong_type', expected: 'number', actual: typeof value });
        else if (range.whole && !Number.isInteger(value)) faults.push({ path, issue: 'wrong_type', expected: 'integer', actual: 'number' });
        else if (value < range.minimum || value > range.maximum)
            faults.push({ path, issue: 'out_of_range', expected, actual: String(value) });
    }
    const [first] = faults;
    if (first === undefined) return;
    throw apiError('validation_error', [first.path, `must be ${first.expected}`, faults.length - 1], { details: { fields: faults } });
}

function shownToViewer(key: string, value: unknown): unknown {
    if (value === null || (value instanceof JsonText && value.text === 'null')) return null;
    return SHOWN_TO_VIEWERS.test(key) ? valueForViewer(value, key) : MASK;
}
