import { CURSOR_METHODS } from '#server/protocol/cursor.ts';
import { answerMethods } from '../answer-methods.ts';
import { cursorFacts } from '../cursor-facts.ts';
import type { Feature } from '../language-server.ts';
import { upToDate } from '../turns.ts';

/** Answers an editor that shows beside the text what is known of the predicate at the cursor. */
export const atCursor: Feature = {
    capabilities: () => ({}),
    register: server =>
        answerMethods(server, CURSOR_METHODS, {
            'rulelang/atCursor': async ({ uri, position }, signal) => {
                const document = server.documents.get(uri);
                if (document === undefined) return null;
                await upToDate(document, () => signal.aborted || server.documents.get(uri) !== document);
                return signal.aborted ? null : cursorFacts(server, document, document.offsetAt(position));
            },
        }),
};
