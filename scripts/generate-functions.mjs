// Writes docs/functions.md from the catalogue of functions; a test fails while the two differ.
import { writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const { outputFiles } = await build({
    bundle: true,
    format: 'esm',
    write: false,
    entryPoints: ['language/editing/function-reference.ts'],
});
const { functionReference } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
await writeFile('docs/functions.md', functionReference());
