/** Translations by English text, such as `Unclosed '{0}'` with a place for each value. Missing texts stay English. */
export type Catalogue = Readonly<Record<string, string>>;

/** A thread speaks one language from its first word to its last, also where bundles have copies of this file. */
const SPOKEN = Symbol.for('rulelang.spoken');
const thread = globalThis as { [SPOKEN]?: ReadonlyMap<string, string> | undefined };

/** Sets the words of everything that this thread says from now on; undefined means English. */
export function speak(catalogue: Catalogue | undefined): void {
    thread[SPOKEN] = catalogue && new Map(Object.entries(catalogue));
}

/** A text for people with its values, in the language that is spoken: say`Unclosed '${bracket}'`. */
export function say(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
    const words = thread[SPOKEN]?.get(texts.reduce((before, text, at) => `${before}{${at - 1}}${text}`));
    if (words !== undefined) return words.replace(/\{(\d+)\}/gu, (place, at) => String(values[at] ?? place));
    return texts.reduce((before, text, at) => `${before}${values[at - 1]}${text}`);
}

/** A text that stands as data where nothing is said yet, such as what a function does, in the language that is spoken. */
export function translated(text: string): string {
    return thread[SPOKEN]?.get(text) ?? text;
}
