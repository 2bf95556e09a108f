// Bundles the command line, the language server and what they evaluate in into dist/, and stages the extension there.
import { execFileSync } from 'node:child_process';
import { chmod, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { buildExtension } from './build-extension.mjs';
import { documentationSections } from './documentation-sections.mjs';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const require = "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);";

const common = {
    bundle: true,
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: true,
    logLevel: 'warning',
    outdir: 'dist',
    define: { RULELANG_VERSION: JSON.stringify(version) },
};

await rm('dist', { recursive: true, force: true });
await build({
    ...common,
    format: 'esm',
    splitting: true,
    entryPoints: {
        cli: 'server/cli/main.ts',
        lsp: 'server/lsp/main.ts',
        'run-process': 'server/runs/run-process.ts',
        'chain-process': 'server/runs/chain-process.ts',
        'run-worker': 'server/runs/run-worker.ts',
        'tool-worker': 'server/api/tool-worker.ts',
    },
    // It has native parts, which it finds beside itself among the installed packages. Only `serve` loads it.
    external: ['@duckdb/node-api'],
    chunkNames: 'chunk-[hash]',
    banner: { js: `#!/usr/bin/env node\n${require}` },
});
await build({
    bundle: true,
    minify: true,
    logLevel: 'warning',
    format: 'iife',
    target: 'es2023',
    entryPoints: ['extension/page/page.ts', 'extension/page/page.css'],
    outdir: 'dist/page',
});
await cp('extension/page/page.html', 'dist/page/page.html');
await build({
    ...common,
    format: 'cjs',
    charset: 'ascii',
    entryPoints: { 'worker-program': 'server/runs/worker-program.ts' },
    outExtension: { '.js': '.cjs' },
});
// Text of one byte per character is read and scanned in half the time; what esbuild leaves stands in regular expressions.
const program = await readFile('dist/worker-program.cjs', 'utf8');
await writeFile(
    'dist/worker-program.cjs',
    program.replace(/[^\0-\x7f]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
);
execFileSync(process.execPath, ['dist/cli.js', 'run', 'samples/control/control.rulelang'], {
    env: { ...process.env, RULELANG_KEEP_CODE: '1' },
    stdio: 'ignore',
});
await chmod('dist/cli.js', 0o755);
await writeFile('dist/documentation.json', JSON.stringify(await documentationSections()));
await buildExtension(version);
