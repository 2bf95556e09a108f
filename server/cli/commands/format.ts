import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { pathsOf } from '../path-arguments.ts';

export const format: Command = {
    name: 'format',
    summary: 'Rewrite programs in the standard layout',
    usage: 'PATH… [options]',
    description: `Rewrites programs in the standard layout. Each PATH is a file, a folder with its
subfolders, or a pattern with *, **, ? and {a,b}. If PATH is -, the program is
read from standard input and printed on standard output.`,
    options: {
        check: { help: 'Change nothing; list the files that would change, and exit with code 1 if there are any.' },
        stdin: { help: 'Format standard input.' },
    },
    examples: [
        ['rulelang format rules', 'all programs of a folder'],
        ['rulelang format --check rules', 'before a commit'],
        ['rulelang format --stdin < draft.rulelang', 'as a filter'],
    ],
    job: args => {
        const paths = pathsOf(args, []);
        if (paths.length === 0) throw new UsageError(say`name the programs to format, or - for standard input`);
        return { kind: 'format', paths, check: args.has('check') };
    },
};
