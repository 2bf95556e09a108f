/** Facts about a provider of models, except the way to speak to it. */
export interface Provider {
    /** The prefix of a request's path, unless LLM_BASE_URL replaces it. */
    readonly baseUrl?: string;
    /** Hosts that are the provider's own, beside that of `baseUrl`. */
    readonly hosts?: RegExp;
    /** The model, where LLM_VERSION names none. */
    readonly version?: string;
    /** The model for embeddings, where EMBEDDING_MODEL_VERSION names none; without it, the provider has no embeddings. */
    readonly embedding?: string;
    /** Whether that model gives as many numbers as it is asked for. */
    readonly givesDimensions?: boolean;
}

const OPENAI: Provider = {
    baseUrl: 'https://api.openai.com/v1',
    version: 'gpt-4.1',
    embedding: 'text-embedding-3-large',
    givesDimensions: true,
};

/** The providers by the values of LLM_PROVIDER. `chat-completions` is whatever speaks as OpenAI does: hosted, or a server of one's own. */
export const PROVIDERS = {
    'chat-completions': OPENAI,
    openai: OPENAI,
    anthropic: { baseUrl: 'https://api.anthropic.com/v1', version: 'claude-sonnet-4-5' },
    google: {
        baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
        version: 'gemini-2.5-flash',
        embedding: 'gemini-embedding-001',
        givesDimensions: true,
    },
    /** Every customer has an address, and names for the models, of his own. */
    azure: { hosts: /^[a-z0-9-]{1,63}\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/u, embedding: 'text-embedding-3-large' },
    bedrock: {
        baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
        hosts: /^bedrock-runtime(?:-fips)?\.[a-z0-9-]{1,40}\.amazonaws\.com$/u,
        version: 'amazon.nova-pro-v1:0',
        embedding: 'amazon.titan-embed-text-v2:0',
    },
    mistral: { baseUrl: 'https://api.mistral.ai/v1', version: 'mistral-large-latest', embedding: 'mistral-embed' },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

export function providerNamed(name: string): Provider | undefined {
    return Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name as ProviderName] : undefined;
}
