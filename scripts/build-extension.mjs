// Stages the extension in dist/extension/: everything its package holds, and nothing else. The command line, which starts the services and
// which tools for language models run, the page of the services and the documentation are built before.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { COMMAND_LINE } from './build-command-line.mjs';
import { MODULES } from './modules.mjs';
import { build } from './noted-build.mjs';

const STAGE = 'dist/extension';
const WORDS = 'extension/words';
const VIEWS = 'extension/webviews';
const REQUIRE = "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);";
const COPIES = {
    'extension/icons/file-light.svg': 'icons/file-light.svg',
    'extension/icons/file-dark.svg': 'icons/file-dark.svg',
    'extension/icons/activity.svg': 'icons/activity.svg',
    'extension/icons/extension.png': 'icons/extension.png',
    'extension/icons/results-light.svg': 'webviews/results-light.svg',
    'extension/icons/results-dark.svg': 'webviews/results-dark.svg',
    'extension/snippets.json': 'snippets.json',
    'syntaxes/rulelang.tmLanguage.json': 'syntaxes/rulelang.tmLanguage.json',
    'syntaxes/language-configuration.json': 'syntaxes/language-configuration.json',
    'CHANGELOG.md': 'CHANGELOG.md',
    LICENSE: 'LICENSE',
};

export async function buildExtension(version) {
    await rm(STAGE, { recursive: true, force: true });
    await mkdir(STAGE, { recursive: true });
    const common = { bundle: true, minify: true, logLevel: 'warning', define: { RULELANG_VERSION: JSON.stringify(version) } };
    const node = { ...common, platform: 'node', target: 'node20' };
    await Promise.all([
        build({ ...node, entryPoints: ['extension/main.ts'], outfile: `${STAGE}/main.cjs`, format: 'cjs', external: ['vscode'] }),
        build({
            ...common,
            entryPoints: await viewEntries(),
            outdir: `${STAGE}/webviews`,
            format: 'iife',
            target: 'chrome130',
        }),
        build({
            ...node,
            entryPoints: MODULES,
            external: ['@duckdb/node-api'],
            outdir: `${STAGE}/server`,
            format: 'esm',
            splitting: true,
            chunkNames: 'chunk-[hash]',
            outExtension: { '.js': '.mjs' },
            banner: { js: REQUIRE },
        }),
        ...[...COMMAND_LINE, 'documentation.json', 'page', 'documentation'].map(name =>
            cp(`dist/${name}`, `${STAGE}/server/${name}`, { recursive: true, filter: from => !from.endsWith('.png') }),
        ),
        ...Object.entries(COPIES).map(([from, to]) => cp(from, `${STAGE}/${to}`)),
        copyWords(),
    ]);
    await writeFile(`${STAGE}/README.md`, standingAlone(await readFile('docs/vscode.md', 'utf8')));
    await writeFile(`${STAGE}/package.json`, `${JSON.stringify(await manifest(version), null, 4)}\n`);
}

/** Each folder of a view gives its script, and its style sheet or else what all views share. */
async function viewEntries() {
    const folders = (await readdir(VIEWS, { withFileTypes: true })).filter(entry => entry.isDirectory());
    const entries = folders.map(async ({ name }) => {
        const style = (await readdir(`${VIEWS}/${name}`)).includes('view.css')
            ? `${VIEWS}/${name}/view.css`
            : 'extension/surfaces/surfaces.css';
        return { [name]: `${VIEWS}/${name}/view.ts`, [`${name}-style`]: style };
    });
    return Object.assign({}, ...(await Promise.all(entries)));
}

/** The words of manifest and host in every language there is a catalogue of, where VS Code looks for them. */
async function copyWords() {
    const place = name => (name.startsWith('bundle.l10n') ? `l10n/${name}` : name);
    await Promise.all((await readdir(WORDS)).map(name => cp(`${WORDS}/${name}`, `${STAGE}/${place(name)}`)));
}

/** The package has no pictures, which are as large as the rest of it, and not the pages that this one links to. */
function standingAlone(page) {
    return page.replace(/^!\[.*\n\n/gmu, '').replace(/\[([^\]]+)\]\((?!https?:)[^)]+\)/gu, '$1');
}

/** The manifest as extension/manifest.ts makes it, which Node cannot read by itself. */
async function manifest(version) {
    const { outputFiles } = await build({ entryPoints: ['extension/manifest.ts'], bundle: true, format: 'esm', write: false });
    const code = Buffer.from(outputFiles[0].contents).toString('base64');
    const { extensionManifest } = await import(`data:text/javascript;base64,${code}`);
    return extensionManifest(version);
}

if (process.argv[1]?.endsWith('build-extension.mjs')) {
    await buildExtension(JSON.parse(await readFile('package.json', 'utf8')).version);
}
