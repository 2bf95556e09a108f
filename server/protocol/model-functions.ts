/** The functions of programs that a language model answers (7.6, 7.7). */
export const MODEL_FUNCTIONS: readonly string[] = ['llm:generate', '#LLM', 'embeddings:vectorize'];
