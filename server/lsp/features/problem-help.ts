import { ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { helpSection } from '#server/problem-help/help-page.ts';
import { problemHelp as helpOn } from '#server/problem-help/problem-help.ts';
import { isProblemHelpQuestion } from '#server/protocol/problems.ts';
import type { Feature } from '../language-server.ts';

/** What a code means, for a client that shows it as a page. */
export const problemHelp: Feature = {
    capabilities: () => ({}),
    register: ({ connection, guard }) => {
        const method = 'rulelang/problemHelp';
        connection.onRequest(
            method,
            guard.request(method, (params: unknown): string | null => {
                if (!isProblemHelpQuestion(params)) throw new ResponseError(ErrorCodes.InvalidParams, `${method} was asked without a code`);
                const help = helpOn(params.code);
                return help === undefined ? null : `${helpSection(help)}\n`;
            }),
        );
    },
};
