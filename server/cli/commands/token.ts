import { say } from '#language/program/say.ts';
import { choiceOf, countOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const token: Command = {
    name: 'token',
    summary: 'Print a token for the platform API',
    usage: '[options]',
    description: `Prints a new token for the platform API of 'rulelang serve' with the same data
directory. A viewer may read and check programs; a user may do everything.
To revoke all tokens, delete auth/key in the data directory.`,
    options: {
        'data-dir': {
            value: 'DIR',
            help: 'The data directory of the services. Default: rulelang in your folder for application data, such as ~/.local/share.',
        },
        role: { value: 'user|viewer', help: 'The role of the token. Default: user.' },
        'expires-in': { value: 'MINUTES', help: 'The token is valid for MINUTES. Default: one year.' },
    },
    examples: [['rulelang token --role viewer --expires-in 60', 'for an hour of reading']],
    job: args => {
        if (args.positionals.length > 0) throw new UsageError(say`takes no argument '${args.positionals[0]}'`);
        const minutes = countOf(args, 'expires-in');
        if (minutes === 0) throw new UsageError(say`option '--expires-in' needs at least 1 minute`);
        const dataDirectory = args.value('data-dir');
        const options = {
            role: choiceOf(args, 'role', ['user', 'viewer'], 'user'),
            ...(minutes !== undefined && { minutes }),
            ...(dataDirectory !== undefined && { dataDirectory }),
        };
        return async () => (await import('#server/api/main.ts')).printToken(options);
    },
};
