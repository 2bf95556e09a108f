import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { EditorDocument } from '#server/workspace/documents.ts';

/** Milliseconds of work on a document between two looks at what else the client asks. */
const TURN = 10;

/** Brings a document up to date, in turns; undefined where one is enough. Ends with an error once nobody waits for it. */
export function upToDate(document: EditorDocument, isGivenUp: () => boolean): Promise<void> | undefined {
    return takesMore(document) ? inTurns(document, isGivenUp) : undefined;
}

async function inTurns(document: EditorDocument, isGivenUp: () => boolean): Promise<void> {
    for (let goesOn = true; goesOn; ) {
        goesOn = await nextTurn(document);
        if (isGivenUp()) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled');
    }
}

const turns = new WeakMap<EditorDocument, Promise<boolean>>();

/** The next turn of a document, the same for all that wait for it; whether it takes more of them. */
function nextTurn(document: EditorDocument): Promise<boolean> {
    const known = turns.get(document);
    if (known !== undefined) return known;
    const turn = new Promise(resolve => setImmediate(resolve)).then(() => {
        turns.delete(document);
        return takesMore(document);
    });
    turns.set(document, turn);
    return turn;
}

function takesMore(document: EditorDocument): boolean {
    const until = performance.now() + TURN;
    while (document.step()) if (performance.now() >= until) return true;
    return false;
}
