import { say } from '#language/program/say.ts';
import type { ServiceOptions } from '#server/remote/connect.ts';
import { type Arguments, choiceOf, type Options, UsageError } from './arguments.ts';

/** How a command finds the service that it asks. */
export const SERVICE_OPTIONS: Options = {
    server: {
        value: 'URL',
        help: "The address of the service, without /api/v1. Default: the one that 'rulelang serve' runs on this machine.",
    },
    'data-dir': {
        value: 'DIR',
        help: 'The data directory of the services on this machine. Default: rulelang in your folder for application data, such as ~/.local/share.',
    },
    'token-file': { value: 'FILE', help: 'Read the token from FILE instead of the variable RULELANG_TOKEN.' },
    scope: { value: 'user|organization', help: 'Use your own projects or those of the organization. Default: user.' },
};

/** The paragraph in the help of every command that asks a service. */
export const SERVICE_DESCRIPTION = `The service is the one that 'rulelang serve' runs on this machine, with the
token in its data directory, or the one of --server, with the token in
RULELANG_TOKEN or --token-file. Other machines need https. If the service is
busy, the command tries again for a minute.`;

export function serviceOf(args: Arguments): ServiceOptions {
    const server = args.value('server');
    const dataDirectory = args.value('data-dir');
    const tokenFile = args.value('token-file');
    const token = process.env.RULELANG_TOKEN;
    return {
        ...(server !== undefined && { server }),
        ...(dataDirectory !== undefined && { dataDirectory }),
        ...(tokenFile !== undefined && { tokenFile }),
        ...(token !== undefined && { token }),
    };
}

export function scopeOf(args: Arguments): 'user' | 'organization' {
    return choiceOf(args, 'scope', ['user', 'organization'], 'user');
}

/** The action that a command line begins with, and the words after it; options of other actions are refused. */
export function actionOf<A extends string>(
    { positionals, has }: Arguments,
    actions: Readonly<Record<A, readonly string[]>>,
): { readonly action: A; readonly words: readonly string[] } {
    const [word, ...words] = positionals;
    const names = Object.keys(actions) as A[];
    const action = names.find(name => name === word);
    if (action === undefined)
        throw new UsageError(say`${word === undefined ? say`say what to do` : say`cannot '${word}'`}: choose ${names.join(', ')}`);
    const foreign = Object.values<readonly string[]>(actions)
        .flat()
        .find(option => has(option) && !actions[action].includes(option));
    if (foreign !== undefined) throw new UsageError(say`'${action}' takes no option '--${foreign}'`);
    return { action, words };
}
