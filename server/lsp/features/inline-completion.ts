import type { InlineCompletionParams } from 'vscode-languageserver/node';
import { inlineCompletion as completionAt } from '#language/editing/inline-completion.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature } from '../language-server.ts';

/** The rest of a rule, while no item of a list of completions is chosen. */
export const inlineCompletion: Feature = {
    capabilities: ({ client }) => (client.textDocument?.inlineCompletion === undefined ? {} : { inlineCompletionProvider: true }),
    register: server => {
        const { connection, client, suggestions } = server;
        if (client.textDocument?.inlineCompletion === undefined) return;
        connection.languages.inlineCompletion.on(
            aboutPlace(server, 'textDocument/inlineCompletion', (document, offset, { context }: InlineCompletionParams) => {
                // Clients say null for none, too.
                if (!suggestions.rules || context.selectedCompletionInfo) return undefined;
                const found = completionAt(document.program, offset);
                return found && { items: [{ insertText: found.text, range: document.rangeOf(found.range) }] };
            }),
        );
    },
};
