import type { Message, ResponseMessage } from 'vscode-languageserver/node';
import { isMembers } from './cell-places.ts';
import type { OpenCell, OpenNotebooks } from './open-notebooks.ts';

/**
 * A client that asks for problems asks again about a cell that was changed. What it was told of the other cells of the notebook may be out of date
 * then: it is asked to look at all of them.
 */
export interface DiagnosticRefresh {
    begin(initialize: unknown): void;
    /** A report about a cell goes to the client, and what it is asked with it. */
    told(cell: OpenCell, report: unknown): Message[];
    /** An answer to what was asked here. */
    isAnswered(message: ResponseMessage): boolean;
}

export function diagnosticRefresh(notebooks: OpenNotebooks): DiagnosticRefresh {
    const known = new Map<string, unknown>();
    let isSupported = false;
    let asks = 0;
    let waiting: string | undefined;
    return {
        begin(initialize) {
            const { capabilities } = initialize as { capabilities?: { workspace?: { diagnostics?: { refreshSupport?: boolean } } } };
            isSupported = capabilities?.workspace?.diagnostics?.refreshSupport === true;
        },
        told(cell, report) {
            const id = isMembers(report) ? report.resultId : undefined;
            known.set(cell.uri, id);
            const isOld = (other: OpenCell): boolean => known.has(other.uri) && known.get(other.uri) !== id;
            if (!isSupported || waiting !== undefined || notebooks.cells(cell.notebook)?.some(isOld) !== true) return [];
            waiting = `notebooks ${++asks}`;
            return [{ jsonrpc: '2.0', id: waiting, method: 'workspace/diagnostic/refresh' } as Message];
        },
        isAnswered({ id }) {
            if (id === null || id !== waiting) return false;
            waiting = undefined;
            return true;
        },
    };
}
