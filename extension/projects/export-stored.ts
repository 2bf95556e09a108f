import { type StoredView, viewQuery } from '#extension/page/stored-rows.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import type { ExportFormat } from '#server/protocol/result-formats.ts';
import type { RunMethods } from '#server/protocol/run-methods.ts';
import { PAGE_LIMIT } from '#server/protocol/runs.ts';

type Asked = Pick<RunMethods, 'rulelang/gather' | 'rulelang/give' | 'rulelang/export' | 'rulelang/close'>;
type AskServer = <M extends keyof Asked>(method: M, params: ParamsOf<Asked, M>) => Promise<ResultOf<Asked, M>>;

/** Rows to export, and their file. */
export interface StoredExport {
    readonly place: { readonly scope: 'user' | 'organization'; readonly project: string; readonly concept: string };
    readonly view: StoredView;
    readonly format: ExportFormat;
    readonly uri: string;
}

/** Other rows were stored while some were read. */
export class RowsReplaced extends Error {}

/**
 * Reads the rows of a view page by page, and hands each page on to the process that writes the file, which appears whole or not at all. `ask` asks
 * the language server; `read` hears how many rows of how many have been read. Gives how many were written.
 */
export async function exportStored(
    client: Pick<PlatformClient, 'viewRows'>,
    ask: AskServer,
    { place: { scope, project, concept }, view, format, uri }: StoredExport,
    read: (rows: number, of: number) => void,
    signal: AbortSignal,
): Promise<number> {
    const path = { project_id: project };
    const page = (offset: number) =>
        client.viewRows({ path, query: { concept_name: concept, scope, offset, limit: PAGE_LIMIT, ...viewQuery(view) } }, signal);
    // A server that has ended has ended it.
    const close = (run: number) => ask('rulelang/close', { run }).catch(() => undefined);
    let next = await page(0);
    const { execution_id: execution, columns, types, matching } = next;
    const { run } = await ask('rulelang/gather', { name: concept, columns, types });
    try {
        for (let offset = 0; offset < matching; next = await page(offset)) {
            if (next.execution_id !== execution || next.rows.length === 0) throw new RowsReplaced();
            await ask('rulelang/give', { run, rows: jsonOf(next.rows) });
            offset += next.rows.length;
            read(offset, matching);
            if (offset >= matching) break;
        }
        signal.throwIfAborted();
        const written = ask('rulelang/export', { run, view: { output: concept }, format, uri });
        // Closing the run ends the process, which removes what it has written.
        signal.addEventListener('abort', () => void close(run));
        return (await written).rows;
    } finally {
        await close(run);
    }
}
