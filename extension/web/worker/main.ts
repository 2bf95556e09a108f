import { mountFiles } from '#server/browser/file-system.ts';
import type { Beginning } from './messages.ts';
import { workersRun } from './start-worker.ts';

/**
 * The script of all workers: the language server, the runs that it starts, and the explanations of their rows. The first message gives the
 * role.
 */
addEventListener(
    'message',
    ({ data }: MessageEvent<Beginning>) => {
        workersRun(data.script);
        mountFiles(data.files);
        // Each is a part of this script, and there at once, so that it misses no further message.
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
