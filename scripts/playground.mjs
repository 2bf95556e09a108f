// Writes the playground, a page without a server, into dist/playground: the page, the views that it frames, workers that have the language, runs
// and what explains them, samples, and a worker that keeps all of it for when there is no network.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { browserParts } from './browser-parts.mjs';
import { build } from './noted-build.mjs';
import { pageWords } from './page-words.mjs';
import { writePlaygroundDocumentation } from './playground-documentation.mjs';

const SOURCE = 'extension/playground';
/** Answers SQL; it is six times as large as all else, and loaded for programs that ask SQL. */
const DUCKDB = 'node_modules/@duckdb/duckdb-wasm/dist';

/** What stands in the page in the place of files that need another machine, or another host. */
const PARTS = {
    files: {
        'server/compute/sql-engine.ts': 'server/browser/sql-engine.ts',
        'extension/webviews/link-to-host.ts': `${SOURCE}/page/link-to-page.ts`,
        'server/runs/start-explaining.ts': `${SOURCE}/run/start-explaining.ts`,
    },
};

/** Files that only some programs need. */
const USED_LATER = /^duckdb[/-]/;

/** In the order of the menu: the first one is shown to whoever has none. */
const SAMPLES = ['news', 'control', 'access', 'reachability', 'genealogy', 'parts', 'customers', 'audit'];

/** What the page and each of its frames may load and do: files of its own folder. */
const POLICY = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types rulelang-language rulelang-run rulelang-offline',
].join('; ');

function html(name, title) {
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="${name}.css">
<script type="module" src="${name}.js"></script>
</head>
<body><noscript>This page needs JavaScript.</noscript></body>
</html>
`;
}

/** Builds page, views and workers, which share what is common to them. */
async function buildScripts(outdir, define) {
    await build({
        bundle: true,
        minify: true,
        logLevel: 'warning',
        format: 'esm',
        splitting: true,
        platform: 'browser',
        target: 'es2023',
        entryPoints: {
            run: `${SOURCE}/run/worker.ts`,
            explaining: `${SOURCE}/run/explaining-worker.ts`,
            language: `${SOURCE}/language/worker.ts`,
            playground: `${SOURCE}/page/main.ts`,
            results: 'extension/webviews/results/view.ts',
            graph: 'extension/webviews/graph/view.ts',
        },
        // What is loaded when it is asked for keeps its name.
        chunkNames: '[name]-[hash]',
        alias: { '@duckdb/duckdb-wasm/blocking': `./${DUCKDB}/duckdb-browser-blocking.mjs` },
        outdir,
        define,
        inject: ['server/browser/system.ts'],
        plugins: [browserParts(PARTS)],
    });
    await build({
        bundle: true,
        minify: true,
        logLevel: 'warning',
        entryPoints: [
            ...['playground', 'results', 'graph'].map(name => ({ in: `${SOURCE}/page/${name}.css`, out: name })),
            { in: 'extension/page/documentation.css', out: 'docs/documentation' },
        ],
        outdir,
    });
}

/** The paths of files from a folder on; whatever has an ending is a file. */
async function filesIn(folder) {
    const names = (await readdir(folder, { recursive: true })).map(name => name.replaceAll('\\', '/'));
    return names.filter(name => /\.\w+$/.test(name)).sort();
}

/** Copies the samples, and lists them. */
async function copySamples(folder) {
    const listed = SAMPLES.map(async name => {
        const from = `samples/${name}`;
        const names = await filesIn(from);
        const files = names.filter(path => /\.(?:rulelang|csv)$/.test(path) && !path.endsWith('.test.rulelang')).map(path => `/${path}`);
        await Promise.all(files.map(file => cp(from + file, `${folder}/samples/${name}${file}`)));
        const program = `/${name}.rulelang`;
        const [, about = name] = /^%% @concept \w+ (.*?)\.?$/m.exec(await readFile(from + program, 'utf8')) ?? [];
        return { name, about, program, files };
    });
    await writeFile(`${folder}/samples.json`, JSON.stringify(await Promise.all(listed)));
}

/** Writes the worker that keeps all files of a folder but the documentation and what is kept once it is used, under a name that changes with them. */
async function writeOffline(folder) {
    const paths = (await filesIn(folder)).filter(path => !path.startsWith('docs/') && !USED_LATER.test(path));
    const contents = await Promise.all(paths.map(async path => [path, await readFile(`${folder}/${path}`)]));
    const hash = createHash('sha256');
    for (const [path, bytes] of contents) hash.update(`${path} ${bytes.length} `).update(bytes);
    await build({
        bundle: true,
        minify: true,
        logLevel: 'warning',
        format: 'iife',
        target: 'es2023',
        entryPoints: { offline: `${SOURCE}/offline/worker.ts` },
        outdir: folder,
        define: {
            PLAYGROUND_FILES: JSON.stringify(contents.map(([path]) => path)),
            PLAYGROUND_USED_LATER: JSON.stringify(USED_LATER.source),
            PLAYGROUND_VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)),
        },
    });
}

/** Writes the playground into a folder of its own. */
async function buildPlayground(folder) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    await Promise.all([
        buildScripts(folder, { RULELANG_VERSION: JSON.stringify(version) }),
        copySamples(folder),
        cp(`${DUCKDB}/duckdb-eh.wasm`, `${folder}/duckdb/duckdb-eh.wasm`),
        cp('extension/icons/extension.svg', `${folder}/icon.svg`),
        writePlaygroundDocumentation(`${folder}/docs`),
        writeFile(`${folder}/index.html`, html('playground', 'Rulelang playground')),
        writeFile(`${folder}/results.html`, html('results', 'Results')),
        writeFile(`${folder}/graph.html`, html('graph', 'Dependencies')),
        writeFile(`${folder}/words.json`, JSON.stringify(await pageWords())),
    ]);
    await writeOffline(folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPlayground(process.argv[2] ?? 'dist/playground');
