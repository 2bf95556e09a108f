import type { PlatformClient } from '#server/client/platform-client.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import type { ExportFormat } from '#server/protocol/result-formats.ts';
import { PAGE_LIMIT } from '#server/protocol/runs.ts';
import { type ConceptPlace, type StoredView, viewQuery } from './stored-rows.ts';

/** The rows to export. */
export interface StoredExport {
    readonly place: ConceptPlace;
    readonly view: StoredView;
    readonly format: ExportFormat;
}

/** Gathers rows, and writes them to a file then, which appears whole or not at all. */
export interface RowsWriter {
    open(rows: { readonly name: string; readonly columns: readonly string[]; readonly types: readonly string[] }): Promise<unknown>;
    /** Takes further rows, as JSON. */
    give(rows: string): Promise<unknown>;
    /** Gives how many rows were written. */
    write(name: string, format: ExportFormat): Promise<number>;
    /** Ends it: what it has not written is gone. */
    close(): unknown;
}

/** Other rows were stored while some were read. */
export class RowsReplaced extends Error {}

/**
 * Reads the rows of a view page by page, and hands each page on to the writer; `read` hears how many rows of how many have been read. Gives how many
 * were written.
 */
export async function exportStored(
    client: Pick<PlatformClient, 'viewRows'>,
    writer: RowsWriter,
    { place: { scope, project, concept }, view, format }: StoredExport,
    read: (rows: number, of: number) => void,
    signal: AbortSignal,
): Promise<number> {
    const path = { project_id: project };
    const page = (offset: number) =>
        client.viewRows({ path, query: { concept_name: concept, scope, offset, limit: PAGE_LIMIT, ...viewQuery(view) } }, signal);
    try {
        let next = await page(0);
        const { execution_id: execution, columns, types, matching } = next;
        await writer.open({ name: concept, columns, types });
        for (let offset = 0; offset < matching; next = await page(offset)) {
            if (next.execution_id !== execution || next.rows.length === 0) throw new RowsReplaced();
            await writer.give(jsonOf(next.rows));
            offset += next.rows.length;
            read(offset, matching);
            if (offset >= matching) break;
        }
        signal.throwIfAborted();
        const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        return await Promise.race([writer.write(concept, format), stopped]);
    } finally {
        await writer.close();
    }
}
