import { say } from '#language/program/say.ts';
import { type Arguments, UsageError } from './arguments.ts';

/** The paths of a command line that may ask for standard input instead. */
export function pathsOf(args: Arguments, usual: readonly string[]): readonly string[] {
    if (!args.has('stdin')) return args.positionals.length === 0 ? usual : args.positionals;
    if (args.positionals.length > 0) throw new UsageError(say`option '--stdin' stands instead of paths`);
    return ['-'];
}
