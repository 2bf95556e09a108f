import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { RUN_ERRORS } from '#server/protocol/runs.ts';
import { DataDirectoryError, hasServices, usualDataDirectory } from '#server/store/data-directory.ts';
import type { LanguageServer } from '../language-server.ts';

/** The command that opens the page of the local services. */
export const OPEN_PAGE = 'rulelang.openPage';
/** Milliseconds. */
const PATIENCE = 20_000;

/** Whether the command is this server's: the client has none of its own, and the command line, which opens the page, is there. */
export function opensPage({ options }: Pick<LanguageServer, 'options'>): boolean {
    return options.lenses !== true && process.argv[2] === 'lsp';
}

/** Whether services run whose page can be opened. */
export function hasPage(): boolean {
    try {
        return hasServices(usualDataDirectory(process.env, process.platform));
    } catch (error) {
        if (error instanceof DataDirectoryError) return false;
        throw error;
    }
}

/**
 * Opens the page of the services in a browser, for editors without commands of their own: the client shows the address where it can, else
 * `rulelang open` does. The address holds a token, so it is neither logged nor answered.
 */
export async function openPage({ connection, client, trust }: LanguageServer): Promise<null> {
    if (!trust.granted) throw new ResponseError(LSPErrorCodes.RequestFailed, notTrusted(), RUN_ERRORS.untrusted);
    if (client.window?.showDocument?.support !== true) {
        await commandLine();
        return null;
    }
    const address = await commandLine('--print');
    const { success } = await connection.window.showDocument({ uri: address, external: true });
    if (!success) await commandLine();
    return null;
}

function notTrusted(): string {
    return say`The page opens in a workspace that is trusted; 'rulelang open' in a terminal opens it from anywhere`;
}

/** Returns the text that `rulelang open` prints; this server's own command line has the program. */
async function commandLine(...args: readonly string[]): Promise<string> {
    try {
        const { stdout } = await promisify(execFile)(process.execPath, [process.argv[1] ?? '', 'open', ...args], { timeout: PATIENCE });
        return stdout.trim();
    } catch (error) {
        const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
        throw new ResponseError(LSPErrorCodes.RequestFailed, said === '' ? say`'rulelang open' failed; run it in a terminal` : said);
    }
}
