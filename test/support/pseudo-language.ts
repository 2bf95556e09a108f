const PLAIN = [...'aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ'];
const ACCENTED = [...'áÁƀɃçÇďĎéÉƒƑğĞĥĤíÍĵĴķĶļĻḿḾñÑóÓƥƤɋɊŕŔšŠťŤúÚṽṼŵŴẋẊýÝžŽ'];
const ACCENT_OF: ReadonlyMap<string, string> = new Map(PLAIN.map((letter, at) => [letter, ACCENTED[at] ?? letter]));

/** The places for values, such as `{0}`. */
const PLACE = /(\{\w+\})/u;

/** A text of a catalogue in a language that nobody speaks: every letter has an accent, and the text is a third longer. Places for values stay. */
export function pseudoText(text: string): string {
    const written = text.split(PLACE).map(part => (PLACE.test(part) ? part : accented(part)));
    return `${written.join('')}${'·'.repeat(Math.ceil(text.length / 3))}`;
}

/** A catalogue in that language of all texts of another. */
export function pseudoLanguage(catalogue: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.entries(catalogue).map(([key, text]) => [key, pseudoText(text)]));
}

/** The words of a text without any accent, which therefore come from no catalogue. Single letters are no words. */
export function plainWords(text: string): string[] {
    return [...text.matchAll(/[\p{L}\p{M}]{2,}/gu)].map(([word]) => word).filter(word => /^[a-z]+$/iu.test(word));
}

function accented(text: string): string {
    return text.replace(/[a-z]/giu, letter => ACCENT_OF.get(letter) ?? letter);
}
