import { speak } from '#extension/surfaces/l10n.ts';
import { type Catalogues, chosenWords } from './chosen-words.ts';

/** Has the page speak the language of its reader; without an answer its words are English. Before anything of it is made. */
export async function speakToReader(): Promise<void> {
    const catalogues: Catalogues = await fetch('words.json').then(
        answer => (answer.ok ? answer.json() : {}),
        () => ({}),
    );
    const { language, words } = chosenWords(navigator.languages, catalogues);
    document.documentElement.lang = language;
    speak(words);
}
