import fs from 'node:fs';
import type { Section } from './documentation.ts';

/** The sections of the documentation that the build put beside the program; undefined where there are none. */
export function bundledSections(): readonly Section[] | undefined {
    const file = new URL('./documentation.json', import.meta.url);
    return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Section[]) : undefined;
}
