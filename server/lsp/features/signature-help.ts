import { MarkupKind } from 'vscode-languageserver/node';
import { signatureHelp as helpAt } from '#language/editing/signature-help.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature } from '../language-server.ts';

export const signatureHelp: Feature = {
    capabilities: () => ({ signatureHelpProvider: { triggerCharacters: ['(', ','] } }),
    register: server =>
        server.connection.onSignatureHelp(
            aboutPlace(server, 'textDocument/signatureHelp', (document, offset) => {
                const help = helpAt(document.program, offset);
                if (help === undefined) return undefined;
                const { label, parameters, documentation } = help.signature;
                const signature = {
                    label,
                    parameters: parameters.map(({ start, end, words }) => ({
                        label: [start, end] as [number, number],
                        ...(words === undefined ? {} : { documentation: words }),
                    })),
                    ...(documentation === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
                };
                return { signatures: [signature], activeSignature: 0, activeParameter: help.argument };
            }),
        ),
};
