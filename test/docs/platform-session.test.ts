import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startServices } from '../api/services.ts';
import { CLI } from '../cli/command-line.ts';

const page = readFileSync(new URL('../../docs/platform/concepts.md', import.meta.url), 'utf8');

/** The commands of a block behind `$`, with what each prints. */
function commandsOf(block: string): { readonly command: string; readonly output: string }[] {
    return block
        .split(/^\$ /mu)
        .slice(1)
        .map(text => {
            const end = text.indexOf('\n');
            return { command: text.slice(0, end), output: text.slice(end + 1) };
        });
}

/** What is another one in every run. */
function masked(text: string): string {
    return text.replaceAll(/"execution_id":"[^"]+"/gu, '"execution_id":"…"').replaceAll(/"execution_time":[\d.]+/gu, '"execution_time":0');
}

test('the session about concepts goes as the page shows it', async () => {
    const section = page.slice(page.indexOf('## Running concepts'));
    const commands = [...section.matchAll(/^```text\n([\s\S]*?)^```$/gmu)].flatMap(([, block = '']) => commandsOf(block));
    expect(commands.length).toBeGreaterThan(8);
    const services = await startServices();
    try {
        const MARK = '-- next command --';
        const script = commands
            .map(({ command }) =>
                command
                    .replaceAll('http://127.0.0.1:8000', services.base)
                    .replaceAll('~/.local/share/rulelang', services.data)
                    .replaceAll('npx rulelang', `'${process.execPath}' '${CLI}'`),
            )
            .map(command => `${command}\nprintf '\\n%s\\n' '${MARK}'`)
            .join('\n');
        const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: services.folder });
        const outputs = stdout.split(`\n${MARK}\n`);
        for (const [i, { command, output }] of commands.entries())
            expect(masked(outputs[i] ?? '').trimEnd(), command).toBe(masked(output).trimEnd());
    } finally {
        await services.stop();
    }
});
