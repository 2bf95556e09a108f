import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const lsp: Command = {
    name: 'lsp',
    summary: 'Start the language server for an editor',
    usage: '[--stdio | --node-ipc]',
    description: `Editors start this command and talk to it; it ends when they end. It runs
nothing, and reads only the first line of data files in the workspace, unless
the editor sends the initialization option {"trusted": true}.`,
    options: {
        stdio: { help: 'Talk over standard input and output, as without an option.' },
        'node-ipc': { help: 'Talk over the channel of the process that started this one.' },
    },
    examples: [['rulelang lsp --stdio', 'what to write into the settings of an editor']],
    job: args => {
        if (args.positionals.length > 0) throw new UsageError(say`takes no argument '${args.positionals[0]}'`);
        if (args.has('stdio') && args.has('node-ipc')) throw new UsageError(say`choose one of '--stdio' and '--node-ipc'`);
        return async () => {
            await import('#server/lsp/main.ts');
            return undefined;
        };
    },
};
