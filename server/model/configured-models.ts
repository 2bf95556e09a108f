import { ProvidedFailed, type Providers } from '#engine/contracts/providers.ts';
import { say } from '#language/program/say.ts';
import type { HostGrant } from '#server/protocol/host-grant.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import { type Configuration, plainValues } from '#server/store/configuration.ts';
import type { DataDirectory } from '#server/store/data-directory.ts';
import type { Usage, UsageKind } from '#server/store/usage.ts';
import { answerKeep } from './answer-keep.ts';
import type { EmbeddingModel, Model } from './model.ts';
import { type ModelConfiguration, modelConfiguration } from './model-configuration.ts';
import { modelFunctions, upTo, withoutModel } from './model-functions.ts';
import { type ModelHost, openEmbeddings, openModel } from './open-model.ts';
import type { SentRequest } from './provider-fetch.ts';

/** Models that the user of the services has configured. Errors of the configuration become `llm_not_configured`. */
export interface ConfiguredModels {
    /** Its requests are counted, and recorded for `username`. `version` is asked instead of the one that is configured. */
    model(username: string, version?: string): Model;
    embeddings(username: string): EmbeddingModel;
    /** Answers the calls of one program of a caller. Undefined stands for a caller without a token, who may ask no model. */
    programs(username: string | undefined): Providers;
    /** Answers calls with what models have answered before. */
    keptAnswers(): Providers;
    /** Says why no model can be asked, with the remedy; undefined if one is configured. */
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
    /** Calls that a program may make of a model; none where absent. */
    readonly modelCalls: number | undefined;
    /** The data directory that keeps answers to programs. */
    readonly data: DataDirectory;
}): ConfiguredModels {
    const { configuration, usage, usageLimits, hosts, modelCalls, data } = context;
    const keep = answerKeep(() => data);
    const requests = new Map<string, SentRequest>();
    const read = () => {
        return modelConfiguration(plainValues(configuration.load('user')), {
            hosts,
            grantHost: address => say`start the services with --allow-net ${address}`,
        });
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
        programs: username => {
            if (username === undefined) return withoutModel(() => say`Send the token of a user: without one no model is asked.`);
            if (modelCalls === undefined)
                return withoutModel(
                    () => say`Start the services with rulelang serve --allow-model: programs then ask the model that you have configured.`,
                );
            const allow = upTo(modelCalls, count => say`Start the services with --model-calls ${count} to let a program make them.`);
            return modelFunctions({ configuration: read(), allow, keep, host: hostFor(username) });
        },
        keptAnswers: () => {
            const allow = (): never => {
                throw new ProvidedFailed(say`its answer is not kept any more`, say`Run the concept again.`);
            };
            return modelFunctions({ configuration: read(), allow, keep, host: hostFor('') });
        },
        missing: () => {
            const found = read();
            return found.ok ? undefined : found.reason;
        },
        lastRequest: username => requests.get(username),
    };
}
