// Writes docs/openapi.json from the descriptions of the routes; a test fails while the two differ.
import { writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const { outputFiles } = await build({
    bundle: true,
    format: 'esm',
    write: false,
    entryPoints: ['server/protocol/platform/open-api.ts'],
});
const { openApiText } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
await writeFile('docs/openapi.json', openApiText());
