import { mountFiles } from '#server/browser/file-system.ts';
import type { Beginning } from './messages.ts';
import { workersRun } from './start-worker.ts';

/** The script of all workers: the language server, the runs that it starts, and what explains their rows. What a worker is, it is told first. */
addEventListener(
    'message',
    ({ data }: MessageEvent<Beginning>) => {
        workersRun(data.script);
        mountFiles(data.files);
        // Each is a part of this script, and there at once: nothing that is told next is missed.
        switch (data.role) {
            case 'language':
                return void import('./language.ts');
            case 'run':
                return void import('./run.ts');
            case 'explaining':
                return void import('./explaining.ts').then(({ explain }) => explain(data.input));
        }
    },
    { once: true },
);
