import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { EditorDocument } from '#server/workspace/documents.ts';

/** Milliseconds of work on a document between two looks at what else the client asks. */
const TURN = 10;

/** Brings a document up to date, in turns; undefined where one is enough. Ends with an error once nobody waits for it. */
export function upToDate(document: EditorDocument, isGivenUp: () => boolean): Promise<void> | undefined {
    return takesMore(document) ? inTurns(document, isGivenUp) : undefined;
}

async function inTurns(document: EditorDocument, isGivenUp: () => boolean): Promise<void> {
    do {
        await new Promise(resolve => setImmediate(resolve));
        if (isGivenUp()) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled');
    } while (takesMore(document));
}

function takesMore(document: EditorDocument): boolean {
    const until = performance.now() + TURN;
    while (document.step()) if (performance.now() >= until) return true;
    return false;
}
