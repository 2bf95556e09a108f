// Bundles the command line, the language server and what they evaluate in into dist/, and stages the extension there.
import { chmod, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { browserParts } from './browser-parts.mjs';
import { buildCommandLine } from './build-command-line.mjs';
import { buildExtension } from './build-extension.mjs';
import { buildModules } from './build-modules.mjs';
import { noteBuild } from './built-from.mjs';
import { writeDocumentationPages } from './documentation-pages.mjs';
import { documentationSections } from './documentation-sections.mjs';
import { keepCode } from './keep-code.mjs';
import { LATER } from './modules.mjs';
import { build, builtBundles, usedFiles } from './noted-build.mjs';
import { pageWords } from './page-words.mjs';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));

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
await buildModules(common);
// Editor and language are parts of their own: a reader does not load them.
await build({
    bundle: true,
    minify: true,
    logLevel: 'warning',
    format: 'esm',
    splitting: true,
    target: 'es2023',
    entryPoints: [
        { in: 'extension/page/main.ts', out: 'page/page' },
        { in: 'extension/page/language/worker.ts', out: 'page/language' },
        { in: 'extension/page/page.css', out: 'page/page' },
        { in: 'extension/page/documentation.css', out: 'documentation/documentation' },
    ],
    chunkNames: 'page/chunk-[hash]',
    outdir: 'dist',
    define: common.define,
});
await build({
    bundle: true,
    minify: true,
    logLevel: 'warning',
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    entryPoints: { export: 'extension/page/export/worker.ts' },
    outdir: 'dist/page',
    define: common.define,
    inject: ['server/browser/system.ts'],
    plugins: [browserParts({ files: { 'server/sources/parquet-file.ts': 'server/browser/no-parquet.ts' } })],
});
await cp('extension/page/page.html', 'dist/page/page.html');
const languages = (await readdir('server/words', { withFileTypes: true })).filter(entry => entry.isDirectory() && entry.name !== 'en');
await Promise.all(languages.map(({ name }) => cp(`server/words/${name}`, `dist/words/${name}`, { recursive: true })));
await writeFile('dist/page/words.json', JSON.stringify(await pageWords()));
await buildCommandLine(common, LATER);
await keepCode();
await chmod('dist/cli.js', 0o755);
await writeFile('dist/documentation.json', JSON.stringify(await documentationSections()));
await writeDocumentationPages();
await cp('docs/reference/project.schema.json', 'dist/project.schema.json');
await buildExtension(version);
await writeFile('dist/used-files.json', JSON.stringify(usedFiles()));
await writeFile('dist/bundles.json', JSON.stringify(builtBundles()));
noteBuild();
