import { execFileSync } from 'node:child_process';
// @ts-expect-error: a script of the build, in plain JavaScript
import { isBuilt } from '../../scripts/built-from.mjs';

/** Builds `dist/` before the first test where sources have changed since, so that tests at the doors drive what users install. */
export default function buildOnce(): void {
    if (process.env.BUILT_ONCE === '1') return;
    if (!isBuilt()) execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
    process.env.BUILT_ONCE = '1';
}
