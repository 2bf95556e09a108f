import { isIP } from 'node:net';
import { nearestName } from '#language/library/nearest-name.ts';
import { say } from '#language/program/say.ts';
import { type HostGrant, hostText, isGranted } from '#server/protocol/host-grant.ts';
import { Secret } from '#server/secrets/secret.ts';
import { isLoopback, isOfLink } from '#server/sources/reach-host.ts';
import { PROVIDERS, type Provider, type ProviderName, providerNamed } from './providers.ts';

/** Settings for asking a model. */
export interface ModelConfiguration {
    readonly provider: ProviderName;
    /** Without a `/` at its end. */
    readonly baseUrl: string;
    /** Absent for a server on this machine that asks for none. */
    readonly key: Secret | undefined;
    readonly version: string;
    readonly temperature: number;
    /** Of an answer. */
    readonly maxTokens: number;
    readonly embedding: {
        /** Undefined where the provider has none of its own, and none is named. */
        readonly version: string | undefined;
        /** How many numbers are asked for; undefined: as many as the model gives. */
        readonly dimensions: number | undefined;
    };
}

/** A model that can be asked, or what keeps it from that, with the remedy: half a sentence. */
export type ReadConfiguration =
    | { readonly ok: true; readonly configuration: ModelConfiguration }
    | { readonly ok: false; readonly reason: string };

/** Values without a configuration. As a version, `default` stands for that of the provider. */
export const MODEL_DEFAULTS = {
    LLM_API_KEY: null,
    LLM_PROVIDER: 'chat-completions',
    LLM_VERSION: 'default',
    LLM_TEMPERATURE: 0.5,
    LLM_MAX_TOKENS: 2000,
    EMBEDDING_MODEL_VERSION: 'default',
    EMBEDDING_DIMENSIONS: 2048,
} as const;

/** The hosts to which a configuration may point a model, beyond this machine and the hosts of the provider. */
export interface ModelReach {
    readonly hosts: readonly HostGrant[];
    /** A phrase for the user's way to grant a host, which ends in it. */
    readonly grantHost: (address: string) => string;
}

/**
 * Reads a configuration of API 13, or variables of an environment with the same names. Values are as JSON has them; numbers may be texts. With a
 * known provider and a key, or a server on this machine, a model is configured.
 */
export function modelConfiguration(values: ReadonlyMap<string, unknown>, reach: ModelReach): ReadConfiguration {
    const provider = textOf(values, 'LLM_PROVIDER') ?? MODEL_DEFAULTS.LLM_PROVIDER;
    const known: Provider | undefined = providerNamed(provider);
    if (known === undefined) return wrong(unknownProvider(provider));
    const address = addressOf(values, provider, known, reach);
    if (typeof address === 'string') return wrong(address);
    const { url, isLocal, isOwn } = address;
    const key = textOf(values, 'LLM_API_KEY');
    if (key === undefined && !isLocal)
        return wrong(say`LLM_API_KEY has no value; set it to your key for ${provider}, or LLM_BASE_URL to a server on this machine`);
    if (key !== undefined && !/^[\x21-\x7e]+$/u.test(key))
        return wrong(say`LLM_API_KEY holds blanks or other characters that no key has; set it again`);
    // Another server has models of its own; one that serves a single model does not mind its name.
    const usual: Provider = isOwn || provider !== 'chat-completions' ? known : { version: 'default', embedding: 'default' };
    const version = versionOf(values, 'LLM_VERSION', usual.version);
    if (version === undefined) return wrong(say`LLM_VERSION must name your deployment, as ${provider} has no model that everybody has`);
    const embedding = versionOf(values, 'EMBEDDING_MODEL_VERSION', usual.embedding);
    const isUsual = embedding === usual.embedding && usual.givesDimensions === true;
    return {
        ok: true,
        configuration: {
            provider: provider as ProviderName,
            baseUrl: url.href.replace(/\/+$/u, ''),
            key: key === undefined ? undefined : new Secret(key),
            version,
            temperature: numberOf(values, 'LLM_TEMPERATURE') ?? MODEL_DEFAULTS.LLM_TEMPERATURE,
            maxTokens: numberOf(values, 'LLM_MAX_TOKENS') ?? MODEL_DEFAULTS.LLM_MAX_TOKENS,
            embedding: {
                version: embedding,
                dimensions: numberOf(values, 'EMBEDDING_DIMENSIONS') ?? (isUsual ? MODEL_DEFAULTS.EMBEDDING_DIMENSIONS : undefined),
            },
        },
    };
}

function wrong(reason: string): ReadConfiguration {
    return { ok: false, reason };
}

function unknownProvider(name: string): string {
    const all = Object.keys(PROVIDERS);
    const meant = nearestName(name, all);
    const shown = JSON.stringify(name.slice(0, 64));
    if (meant !== undefined) return say`LLM_PROVIDER ${shown} is not known; did you mean ${meant}? Known are ${all.join(', ')}`;
    return say`LLM_PROVIDER ${shown} is not known; known are ${all.join(', ')}`;
}

/** Returns the address of the provider, or the reason why there is none. */
function addressOf(
    values: ReadonlyMap<string, unknown>,
    name: string,
    provider: Provider,
    { hosts, grantHost }: ModelReach,
): { readonly url: URL; readonly isLocal: boolean; readonly isOwn: boolean } | string {
    const text = textOf(values, 'LLM_BASE_URL') ?? provider.baseUrl;
    if (text === undefined) return say`LLM_BASE_URL must name your address at ${name}, such as https://NAME.openai.azure.com/openai/v1`;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !['http:', 'https:'].includes(url.protocol))
        return say`LLM_BASE_URL must be an address such as https://models.example.org/v1`;
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
        return say`LLM_BASE_URL must be an address without user, password, ? and #; a key goes into LLM_API_KEY`;
    const host = url.hostname.replace(/^\[|\]$/gu, '');
    const isLocal = isLoopback(host);
    if (isIP(host) > 0 && isOfLink(host))
        return say`LLM_BASE_URL names ${host}, an address of the link alone, where machines tell about themselves; name another`;
    const named = provider.hosts?.test(host) === true || (provider.baseUrl !== undefined && new URL(provider.baseUrl).hostname === host);
    const isOwn = named && url.protocol === 'https:';
    if (isOwn || isLocal) return { url, isLocal, isOwn };
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    if (isGranted({ host, port }, hosts)) return { url, isLocal, isOwn };
    return say`LLM_BASE_URL names ${host}, which is not allowed; ${grantHost(hostText({ host, port }))}`;
}

function versionOf(values: ReadonlyMap<string, unknown>, name: string, usual: string | undefined): string | undefined {
    const text = textOf(values, name);
    return text === undefined || text === MODEL_DEFAULTS.LLM_VERSION ? usual : text;
}

function textOf(values: ReadonlyMap<string, unknown>, name: string): string | undefined {
    const value = values.get(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function numberOf(values: ReadonlyMap<string, unknown>, name: string): number | undefined {
    const value = values.get(name) ?? undefined;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
