import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAzure } from '@ai-sdk/azure';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { EmbeddingModelV3, LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelConfiguration } from './model-configuration.ts';
import { KEY_PLACE, providerFetch, type SentRequest } from './provider-fetch.ts';
import type { ProviderName } from './providers.ts';

/** The models of one provider, as its library has them. */
interface ProviderModels {
    language(version: string): LanguageModelV3;
    /** Absent where it has none. */
    embedding?(version: string): EmbeddingModelV3;
}

interface Settings {
    readonly baseURL: string;
    readonly apiKey: string;
    readonly fetch: typeof globalThis.fetch;
}

const LIBRARIES: Readonly<Record<ProviderName, (settings: Settings) => ProviderModels>> = {
    'chat-completions': settings => {
        const provider = createOpenAICompatible({ ...settings, name: 'chat-completions', includeUsage: true });
        return { language: version => provider.chatModel(version), embedding: version => provider.embeddingModel(version) };
    },
    openai: settings => {
        const provider = createOpenAI(settings);
        return { language: version => provider.chat(version), embedding: version => provider.embedding(version) };
    },
    anthropic: settings => {
        const provider = createAnthropic(settings);
        return { language: version => provider.languageModel(version) };
    },
    google: settings => {
        const provider = createGoogleGenerativeAI(settings);
        return { language: version => provider.languageModel(version), embedding: version => provider.embeddingModel(version) };
    },
    azure: settings => {
        const provider = createAzure(settings);
        return { language: version => provider.chat(version), embedding: version => provider.embedding(version) };
    },
    bedrock: settings => {
        const provider = createAmazonBedrock(settings);
        return { language: version => provider.languageModel(version), embedding: version => provider.embeddingModel(version) };
    },
    mistral: settings => {
        const provider = createMistral(settings);
        return { language: version => provider.languageModel(version), embedding: version => provider.embeddingModel(version) };
    },
};

/** The models that a configuration is about, with their libraries: load this file only when a model is asked. */
export function providerModels({ provider, baseUrl, key }: ModelConfiguration, sent: (request: SentRequest) => void): ProviderModels {
    return LIBRARIES[provider]({ baseURL: baseUrl, apiKey: KEY_PLACE, fetch: providerFetch(key, sent) });
}

/** Options of each library for the length of an embedding. */
export function dimensionOptions(dimensions: number): Record<string, Record<string, number>> {
    const named = { dimensions };
    return { openaiCompatible: named, openai: named, bedrock: named, google: { outputDimensionality: dimensions } };
}
