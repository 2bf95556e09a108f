import { rangeOf } from '#language/document/open-document.ts';
import { formatRange } from '#language/editing/format-range.ts';
import { aboutPlace } from '../answer.ts';
import { textEdits } from '../edits.ts';
import type { Feature } from '../language-server.ts';

/** The clause is laid out that the dot just typed ends; a dot in a number or a text ends none. */
export const onTypeFormatting: Feature = {
    capabilities: () => ({ documentOnTypeFormattingProvider: { firstTriggerCharacter: '.' } }),
    register: server =>
        server.connection.onDocumentOnTypeFormatting(
            aboutPlace(server, 'textDocument/onTypeFormatting', (document, offset) => {
                const clause = document.program.clauseAt(offset - 1);
                if (clause === undefined || rangeOf(clause).end !== offset) return [];
                return textEdits(document, formatRange(document.program, rangeOf(clause)));
            }),
        ),
};
