import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A reasoner for OWL 2 RL, and its dependencies. */
const PACKAGES = ['owlrl==7.6.2', 'rdflib==7.6.0', 'pyparsing==3.3.3'];
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const CASES = '../server/translate/owl-cases';

let folder: string;

beforeAll(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'owlrl-'));
    execFileSync('python3', ['-m', 'venv', folder]);
    const options = ['--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-deps'];
    execFileSync(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', ...options, ...PACKAGES]);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

// `npm run test:engines -- owl-reasoner -u` records the results anew.
test('the recorded results are those of owlrl', async () => {
    const verdicts = execFileSync(join(folder, 'bin', 'python'), [at('owl-cases.py'), at(`${CASES}.txt`)], { encoding: 'utf8' });
    await expect(verdicts).toMatchFileSnapshot(at(`${CASES}.verdicts.json`));
});
