import type { Streams } from '#server/protocol/jobs.ts';

/** The output of a command. */
export interface Terminal {
    readonly streams: Streams;
    /** Writes results. */
    readonly print: (text: string) => void;
    /** Writes everything else. */
    readonly say: (text: string) => void;
}

/** Standard output and standard error. A missing reader does not count as an error. */
export function standardTerminal(streams: Streams): Terminal {
    for (const stream of [process.stdout, process.stderr])
        stream.on('error', (error: NodeJS.ErrnoException) => {
            if (error.code !== 'EPIPE') throw error;
        });
    return { streams, print: text => void process.stdout.write(text), say: text => void process.stderr.write(text) };
}
