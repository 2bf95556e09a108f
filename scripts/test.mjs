// Runs tests, as `vitest run` with the same arguments does, and says at the end what that is worth:
// - A file that starts processes and fails is run once more, alone, after all others: if it passes then, it is unsteady, and the run is no failure.
// - TEST_DEADLINE, in seconds since 1970, ends what runs; files that have not ended by then are named, and are no failure.
// - `--write-durations` notes how long the files took in test/durations.json, by which they are ordered.
// The last line is `N passed, N failed`. The file that TEST_COUNTS names gets a line with both numbers, and lines with what is worth telling after `#`.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstFailure, readReport, slowestFiles } from './test-report.mjs';

/** What computes in one process gives the same result whenever it is asked. */
const NO_SECOND_LOOK = new Set(['pure', 'counted']);
const DURATIONS = new URL('../test/durations.json', import.meta.url);
/** Files that take less are no matter for the order. */
const NOTED_SECONDS = 1;
/** Between the request to end and the end, in milliseconds. */
const GRACE = 10_000;

const given = process.argv.slice(2);
/** What `npm test` runs where nobody names files: the other doors are part of `npm run test:all`. */
const QUICK = ['pure', 'counted', 'first doors'].flatMap(name => ['--project', name]);
const chosen = given.some(argument => !argument.startsWith('-')) ? [] : QUICK;
const writesDurations = given.includes('--write-durations');
const configAt = given.findIndex(argument => argument === '--config' || argument === '-c');
const config = configAt < 0 ? [] : given.slice(configAt, configAt + 2);
const deadline = process.env.TEST_DEADLINE ? Number(process.env.TEST_DEADLINE) * 1000 : undefined;
const folder = mkdtempSync(join(tmpdir(), 'rulelang-tests-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** How vitest ended: `code`, and whether it was ended because of the time or by somebody. */
function runVitest(args, report) {
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
        stdio: 'inherit',
        env: { ...process.env, TEST_REPORT: report },
        // A group of its own: what a test has started ends with it.
        detached: true,
    });
    let endedBy;
    const end = reason => {
        endedBy ??= reason;
        const send = signal => {
            try {
                process.kill(-child.pid, signal);
            } catch {
                // It has ended meanwhile.
            }
        };
        send('SIGTERM');
        setTimeout(send, GRACE, 'SIGKILL').unref();
    };
    const timer = deadline === undefined ? undefined : setTimeout(end, Math.max(0, deadline - Date.now()), 'time');
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => [signal, () => end(signal)]);
    for (const [signal, heard] of signals) process.on(signal, heard);
    return new Promise(resolve => {
        child.on('close', code => {
            clearTimeout(timer);
            for (const [signal, heard] of signals) process.off(signal, heard);
            resolve({ code, endedBy });
        });
    });
}

const first = join(folder, 'first');
const { code, endedBy } = await runVitest([...given.filter(argument => argument !== '--write-durations'), ...chosen], first);
const { ended, unended, outside } = readReport(first);

const lines = [];
let passed = 0;
let failed = 0;
for (const result of ended.values()) {
    const { ended: file, project, failures } = result;
    if (failures.length === 0 || NO_SECOND_LOOK.has(project) || endedBy !== undefined) count(result);
    else count(await lookAgain(file, result));
}
// A process of vitest that dies takes the files with it that it had.
const died = endedBy === undefined ? unended : [];
for (const { file, project } of died) {
    const before = { ended: file, passed: 0, failures: [{ reason: ['did not end', ...outside].join(': ') }] };
    count(NO_SECOND_LOOK.has(project) ? before : await lookAgain(file, before));
}
if (died.length === 0) {
    failed += outside.length;
    for (const reason of outside) lines.push(`failed: outside of tests: ${reason}`);
}

function count({ ended: file, passed: good, failures }) {
    passed += good;
    failed += failures.length;
    for (const { test, reason } of failures) lines.push(`failed: ${[file, test, reason].filter(Boolean).join(': ')}`);
}

/** What a file that has failed gives when it runs alone. */
async function lookAgain(file, before) {
    console.log(`\n${file} is run once more, alone.`);
    process.env.BUILT_ONCE = '1';
    const again = join(folder, 'again');
    rmSync(again, { force: true });
    const { endedBy: endedAgain } = await runVitest([...config, file], again);
    const report = readReport(again);
    const after = report.ended.get(file);
    if (endedAgain !== undefined || after === undefined || after.failures.length + report.outside.length > 0) return before;
    lines.push(`unsteady: ${file} (${firstFailure(before)})`);
    return after;
}

if (endedBy !== undefined) {
    for (const { file, began } of unended) lines.push(`${began ? 'not ended' : 'not run'}: ${file}`);
    lines.push(endedBy === 'time' ? 'the time was over' : `ended by ${endedBy}`);
} else if (code !== 0 && ended.size === 0 && died.length === 0) {
    failed++;
    lines.push(`failed: vitest ended with code ${code}`);
}
if (writesDurations) {
    const known = JSON.parse(readFileSync(DURATIONS, 'utf8'));
    for (const [file, { seconds }] of ended) known[file] = Math.round(seconds);
    const kept = Object.entries(known).filter(([, seconds]) => seconds >= NOTED_SECONDS);
    const sorted = Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
    writeFileSync(DURATIONS, `${JSON.stringify(sorted, undefined, 4)}\n`);
}
if (ended.size > 1) console.log(['\nThe files that took longest:', ...slowestFiles(ended)].join('\n'));
if (lines.length > 0) console.log(['', ...lines].join('\n'));
if (process.env.TEST_COUNTS) {
    const told = [...lines, ...(ended.size > 1 ? slowestFiles(ended) : [])].map(line => `# ${line}\n`);
    appendFileSync(process.env.TEST_COUNTS, `${passed} ${failed}\n${told.join('')}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : endedBy === undefined || endedBy === 'time' ? 0 : 128 + (constants.signals[endedBy] ?? 0);
