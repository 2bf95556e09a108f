import type { Configuration } from '#server/store/configuration.ts';

/** The providers that are known: one wire format, whatever the address. */
const PROVIDERS: ReadonlySet<unknown> = new Set(['chat-completions']);

/** Whether the user has configured a language model: a key, and a provider that is known (D69). */
export function isModelConfigured(configuration: Configuration): boolean {
    const values = configuration.load('user');
    const key = values.get('LLM_API_KEY')?.value;
    return typeof key === 'string' && key.trim() !== '' && PROVIDERS.has(values.get('LLM_PROVIDER')?.value ?? 'chat-completions');
}
