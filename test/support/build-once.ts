import { execFileSync } from 'node:child_process';

/** Builds `dist/` before the first test, so that tests at the doors drive what users install. */
export default function buildOnce(): void {
    execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}
