import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const format: Command = {
    name: 'format',
    summary: 'Lay programs out in the usual form',
    usage: 'FILE… [options]',
    description: `Rewrites each FILE in the usual form; a file that has it already is left alone.
A FILE of - is read from standard input and written to standard output.`,
    options: {
        check: { help: 'Change nothing; list the files that would change, and exit with code 1 if there are any.' },
    },
    examples: [
        ['rulelang format rules/*.rulelang', 'all programs of a folder'],
        ['rulelang format --check rules/*.rulelang', 'before a commit'],
        ['rulelang format - < draft.rulelang', 'as a filter'],
    ],
    job: args => {
        if (args.positionals.length === 0) throw new UsageError('name the programs to format, or - for standard input');
        return { kind: 'format', files: args.positionals, check: args.has('check') };
    },
};
