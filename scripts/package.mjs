// Packages the staged extension as dist/rulelang-<version>.vsix and compares its files with extension/package-files.txt.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIST = `${ROOT}extension/package-files.txt`;
const STAGE = `${ROOT}dist/extension`;
const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const target = `${ROOT}dist/rulelang-${version}.vsix`;
const vsce = (...args) =>
    execFileSync(process.execPath, [`${ROOT}node_modules/@vscode/vsce/vsce`, ...args], { cwd: STAGE, encoding: 'utf8' });

if (!process.argv.includes('--built')) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });

/** Names of chunks say nothing but their content; each view has a script and a style sheet. */
const names = vsce('ls', '--no-dependencies')
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.replace(/chunk-\w+/u, 'chunk-*').replace(/^webviews\/[\w-]+\.(js|css)$/u, 'webviews/*.$1'));
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
