import type { RowsWriter } from '#extension/surfaces/platform/export-stored.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import type { RunMethods } from '#server/protocol/run-methods.ts';

type Asked = Pick<RunMethods, 'rulelang/gather' | 'rulelang/give' | 'rulelang/export' | 'rulelang/close'>;
type AskServer = <M extends keyof Asked>(method: M, params: ParamsOf<Asked, M>) => Promise<ResultOf<Asked, M>>;

/** Has a process of the language server write the file of a URI. Ending the writer ends the process, which removes the unfinished file. */
export function processWriter(ask: AskServer, uri: string): RowsWriter {
    let run: number | undefined;
    const started = (): number => {
        if (run === undefined) throw new RangeError('no rows are gathered yet');
        return run;
    };
    return {
        async open(rows) {
            ({ run } = await ask('rulelang/gather', rows));
        },
        give: rows => ask('rulelang/give', { run: started(), rows }),
        write: async (output, format) => (await ask('rulelang/export', { run: started(), view: { output }, format, uri })).rows,
        // A server that has ended has ended it.
        close: () => (run === undefined ? undefined : ask('rulelang/close', { run }).catch(() => undefined)),
    };
}
