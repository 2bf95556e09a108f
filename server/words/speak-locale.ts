import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Catalogue, speak } from '#language/program/say.ts';

/** Names the language to all processes and threads that a door starts, before the variables of the system do. */
const LOCALE = 'RULELANG_LOCALE';
const OF_SYSTEM = ['LC_ALL', 'LC_MESSAGES', 'LANG'];

/**
 * Chooses the language that this thread speaks, and those that it starts: that of a locale such as `de` or `de_AT.UTF-8`, else of
 * the environment. Where there is no catalogue it is English. The variable may name a folder with the files of a catalogue, too.
 */
export function speakLocale(locale?: string): void {
    if (locale !== undefined && /^[\w.@-]+$/u.test(locale)) process.env[LOCALE] ??= locale;
    const chosen = [LOCALE, ...OF_SYSTEM].map(name => process.env[name]).find(value => value !== undefined && value !== '');
    const folder = chosen === undefined ? undefined : folderOf(chosen);
    speak(folder === undefined ? undefined : catalogueIn(folder));
}

function folderOf(locale: string): string | undefined {
    if (locale.includes('/') || locale.includes('\\')) return locale;
    const language = /^[a-z]{2,3}(?=$|[-_.@])/u.exec(locale)?.[0];
    if (language === undefined || language === 'en') return undefined;
    const folder = fileURLToPath(new URL(`./words/${language}`, import.meta.url));
    return fs.existsSync(folder) ? folder : undefined;
}

function catalogueIn(folder: string): Catalogue {
    const files = fs.readdirSync(folder).filter(name => name.endsWith('.json'));
    return Object.assign({}, ...files.map(name => JSON.parse(fs.readFileSync(join(folder, name), 'utf8'))));
}
