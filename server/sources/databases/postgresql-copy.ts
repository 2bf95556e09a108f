import type { Socket } from 'node:net';
import type pg from 'pg';

/** What is used of the driver's connection. */
interface Wire {
    query(text: string): void;
    sendCopyFromChunk(lines: Uint8Array): void;
    endCopyFrom(): void;
    sendCopyFail(reason: string): void;
}

/** Runs `COPY … FROM STDIN` and sends pieces of lines as fast as the server takes them. */
export function copyIn(client: pg.Client, socket: Socket, text: string, pieces: Iterable<Uint8Array>): Promise<void> {
    return copying(client, text, fail => ({
        handleCopyInResponse(wire: Wire) {
            send(wire, socket, pieces).catch((error: unknown) => {
                wire.sendCopyFail('');
                fail(error);
            });
        },
    }));
}

async function send(wire: Wire, socket: Socket, pieces: Iterable<Uint8Array>): Promise<void> {
    for (const piece of pieces) {
        wire.sendCopyFromChunk(piece);
        if (socket.destroyed) return;
        if (socket.writableNeedDrain) await drained(socket);
    }
    wire.endCopyFrom();
}

function drained(socket: Socket): Promise<void> {
    return new Promise(resolve => {
        const goOn = (): void => {
            socket.off('drain', goOn).off('close', goOn);
            resolve();
        };
        socket.on('drain', goOn).on('close', goOn);
    });
}

/** A statement in the place of a query of the driver, to which it hands the messages that are about it. */
function copying(client: pg.Client, text: string, handlers: (fail: (error: unknown) => void) => object): Promise<void> {
    return new Promise((resolve, reject) => {
        const nothing = (): void => undefined;
        const statement = {
            submit: (wire: unknown) => (wire as Wire).query(text),
            handleError: reject,
            handleReadyForQuery: resolve,
            handleRowDescription: nothing,
            handleDataRow: nothing,
            handleCommandComplete: nothing,
            handleEmptyQuery: nothing,
            handlePortalSuspended: nothing,
            handleCopyData: nothing,
            handleCopyInResponse: (wire: Wire) => wire.sendCopyFail(''),
            ...handlers(reject),
        };
        client.query(statement as pg.Submittable);
    });
}
