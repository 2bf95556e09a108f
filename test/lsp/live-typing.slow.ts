import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tries } from '../support/thorough.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('rows follow random edits, and are those of a fresh run when typing rests', async () => {
    const args = ['test/soak/typing.mjs', '--edits', String(tries(600)), '--seed', process.env.RANDOM_SEED ?? '5'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect(stdout).toMatch(/of which 0 differ/u);
});
