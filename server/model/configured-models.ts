import { say } from '#language/program/say.ts';
import type { HostGrant } from '#server/protocol/host-grant.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { Configuration } from '#server/store/configuration.ts';
import type { Usage, UsageKind } from '#server/store/usage.ts';
import type { EmbeddingModel, Model } from './model.ts';
import { type ModelConfiguration, modelConfiguration } from './model-configuration.ts';
import { type ModelHost, openEmbeddings, openModel } from './open-model.ts';
import type { SentRequest } from './provider-fetch.ts';

/** The models that the user of the services has configured. What is wrong with the configuration is told as `llm_not_configured`. */
export interface ConfiguredModels {
    /** Its requests are counted, and recorded for `username`. `version` is asked instead of the one that is configured. */
    model(username: string, version?: string): Model;
    embeddings(username: string): EmbeddingModel;
    /** What keeps a model from being asked, with the remedy; undefined where one is configured. */
    missing(): string | undefined;
    /** The last request that was sent for a user, until the services end. */
    lastRequest(username: string): SentRequest | undefined;
}

/** Users whose last request is kept. */
const MOST_USERS = 100;

/** Reads the configuration anew for each model: what is saved counts from the next question on. */
export function configuredModels(context: {
    readonly configuration: Configuration;
    readonly usage: Usage;
    readonly usageLimits: Readonly<Record<UsageKind, number>>;
    /** Beyond this machine and those of providers, where a model may be asked. */
    readonly hosts: readonly HostGrant[];
}): ConfiguredModels {
    const { configuration, usage, usageLimits, hosts } = context;
    const requests = new Map<string, SentRequest>();
    const read = () => {
        const values = new Map(Array.from(configuration.load('user'), ([key, { value }]) => [key, value] as const));
        return modelConfiguration(values, { hosts, grantHost: address => say`start the services with --allow-net ${address}` });
    };
    const configured = (): ModelConfiguration => {
        const found = read();
        if (!found.ok) throw apiError('llm_not_configured', [found.reason]);
        return found.configuration;
    };
    const hostFor = (username: string): ModelHost => ({
        spend: async kind => {
            const limit = usageLimits[kind];
            if (!(await usage.spend(kind, limit))) throw apiError('usage_limit_reached', [limit]);
        },
        spent: (kind, tokens) => usage.addTokens(kind, tokens),
        sent: request => {
            requests.delete(username);
            requests.set(username, request);
            const [oldest] = requests.keys();
            if (requests.size > MOST_USERS && oldest !== undefined) requests.delete(oldest);
        },
    });
    return {
        model: (username, version) => {
            const found = configured();
            return openModel(version === undefined ? found : { ...found, version }, hostFor(username));
        },
        embeddings: username => {
            const found = configured();
            const embeddings = openEmbeddings(found, hostFor(username));
            if (embeddings !== undefined) return embeddings;
            const reason = say`${found.provider} has no embeddings; set EMBEDDING_MODEL_VERSION, or another LLM_PROVIDER`;
            throw apiError('llm_not_configured', [reason]);
        },
        missing: () => {
            const found = read();
            return found.ok ? undefined : found.reason;
        },
        lastRequest: username => requests.get(username),
    };
}
