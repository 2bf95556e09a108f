// Makes dist/rulelang-linux-x64: Node and everything that an installed package has, in one file. It is a single executable application
// (https://nodejs.org/api/single-executable-applications.html) of the Node that runs this script.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = `${ROOT}dist/rulelang-${process.platform}-${process.arch}`;
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

if (process.platform !== 'linux') {
    console.log('No single file: they are made on Linux only, as elsewhere they have to be signed.');
    process.exit(0);
}
if (!process.argv.includes('--built')) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });

const work = mkdtempSync(join(tmpdir(), 'rulelang-binary-'));
try {
    const program = packedFiles();
    const services = packageFolders().flatMap(filesBelow);
    writeFileSync(join(work, 'files.json'), JSON.stringify({ id: contentId([...program, ...services]), program, services }));
    const assets = Object.fromEntries([...program, ...services].map((file, i) => [file, zipped(file, i)]));
    const [config, blob] = ['config.json', 'blob'].map(name => join(work, name));
    writeFileSync(
        config,
        JSON.stringify({
            main: `${ROOT}scripts/binary-start.cjs`,
            output: blob,
            disableExperimentalSEAWarning: true,
            assets: { ...assets, 'files.json': join(work, 'files.json') },
        }),
    );
    execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
    const made = join(work, 'rulelang');
    copyFileSync(process.execPath, made);
    chmodSync(made, 0o755);
    const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
    execFileSync(process.execPath, [postject, made, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE], {
        stdio: ['ignore', 'ignore', 'inherit'],
    });
    copyFileSync(made, TARGET);
    console.log(`${relative(ROOT, TARGET)}: ${Math.round(statSync(TARGET).size / 2 ** 20)} MiB`);
} finally {
    rmSync(work, { recursive: true });
}

/** What `npm pack` puts into the package. */
function packedFiles() {
    const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT, encoding: 'utf8' });
    return JSON.parse(listing)[0].files.map(({ path }) => path);
}

/** The packages that are installed with it. */
function packageFolders() {
    const listing = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: ROOT, encoding: 'utf8' });
    return listing
        .trim()
        .split('\n')
        .slice(1)
        .map(folder => relative(ROOT, folder));
}

function filesBelow(folder) {
    return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

function zipped(file, i) {
    const path = join(work, `${i}.gz`);
    writeFileSync(path, gzipSync(readFileSync(join(ROOT, file)), { level: 9 }));
    return path;
}

/** Other contents are unpacked elsewhere. */
function contentId(files) {
    const hash = createHash('sha256').update(process.version);
    for (const file of files) hash.update(file).update(readFileSync(join(ROOT, file)));
    return hash.digest('hex').slice(0, 16);
}
