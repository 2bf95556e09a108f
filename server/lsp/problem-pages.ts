import type { ClientCapabilities, Diagnostic } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { EXPLAIN_PROBLEM } from '#server/protocol/problems.ts';
import type { InitializationOptions } from '#server/protocol/runs.ts';

/** Returns the address of the page about a code. */
export type ProblemPage = (code: string) => string | undefined;

interface Editor {
    readonly client: ClientCapabilities;
    readonly options: InitializationOptions;
}

/** The command of the client that shows it, which VS Code follows from the code of a problem; other clients are given no address. */
export function problemPages({ client, options }: Editor): ProblemPage {
    const follows = client.textDocument?.publishDiagnostics?.codeDescriptionSupport === true && options.lenses === true;
    return code => (follows ? say`command:${EXPLAIN_PROBLEM}?${encodeURIComponent(JSON.stringify([code]))}` : undefined);
}

/** A code, with the address of its page where the client follows it. */
export function codeAndPage(code: string, page: ProblemPage): Pick<Diagnostic, 'code' | 'codeDescription'> {
    const href = page(code);
    return { code, ...(href === undefined ? {} : { codeDescription: { href } }) };
}
