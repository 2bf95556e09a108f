import fs from 'node:fs';
import { type Documentation, documentationIndex, type Section } from './documentation.ts';

let opened: Documentation | undefined;

/** The documentation that the build put beside the program, read once; undefined where there is none. */
export function bundledDocumentation(): Documentation | undefined {
    const file = new URL('./documentation.json', import.meta.url);
    if (opened === undefined && fs.existsSync(file)) opened = documentationIndex(JSON.parse(fs.readFileSync(file, 'utf8')) as Section[]);
    return opened;
}
