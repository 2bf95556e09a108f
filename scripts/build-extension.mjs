// Stages the extension in dist/extension/: everything its package holds, and nothing else. The command line, which starts the services and
// which tools for language models run, the page of the services and the documentation are built before.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { COMMAND_LINE } from './build-command-line.mjs';
import { buildWeb } from './build-web.mjs';
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
    'extension/icons/agent.svg': 'icons/agent.svg',
    'extension/icons/extension.png': 'icons/extension.png',
    'extension/icons/results-light.svg': 'webviews/results-light.svg',
    'extension/icons/results-dark.svg': 'webviews/results-dark.svg',
    'extension/snippets.json': 'snippets.json',
    'docs/reference/project.schema.json': 'project.schema.json',
    'syntaxes/rulelang.tmLanguage.json': 'syntaxes/rulelang.tmLanguage.json',
    'syntaxes/markdown.tmLanguage.json': 'syntaxes/markdown.tmLanguage.json',
    'syntaxes/language-configuration.json': 'syntaxes/language-configuration.json',
    'extension/walkthrough': 'walkthrough',
    'samples/control': 'samples/control',
    'CHANGELOG.md': 'CHANGELOG.md',
    LICENSE: 'LICENSE',
};

/** What the extension host loads: at once, and what `import()` names when it is needed. */
const HOST = { main: 'main', 'language-client': 'language-client', 'platform-routes': 'platform/platform-routes' };
const APART = {
    name: 'apart',
    setup: ({ onResolve }) =>
        onResolve({ filter: /\/(?:language-client|platform-routes)\.ts$/ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.cjs`, external: true } : undefined,
        ),
};

export async function buildExtension(version) {
    await rm(STAGE, { recursive: true, force: true });
    await mkdir(STAGE, { recursive: true });
    const common = { bundle: true, minify: true, logLevel: 'warning', define: { RULELANG_VERSION: JSON.stringify(version) } };
    const node = { ...common, platform: 'node', target: 'node20' };
    await Promise.all([
        ...Object.entries(HOST).map(([name, entry]) =>
            build({
                ...node,
                entryPoints: [`extension/${entry}.ts`],
                outfile: `${STAGE}/${name}.cjs`,
                format: 'cjs',
                external: ['vscode'],
                plugins: [APART],
                supported: { 'dynamic-import': false },
            }),
        ),
        build({
            ...common,
            entryPoints: await viewEntries(),
            outdir: `${STAGE}/webviews`,
            format: 'iife',
            target: 'chrome130',
        }),
        buildNotebookOutputs(common),
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
        ...Object.entries(COPIES).map(([from, to]) =>
            cp(from, `${STAGE}/${to}`, { recursive: true, filter: name => !name.endsWith('.expected') }),
        ),
        copyWords(),
        buildWeb(STAGE, common.define),
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

/** What draws below the cells of notebooks, in a page that other extensions draw in too: its style sheet reaches its own elements alone. */
async function buildNotebookOutputs(common) {
    const folder = 'extension/notebooks/outputs';
    const [, { outputFiles }] = await Promise.all([
        build({
            ...common,
            entryPoints: [`${folder}/renderer.ts`],
            outfile: `${STAGE}/webviews/notebook-outputs.js`,
            format: 'esm',
            target: 'chrome130',
        }),
        build({ ...common, entryPoints: [`${folder}/outputs.css`], write: false, target: 'chrome130' }),
    ]);
    const own = outputFiles[0].text
        .replaceAll(/:root\b/gu, ':scope')
        .replaceAll(/(?<!html,|[.\w-])body(\.[\w-]+)?(?=[,{])/gu, (_, theme) => (theme === undefined ? ':scope' : `body${theme} :scope`));
    const scope = '.rulelang-output, body > :is(.menu, .sheet-back, .side-sheet)';
    await writeFile(`${STAGE}/webviews/notebook-outputs.css`, `@scope (${scope}) {\n${own}}\n`);
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
