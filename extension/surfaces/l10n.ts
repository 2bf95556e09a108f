/** Translations by the English text: a bundle as VS Code keeps it. */
export type Words = Readonly<Record<string, string>>;

let words: Words = {};

/** Has every text from now on said with these words. */
export function speak(translations: Words): void {
    words = translations;
}

/** The texts of a surface. The name is that of VS Code's function, which only hosts have. */
export const l10n = {
    /** A text in the language of the reader, in English where it has no translation, with values for `{0}`, `{1}` and so on. */
    t(text: string, ...values: readonly (string | number)[]): string {
        return (words[text] ?? text).replace(/\{(\d+)\}/gu, (place, index) => String(values[Number(index)] ?? place));
    },
};
