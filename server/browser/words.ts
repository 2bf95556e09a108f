/** A browser is spoken to in English: it has no catalogues of other languages. */
export function speakLocale(): void {
    // English is what is spoken before anything else is chosen.
}
