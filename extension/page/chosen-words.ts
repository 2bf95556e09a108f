import type { Words } from '#extension/surfaces/l10n.ts';

/** Words by the tag of their language, such as `de` or `pt-br`; those of English need no translation. */
export type Catalogues = Readonly<Record<string, Words>>;

const ENGLISH = { language: 'en', words: {} };

/** The words for a reader of these languages, the best one first: those of the language, else of the one it is a kind of, else English. */
export function chosenWords(languages: readonly string[], catalogues: Catalogues): { readonly language: string; readonly words: Words } {
    for (const language of languages) {
        const [base = ''] = language.toLowerCase().split('-');
        for (const tag of [language.toLowerCase(), base]) {
            const words = catalogues[tag];
            if (words !== undefined) return { language: tag, words };
        }
        if (base === 'en') break;
    }
    return ENGLISH;
}
