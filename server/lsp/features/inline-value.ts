import { inlineValues } from '#language/editing/inline-values.ts';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';

/** Names the variables whose values the editor has from the debugger. */
export const inlineValue: Feature = {
    capabilities: () => ({ inlineValueProvider: true }),
    register: server => {
        server.connection.languages.inlineValue.on(
            aboutDocument(server, 'textDocument/inlineValue', (document, { context }) =>
                inlineValues(document.program, document.offsetAt(context.stoppedLocation.start)).map(({ name, range }) => ({
                    range: document.rangeOf(range),
                    variableName: name,
                    caseSensitiveLookup: true,
                })),
            ),
        );
    },
};
