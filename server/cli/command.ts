import type { Streams } from '#server/protocol/jobs.ts';
import type { Job } from '#server/runs/worker-program.ts';
import type { Arguments, Options } from './arguments.ts';

/** One command of the command line. */
export interface Command {
    readonly name: string;
    /** One line for the list of commands. */
    readonly summary: string;
    /** The text behind the name: `FILE [options]`. */
    readonly usage: string;
    readonly description: string;
    readonly options: Options;
    readonly examples: readonly (readonly [command: string, what: string])[];
    /** The job that the arguments ask for, or something to do in this process, which may give an exit code or a text to print; throws `UsageError`. */
    job(args: Arguments): Job | ((streams: () => Streams, commands: readonly Command[]) => Promise<number | string | undefined>);
}
