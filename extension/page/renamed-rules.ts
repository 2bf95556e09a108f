/** The rules of a concept for another one, which the language in its worker makes; null where they cannot be called so. */
export async function renamedRules(text: string, from: string, to: string): Promise<string | null> {
    const { languageClient } = await import('./editor/language-client.ts');
    const language = languageClient();
    try {
        return await language.ask('renamed', { text, from, to });
    } finally {
        language.close();
    }
}
