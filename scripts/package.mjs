// Packages the staged extension as dist/rulelang-<version>.vsix and compares its files with extension/package-files.txt.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIST = `${ROOT}extension/package-files.txt`;
const STAGE = `${ROOT}dist/extension`;
const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const target = `${ROOT}dist/rulelang-${version}.vsix`;
const vsce = (...args) =>
    execFileSync(process.execPath, [`${ROOT}node_modules/@vscode/vsce/vsce`, ...args], { cwd: STAGE, encoding: 'utf8' });

if (!process.argv.includes('--built')) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });

await stageDuckDb();

/** Names of chunks say nothing but their content; each view has a script and a style sheet. */
const names = vsce('ls', '--no-dependencies')
    .split('\n')
    .filter(line => line !== '')
    .map(line =>
        line
            .replace(/chunk-\w+/u, 'chunk-*')
            .replace(/^webviews\/[\w-]+\.(js|css)$/u, 'webviews/*.$1')
            .replace(/libduckdb\.\w+$/u, 'libduckdb.*'),
    );
const files = [...new Set(names)].sort();
const listed = `${files.join('\n')}\n`;
if (process.argv.includes('--update')) writeFileSync(LIST, listed);
if (readFileSync(LIST, 'utf8') !== listed) {
    console.error(`The package would hold other files than extension/package-files.txt says:\n${listed}`);
    console.error('If that is right: node scripts/package.mjs --update');
    process.exit(1);
}
vsce('package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', target);
console.log(`dist/rulelang-${version}.vsix: ${files.length} files, ${Math.round(statSync(target).size / 1024)} KiB`);

/** What computes SQL queries, beside the run process: one script, and the native parts for the system that this runs on. */
async function stageDuckDb() {
    const native = `${ROOT}node_modules/@duckdb/node-bindings-${process.platform}-${process.arch}`;
    if (!existsSync(native)) return;
    await build({
        entryPoints: [`${ROOT}node_modules/@duckdb/node-api/lib/index.js`],
        outfile: `${STAGE}/server/duckdb.cjs`,
        bundle: true,
        minify: true,
        platform: 'node',
        logLevel: 'warning',
        plugins: [
            {
                name: 'native-parts',
                setup: ({ onResolve }) => onResolve({ filter: /\/duckdb\.node$/ }, () => ({ path: './duckdb.node', external: true })),
            },
        ],
    });
    for (const name of readdirSync(native).filter(file => /duckdb/u.test(file)))
        copyFileSync(`${native}/${name}`, `${STAGE}/server/${name}`);
}
