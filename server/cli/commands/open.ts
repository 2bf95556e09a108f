import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const open: Command = {
    name: 'open',
    summary: 'Open the page of the running services in a browser',
    usage: '[options]',
    description: `Opens the page of 'rulelang serve' with your projects, concepts and stored rows.
Without --edit, the page only reads. The address is printed, too. It holds a
token that is valid for twelve hours. The page removes the token from the
address at once and keeps it in its tab.`,
    options: {
        'data-dir': {
            value: 'DIR',
            help: 'The data directory of the services. Default: rulelang in your folder for application data, such as ~/.local/share.',
        },
        edit: { help: 'Allow the page to change and run concepts.' },
        print: { help: 'Print the address and open nothing.' },
    },
    examples: [
        ['rulelang open', 'in the default browser'],
        ['rulelang open --edit', 'to run and change concepts'],
        ['rulelang open --print', 'to paste the address yourself'],
    ],
    job: args => {
        if (args.positionals.length > 0) throw new UsageError(say`takes no argument '${args.positionals[0]}'`);
        const dataDirectory = args.value('data-dir');
        const role = args.has('edit') ? ('user' as const) : ('viewer' as const);
        const options = { role, printOnly: args.has('print'), ...(dataDirectory !== undefined && { dataDirectory }) };
        return async () => (await import('#server/api/main.ts')).open(options);
    },
};
