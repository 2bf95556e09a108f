import { mountFiles, writtenFiles } from '#server/browser/file-system.ts';
import { NO_PROVIDERS } from '#server/browser/no-providers.ts';
import { evaluateRun } from '#server/runs/evaluate-run.ts';
import { type ServedResults, serveResults } from '#server/runs/serve-results.ts';
import type { FromRun, ToRun } from './messages.ts';

/** Evaluates one program, as the process of a run does, and serves its rows until the page ends it. */
let results: Promise<ServedResults | undefined> = Promise.resolve(undefined);

const send = (message: FromRun): void => postMessage(message);

function tellWritten(): void {
    const files = writtenFiles();
    if (files.length > 0) send({ kind: 'written', files });
}

async function served({ run, files }: Extract<ToRun, { readonly kind: 'start' }>): Promise<ServedResults | undefined> {
    mountFiles(files);
    const { end, finished } = await evaluateRun(run, NO_PROVIDERS, send);
    tellWritten();
    send({ kind: 'ended', end });
    if (finished === undefined || end.outcome !== 'finished') return undefined;
    const { outcome: _, reported: __, ...about } = end;
    return serveResults(finished, about, send);
}

addEventListener('message', ({ data }: MessageEvent<ToRun>) => {
    switch (data.kind) {
        case 'start':
            results = served(data);
            return;
        case 'ask':
            void results.then(async found => {
                const answer = await found?.answer(data.id, data.question);
                tellWritten();
                if (answer !== undefined) send(answer);
            });
            return;
        case 'stop':
            void results.then(found => found?.stop(data.id));
            return;
        case 'called':
            return;
    }
});
