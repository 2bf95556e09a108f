// Writes docs/problems/ from the catalogue of problems; a test fails while the two differ.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = await mkdtemp(join(tmpdir(), 'rulelang-problems-'));
try {
    const outfile = join(folder, 'pages.mjs');
    await build({ bundle: true, platform: 'node', format: 'esm', entryPoints: ['server/problem-help/problem-reference.ts'], outfile });
    const { problemPages } = await import(pathToFileURL(outfile).href);
    await mkdir('docs/problems', { recursive: true });
    for (const [name, text] of problemPages()) await writeFile(`docs/problems/${name}`, text);
} finally {
    await rm(folder, { recursive: true });
}
