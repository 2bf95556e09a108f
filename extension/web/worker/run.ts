import { writtenFiles } from '#server/browser/file-system.ts';
import { process } from '#server/browser/system.ts';
import type { FromRun, ToRun } from './messages.ts';

/** Has this worker be the process of a run. */
process.on = (event, listener) => {
    if (event === 'message') addEventListener('message', ({ data }: MessageEvent<ToRun>) => listener(data as never));
};
process.send = message => {
    const files = writtenFiles();
    if (files.length > 0) postMessage({ kind: 'written', files } satisfies FromRun);
    postMessage(message);
};
void import('#server/runs/run-process.ts');
