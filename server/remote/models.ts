import { nearestName } from '#language/library/nearest-name.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PROVIDERS, providerNamed } from '#server/model/providers.ts';
import { refuse } from '#server/notices/refusal.ts';
import { visible } from '#server/notices/visible-text.ts';
import { JsonText, jsonOf } from '#server/protocol/json-text.ts';
import { printGivenTable } from './print-rows.ts';
import type { Terminal } from './terminal.ts';

/** The settings that `rulelang model set` changes; absent ones stay. */
export interface ModelChange {
    readonly provider?: string;
    readonly address?: string;
    readonly model?: string;
    readonly key?: string;
    readonly temperature?: number;
    readonly maxTokens?: number;
    readonly embeddings?: string;
}

/** A call of `rulelang model`. */
export type ModelRequest =
    | { readonly action: 'show'; readonly format: 'table' | 'json' }
    | { readonly action: 'set'; readonly change: ModelChange }
    | { readonly action: 'test' };

type Configuration = Awaited<ReturnType<PlatformClient['loadConfig']>>;
type Usage = Awaited<ReturnType<PlatformClient['usageStatus']>>['llm_usage'];

/** The settings with the keys of the configuration that they have. */
const KEYS = {
    provider: 'LLM_PROVIDER',
    address: 'LLM_BASE_URL',
    model: 'LLM_VERSION',
    key: 'LLM_API_KEY',
    temperature: 'LLM_TEMPERATURE',
    maxTokens: 'LLM_MAX_TOKENS',
    embeddings: 'EMBEDDING_MODEL_VERSION',
} as const satisfies Record<keyof ModelChange, string>;
/** Stands for the address or model that a provider usually has. */
const USUAL = 'default';

/** Shows, changes or tries the model that the services ask. */
export async function askModel(request: ModelRequest, client: PlatformClient, terminal: Terminal): Promise<void> {
    switch (request.action) {
        case 'show':
            return showModel(request.format, client, terminal);
        case 'set':
            return changeModel(request.change, client, terminal);
        case 'test': {
            const {
                provider,
                model,
                answer,
                milliseconds,
                input_tokens: sent,
                output_tokens: answered,
                usage,
            } = await client.testModel({});
            terminal.print(`${visible(answer)}\n`);
            const seconds = (milliseconds / 1000).toFixed(1);
            terminal.say(say`${visible(model)} of ${visible(provider)} answered after ${seconds} s: ${tokensText(sent, answered)}\n`);
            terminal.say(`${usageText(usage)}\n`);
        }
    }
}

async function showModel(format: 'table' | 'json', client: PlatformClient, terminal: Terminal): Promise<void> {
    const [saved, { llm_usage: usage }] = await Promise.all([client.loadConfig({ query: { scope: 'user' } }), client.usageStatus({})]);
    const rows = Object.entries(KEYS).map(([name, key]) => [name === 'maxTokens' ? 'max-tokens' : name, shownValue(saved, key)] as const);
    if (format === 'json') {
        terminal.print(`${new JsonText(jsonOf({ ...Object.fromEntries(rows), usage })).indented}\n`);
        return;
    }
    printGivenTable({ columns: ['setting', 'value'], types: ['STRING', 'STRING'], rows: rows.map(row => [...row]) }, terminal);
    terminal.say(`${usageText(usage)}\n`);
}

/** A key is never printed. */
function shownValue(saved: Configuration, key: string): string {
    const value = saved[key];
    if (key === KEYS.key) return value === null || value === undefined ? say`none` : say`kept by the services`;
    return value === null || value === undefined ? USUAL : String(value);
}

/** A key goes nowhere else than where it was meant for: with another provider or address the one that is kept is forgotten. */
async function changeModel(change: ModelChange, client: PlatformClient, terminal: Terminal): Promise<void> {
    if (change.provider !== undefined && providerNamed(change.provider) === undefined) refuse(unknownProvider(change.provider), 'service');
    const saved = await client.loadConfig({ query: { scope: 'user' } });
    const given = Object.entries(change).map(([name, value]) => {
        const key = KEYS[name as keyof ModelChange];
        return [key, key === KEYS.address && value === USUAL ? null : value] as const;
    });
    const values: Record<string, unknown> = Object.fromEntries(given);
    const isElsewhere = [KEYS.provider, KEYS.address].some(key => Object.hasOwn(values, key) && values[key] !== (saved[key] ?? null));
    const forgets = isElsewhere && change.key === undefined && (saved[KEYS.key] ?? null) !== null;
    const config = { ...values, ...(forgets && { [KEYS.key]: null }) };
    await client.saveConfig({ body: { scope: 'user', config_data: new JsonText(jsonOf(config)) } });
    if (forgets)
        terminal.say(say`The key for ${String(saved[KEYS.provider])} is forgotten; give the one for the new place with --secret NAME.\n`);
    terminal.say(say`Saved. To try it: rulelang model test\n`);
}

function unknownProvider(name: string): string {
    const all = Object.keys(PROVIDERS);
    const meant = nearestName(name, all);
    const known = say`choose ${all.join(', ')}`;
    return meant === undefined
        ? say`'${name}' is no provider: ${known}`
        : say`'${name}' is no provider; did you mean ${meant}? Else ${known}`;
}

function tokensText(sent: number, answered: number): string {
    return say`${countText(sent)} tokens sent, ${countText(answered)} answered`;
}

function usageText({ current, limit, remaining, input_tokens: sent, output_tokens: answered }: Usage): string {
    const left = say`${countText(current)} of ${countText(limit)} requests of this month are used, ${countText(remaining)} are left`;
    return `${left}; ${tokensText(sent, answered)}`;
}
