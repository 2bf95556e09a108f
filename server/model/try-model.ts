import type { Model, ModelAnswer } from './model.ts';

/** The shortest question of which an answer shows that a model works. */
const QUESTION = {
    system: 'You confirm that you can be reached.',
    messages: [{ role: 'user', text: 'Answer with the one word: ready' }],
} as const;

/** Asks a model for one word, which counts as a request. */
export async function tryModel(
    model: Model,
    signal: AbortSignal,
): Promise<Pick<ModelAnswer, 'text' | 'tokens'> & { readonly milliseconds: number }> {
    const began = performance.now();
    const { text, tokens } = await model.complete({ ...QUESTION, signal });
    return { text: text.trim(), tokens, milliseconds: Math.round(performance.now() - began) };
}
