import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ENGLISH = fileURLToPath(new URL('../../server/words/en', import.meta.url));

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

/** All that language, engine and server say, in that language. */
export const PSEUDO: Readonly<Record<string, string>> = Object.assign(
    {},
    ...readdirSync(ENGLISH).map(name => pseudoLanguage(JSON.parse(readFileSync(join(ENGLISH, name), 'utf8')))),
);

/** What is written the same in every language: types, keywords, and what belongs to the language or the format. */
const SAME_WORDS: readonly string[] = wordsIn(
    'string int long double float boolean date timestamp list set map struct unknown not true false as file',
);

function wordsIn(...texts: readonly string[]): string[] {
    return texts.flatMap(text => text.match(/[a-zA-Z]+/gu) ?? []);
}

/** The words of a text that come from no catalogue, each once, but for those of other texts. */
export function englishIn(text: string, ...others: readonly string[]): string[] {
    const known = new Set([...SAME_WORDS, ...wordsIn(...others)]);
    return [...new Set(plainWords(text))].filter(word => !known.has(word));
}
