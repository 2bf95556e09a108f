// Bundles the command line, the language server and what they evaluate in into dist/, and stages the extension there.
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { buildExtension } from './build-extension.mjs';
import { documentationSections } from './documentation-sections.mjs';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const require = "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);";

await rm('dist', { recursive: true, force: true });
await build({
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    splitting: true,
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: true,
    logLevel: 'warning',
    entryPoints: {
        cli: 'server/cli/main.ts',
        lsp: 'server/lsp/main.ts',
        'run-process': 'server/runs/run-process.ts',
        'run-worker': 'server/runs/run-worker.ts',
        'tool-worker': 'server/api/tool-worker.ts',
    },
    // It has native parts, which it finds beside itself among the installed packages. Only `serve` loads it.
    external: ['@duckdb/node-api'],
    outdir: 'dist',
    chunkNames: 'chunk-[hash]',
    define: { RULELANG_VERSION: JSON.stringify(version) },
    banner: { js: `#!/usr/bin/env node\n${require}` },
});
await chmod('dist/cli.js', 0o755);
await writeFile('dist/documentation.json', JSON.stringify(await documentationSections()));
await buildExtension(version);
