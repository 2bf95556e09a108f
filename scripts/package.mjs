// Packages the staged extension as dist/rulelang-<target>-<version>.vsix and compares its files with extension/package-files.txt. A target is a
// system, this one unless `--target` names others, or `universal`, which has no native parts; `--target all` makes a package for each.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIST = `${ROOT}extension/package-files.txt`;
const STAGE = `${ROOT}dist/extension`;
const UNIVERSAL = 'universal';
const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', UNIVERSAL];
const HERE = `${process.platform}-${process.arch}`;
/** What the list says of files that only packages for one system have. */
const NATIVE_MARK = ' (not universal)';
const IS_NATIVE = /^server\/(lib)?duckdb\.(cjs|node|so|dylib|dll|\*)$/u;

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const { version: duckDbVersion } = JSON.parse(readFileSync(`${ROOT}node_modules/@duckdb/node-bindings/package.json`, 'utf8'));
const vsce = (...args) =>
    execFileSync(process.execPath, [`${ROOT}node_modules/@vscode/vsce/vsce`, ...args], { cwd: STAGE, encoding: 'utf8' });

const asked = process.argv.flatMap((arg, i, all) => (arg === '--target' ? all[i + 1]?.split(',') : []));
const unknown = asked.find(target => target !== 'all' && !TARGETS.includes(target));
if (unknown !== undefined) fail(`There is no package for '${unknown}', only for ${TARGETS.join(', ')}`);
if (!process.argv.includes('--built')) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
await bundleDuckDb();
for (const target of asked.includes('all') ? TARGETS : asked.length > 0 ? asked : [HERE]) packageFor(target);

function packageFor(target) {
    stageNativeParts(target);
    compareFiles(target);
    const file = `rulelang-${target}-${version}.vsix`;
    const options = ['--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', `${ROOT}dist/${file}`];
    vsce('package', ...options, ...(target === UNIVERSAL ? [] : ['--target', target]));
    console.log(`dist/${file}: ${Math.round(statSync(`${ROOT}dist/${file}`).size / 1024)} KiB`);
}

/** Names of chunks say nothing but their content; each view has a script and a style sheet; pages are what the documentation has. */
function compareFiles(target) {
    const names = vsce('ls', '--no-dependencies')
        .split('\n')
        .filter(line => line !== '')
        .map(line =>
            line
                .replace(/chunk-\w+/u, 'chunk-*')
                .replace(/^webviews\/[\w-]+\.(js|css)$/u, 'webviews/*.$1')
                .replace(/^server\/documentation\/.*\.(\w+)$/u, 'server/documentation/**/*.$1')
                .replace(/^server\/words\/.*/u, 'server/words/**')
                .replace(/^walkthrough\/.*/u, 'walkthrough/*.svg')
                .replace(/(lib)?duckdb\.(so|dylib|dll)$/u, 'libduckdb.*'),
        )
        .map(name => (IS_NATIVE.test(name) ? `${name}${NATIVE_MARK}` : name));
    const listed = `${[...new Set(names)].sort().join('\n')}\n`;
    if (process.argv.includes('--update') && target !== UNIVERSAL) writeFileSync(LIST, listed);
    const wanted = readFileSync(LIST, 'utf8')
        .split('\n')
        .filter(line => target !== UNIVERSAL || !line.endsWith(NATIVE_MARK))
        .join('\n');
    if (listed === wanted) return;
    fail(`The package for ${target} would hold other files than extension/package-files.txt says:
${listed}
If that is right: node scripts/package.mjs --update`);
}

/** The driver of DuckDB as one script beside the services and the run process; its native parts stand beside it. */
async function bundleDuckDb() {
    await build({
        entryPoints: [`${ROOT}node_modules/@duckdb/node-api/lib/index.js`],
        outfile: `${ROOT}dist/native/duckdb.cjs`,
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
}

function stageNativeParts(target) {
    const folder = `${STAGE}/server`;
    for (const name of readdirSync(folder)) if (IS_NATIVE.test(`server/${name}`)) rmSync(`${folder}/${name}`);
    if (target === UNIVERSAL) return;
    copyFileSync(`${ROOT}dist/native/duckdb.cjs`, `${folder}/duckdb.cjs`);
    const native = nativeParts(target);
    for (const name of readdirSync(native).filter(file => IS_NATIVE.test(`server/${file}`)))
        copyFileSync(`${native}/${name}`, `${folder}/${name}`);
}

/** The folder of the native parts for a system: what is installed, or the package of the registry that npm would install there. */
function nativeParts(target) {
    const name = `@duckdb/node-bindings-${target}`;
    const installed = `${ROOT}node_modules/${name}`;
    if (existsSync(installed)) return installed;
    const folder = `${ROOT}node_modules/.cache/duckdb/${target}-${duckDbVersion}`;
    if (!existsSync(`${folder}/package`)) {
        mkdirSync(folder, { recursive: true });
        const packed = execFileSync('npm', ['pack', `${name}@${duckDbVersion}`, '--silent'], { cwd: folder, encoding: 'utf8' }).trim();
        execFileSync('tar', ['-xzf', packed], { cwd: folder });
        rmSync(`${folder}/${packed}`);
    }
    return `${folder}/package`;
}

function fail(reason) {
    console.error(reason);
    process.exit(1);
}
