import { execFileSync } from 'node:child_process';

/** Builds `dist/` before the first test, so that tests at the doors drive what users install; once, whoever needs it first. */
export default function buildOnce(): void {
    if (process.env.BUILT_ONCE === '1') return;
    execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
    process.env.BUILT_ONCE = '1';
}
