import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { SHELLS, shellCompletion } from '../shell-completion.ts';

export const completion: Command = {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    usage: SHELLS.join('|'),
    description: `Prints a script for your shell. After it has run, Tab completes commands,
options, their values and files.`,
    options: {},
    examples: [
        ['eval "$(rulelang completion bash)"', 'in ~/.bashrc; in ~/.zshrc with zsh'],
        ['rulelang completion fish > ~/.config/fish/completions/rulelang.fish', 'once, in fish'],
    ],
    job: ({ positionals: [name, more] }) => {
        const shell = SHELLS.find(known => known === name);
        if (shell === undefined || more !== undefined) throw new UsageError(say`needs one shell: ${SHELLS.join(', ')}`);
        return async (_, commands) => shellCompletion(shell, commands);
    },
};
