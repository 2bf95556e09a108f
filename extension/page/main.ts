import { speakToReader } from './spoken-words.ts';

/** Opens the page once it knows the words of its reader. */
async function main(): Promise<void> {
    await speakToReader();
    // What it is made of is said as soon as it is loaded.
    await import('./page.ts');
}

void main();
