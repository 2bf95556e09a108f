// Runs the tests that what has changed since `main` can have touched, nearest first, as many as take three minutes on two processors:
// `npm run test:changed`, or `npm run test:changed -- COMMIT` for what has changed since that.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';

/** Seconds of tests that are run. */
const MOST = 300;
/** A file that is in no list takes less than a second, and as much again to load. */
const LOADED = 1;
const DURATIONS = JSON.parse(readFileSync('test/durations.json', 'utf8'));
/** Where the names of imports lead: see `imports` in package.json. */
const ROOTS = /^#(language|engine|server|extension)\//u;
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'|new URL\('([^']+)', import\.meta\.url\)/gu;
/** One test of each door, which is run whatever has changed in what is built. */
const SMOKE = ['test/cli/run.test.ts', 'test/lsp/session.test.ts', 'test/api/requests.test.ts', 'test/extension/manifest.test.ts'];
/** Whose tests stand in folders of other names. */
const TESTED_IN = {
    'server/notices': ['test/cli'],
    'server/terminal': ['test/cli'],
    'server/workspace': ['test/lsp'],
    'server/problem-help': ['test/lsp', 'test/docs'],
    'server/protocol/platform': ['test/api'],
    'server/remote': ['test/cli'],
    docs: ['test/docs', 'test/assistant'],
    'README.md': ['test/docs'],
};

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
const has = commit => spawnSync('git', ['rev-parse', '--verify', '--quiet', commit]).status === 0;

function changedFiles() {
    const given = process.argv[2];
    const main = has('origin/main') ? 'origin/main' : 'main';
    if (!has(given ?? main)) throw new Error(`There is no commit ${given ?? main}: name one, as in npm run test:changed -- HEAD~3`);
    const [base] = given === undefined ? git('merge-base', 'HEAD', main) : [given];
    return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Who imports a file, by its path. */
function importersOf(files) {
    const importers = new Map();
    for (const file of files) {
        for (const [, imported, beside] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
            const name = imported ?? beside;
            const path = ROOTS.test(name) ? name.slice(1) : name.startsWith('.') ? posix.join(dirname(file), name) : undefined;
            if (path === undefined) continue;
            if (!importers.has(path)) importers.set(path, new Set());
            importers.get(path).add(file);
        }
    }
    return importers;
}

/** Test files by how many imports they are away from what has changed. */
function testsNear(changed, importers) {
    const distances = new Map(changed.map(file => [file, 0]));
    for (const [file, distance] of distances) {
        for (const importer of importers.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
    return new Map([...distances].filter(([file]) => file.endsWith('.test.ts')));
}

/** The folders of tests that are about a file which no import leads from: of the same name, or of what the test reads. */
function foldersAbout(file) {
    const found = [];
    for (let folder = file; folder !== '.'; folder = dirname(folder)) {
        found.push(...(TESTED_IN[folder] ?? []));
        if (folder.startsWith('test/') && folder !== file) found.push(folder);
        for (const one of [`test/${folder}`, `test/${folder.split('/').slice(1).join('/')}`]) {
            if (one !== 'test/' && existsSync(one)) found.push(one);
        }
        if (found.length > 0) return found;
    }
    return [];
}

const changed = changedFiles();
const sources = git('ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs').filter(file => existsSync(file));
const tests = sources.filter(file => file.startsWith('test/') && file.endsWith('.test.ts'));
const near = testsNear(changed, importersOf(sources));
/** What is only beside what has changed comes after what imports it. */
const BESIDE = 4;
for (const file of changed) {
    if (file.endsWith('.test.ts')) continue;
    const folders = foldersAbout(file);
    for (const one of tests)
        if (folders.some(folder => one.startsWith(`${folder}/`))) near.set(one, Math.min(near.get(one) ?? BESIDE, BESIDE));
}
if (changed.some(file => /^(?:language|engine|server|extension|scripts)\//u.test(file))) for (const file of SMOKE) near.set(file, 0);
const secondsOf = file => DURATIONS[file] ?? LOADED;
const ordered = [...near]
    .filter(([file]) => existsSync(file))
    .sort(([one, near], [other, far]) => near - far || secondsOf(one) - secondsOf(other));
let seconds = 0;
const chosen = ordered
    .map(([file]) => file)
    .filter(file => {
        if (seconds + secondsOf(file) > MOST) return false;
        seconds += secondsOf(file);
        return true;
    });
console.log(`${changed.length} files have changed; ${near.size} of ${tests.length} test files are near, ${chosen.length} are run.`);
const { status } = chosen.length === 0 ? { status: 0 } : spawnSync(process.execPath, ['scripts/test.mjs', ...chosen], { stdio: 'inherit' });
if (chosen.length < near.size) console.log(`${near.size - chosen.length} that are further away are left to npm run ci.`);
process.exitCode = status ?? 1;
