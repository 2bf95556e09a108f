import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { EditorDocument } from '#server/workspace/documents.ts';

/** Milliseconds of work on a document between two looks at what else the client asks. */
const TURN = 10;

/** Brings a document up to date, in turns; undefined if one turn is enough. Fails once no request waits for it. */
export function upToDate(document: EditorDocument, isGivenUp: () => boolean): Promise<void> | undefined {
    return takesMore(document) ? inTurns(document, isGivenUp) : undefined;
}

let waiting = 0;

/** True while a request waits for a document: other work is done later. */
function isAwaited(): boolean {
    return waiting > 0;
}

async function inTurns(document: EditorDocument, isGivenUp: () => boolean): Promise<void> {
    waiting++;
    try {
        for (let goesOn = true; goesOn; ) {
            goesOn = await nextTurn(document);
            if (isGivenUp()) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled');
        }
    } finally {
        waiting--;
    }
}

/** Milliseconds of work that can wait between two looks at the requests of the client; one step may take longer. */
const SLICE = 4;
/** Milliseconds until the next look whether a request still waits for a document. */
const LATER = 10;

/** Takes steps until one says that it was the last. If `canWait`, it pauses while requests wait for a document. */
export async function inSlices(step: () => boolean, canWait: boolean): Promise<void> {
    for (let goesOn = true; goesOn; ) {
        const isLater = canWait && isAwaited();
        await new Promise(resolve => (isLater ? setTimeout(resolve, LATER) : setImmediate(resolve)));
        if (isLater) continue;
        const until = performance.now() + SLICE;
        while (goesOn && performance.now() < until) goesOn = step();
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
