// Writes the tables of docs/language.md anew from the catalogues; a test fails while the two differ.
import { readFile, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const PAGE = 'docs/language.md';
const { outputFiles } = await build({
    bundle: true,
    format: 'esm',
    write: false,
    entryPoints: ['language/editing/language-reference.ts'],
});
const { withCurrentTables } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
await writeFile(PAGE, withCurrentTables(await readFile(PAGE, 'utf8')));
