import { checks } from './checks.ts';

/** Runs every check, says how each went, and fails when one did: the entry for @vscode/test-electron. */
export async function run(): Promise<void> {
    const failed: string[] = [];
    for (const [name, check] of Object.entries(checks)) {
        try {
            await check();
            console.log(`passed: ${name}`);
        } catch (reason) {
            failed.push(name);
            console.error(`failed: ${name}\n${reason instanceof Error ? reason.stack : reason}`);
        }
    }
    if (failed.length > 0) throw new Error(`${failed.length} failed: ${failed.join('; ')}`);
}
