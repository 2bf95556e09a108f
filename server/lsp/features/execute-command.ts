import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { SHOW } from '#server/protocol/shown.ts';
import type { Feature, LanguageServer } from '../language-server.ts';
import { OPEN_PAGE, openPage, opensPage } from './open-page.ts';
import { showByCommand } from './shown-documents.ts';

type Run = (server: LanguageServer, given: readonly unknown[] | undefined) => Promise<unknown>;

/** The commands of the server, for clients that have none of their own. */
function commandsOf(server: LanguageServer): ReadonlyMap<string, Run> {
    if (server.options.lenses === true) return new Map();
    const page: [string, Run][] = opensPage(server) ? [[OPEN_PAGE, openPage]] : [];
    return new Map<string, Run>([...page, [SHOW, showByCommand]]);
}

export const executeCommand: Feature = {
    capabilities: server => {
        const commands = [...commandsOf(server).keys()];
        return commands.length === 0 ? {} : { executeCommandProvider: { commands } };
    },
    register: server =>
        server.connection.onExecuteCommand(
            server.guard.request('workspace/executeCommand', async ({ command, arguments: given }) => {
                const run = commandsOf(server).get(command);
                if (run === undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, say`There is no command '${command}'`);
                return run(server, given);
            }),
        ),
};
