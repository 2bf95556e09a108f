// Runs the checks of test/vscode/modules in a downloaded desktop VS Code, the oldest that the extension supports unless
// VSCODE_VERSION says otherwise. Needs `npm run build`, a network and a display (xvfb-run does).
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rulelang-electron-'));
const workspace = join(folder, 'workspace');
const tests = join(folder, 'all.cjs');
const { engines } = JSON.parse(readFileSync(join(ROOT, 'extension/manifest.json'), 'utf8'));

try {
    cpSync(join(ROOT, 'samples'), workspace, { recursive: true });
    cpSync(join(ROOT, 'test/vscode/programs'), join(workspace, 'programs'), { recursive: true });
    await build({
        entryPoints: [join(ROOT, 'test/vscode/modules/all.ts')],
        outfile: tests,
        bundle: true,
        platform: 'node',
        target: 'node20',
        format: 'cjs',
        external: ['vscode'],
    });
    process.exitCode = await runTests({
        version: process.env.VSCODE_VERSION ?? engines.vscode.replace('^', ''),
        extensionDevelopmentPath: join(ROOT, 'dist/extension'),
        extensionTestsPath: tests,
        launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust', `--user-data-dir=${join(folder, 'user')}`],
    });
} finally {
    rmSync(folder, { recursive: true, force: true });
}
