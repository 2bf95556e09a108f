import { say } from '#language/program/say.ts';
/** A remedy, which is a phrase or a sentence, as a sentence of its own. */
export function whatHelps(phrase: string): string {
    return say`What helps: ${phrase.replace(/\.$/u, '')}.`;
}
