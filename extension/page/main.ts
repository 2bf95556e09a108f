import { speak } from '#extension/surfaces/l10n.ts';
import { type Catalogues, chosenWords } from './chosen-words.ts';

/** Opens the page once it knows the words of its reader; without an answer they are English. */
async function main(): Promise<void> {
    const catalogues: Catalogues = await fetch('words.json').then(
        answer => (answer.ok ? answer.json() : {}),
        () => ({}),
    );
    const { language, words } = chosenWords(navigator.languages, catalogues);
    document.documentElement.lang = language;
    speak(words);
    // What it is made of is said as soon as it is loaded.
    await import('./page.ts');
}

void main();
