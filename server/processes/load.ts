import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptCode } from './kept-code.ts';

/** The modules that the build has put beside this one, by the names of their files: `./NAME`. */
export const load = keptCode(dirname(fileURLToPath(import.meta.url)), createRequire(import.meta.url));
