/** Providers of models by their own names, and by the values of `LLM_PROVIDER`. */
export const MODEL_PROVIDERS: readonly { readonly label: string; readonly provider: string }[] = [
    { label: 'OpenAI', provider: 'openai' },
    { label: 'Anthropic', provider: 'anthropic' },
    { label: 'Google', provider: 'google' },
    { label: 'Mistral', provider: 'mistral' },
    { label: 'Amazon Bedrock', provider: 'bedrock' },
];
