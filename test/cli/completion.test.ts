import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { folderWith, rulelang } from './command-line.ts';

/** What bash offers for the last of the words. */
async function offered(...words: readonly string[]): Promise<string[]> {
    const folder = folderWith({ 'rules.rulelang': 'p(1).', 'two words.rulelang': 'p(2).', 'data/p.csv': '1\n' });
    const { stdout } = await rulelang(folder, ['completion', 'bash']);
    const ask = `eval "$SCRIPT"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rulelang; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const text = execFileSync('bash', ['-c', ask, 'bash', 'rulelang', ...words], { cwd: folder, env: { ...process.env, SCRIPT: stdout } });
    return text
        .toString()
        .split('\n')
        .filter(line => line !== '')
        .sort();
}

test.each([
    [['ex'], ['explain', 'export']],
    [['help', 'ru'], ['run']],
    [['run', '--wat'], ['--watch']],
    [['check', '--query'], []],
    [
        ['test', '--format', 'j'],
        ['json', 'jsonl', 'junit'],
    ],
    [
        ['run', '--color', 'a'],
        ['always', 'auto'],
    ],
    [['run', '--format', 'bo'], ['box']],
    [['test', '--format', '=', 'p'], ['pretty']],
    [
        ['run', ''],
        ['data', 'rules.rulelang', 'two words.rulelang'],
    ],
    [['run', 'tw'], ['two words.rulelang']],
    [['run', '--timeout', ''], []],
    [['project', 'ex'], ['export']],
    [
        ['completion', ''],
        ['bash', 'fish', 'zsh'],
    ],
])('bash completes %j', async (words, wanted) => {
    expect(await offered(...words)).toEqual(wanted);
});

test('zsh and fish have scripts, and nothing else has', async () => {
    const folder = folderWith({});
    expect((await rulelang(folder, ['completion', 'zsh'])).stdout).toContain('bashcompinit');
    expect((await rulelang(folder, ['completion', 'fish'])).stdout).toContain(
        "complete -c rulelang -n '__fish_seen_subcommand_from run' -l watch",
    );
    expect(await rulelang(folder, ['completion', 'csh'])).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh, fish') });
});
