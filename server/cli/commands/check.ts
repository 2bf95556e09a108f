import { choiceOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { ACCESS_OPTIONS, accessOf } from '../evaluation-options.ts';

export const check: Command = {
    name: 'check',
    summary: 'Say what is wrong with programs, without running them',
    usage: 'FILE… [options]',
    description: `Checks each FILE and says what is wrong with it. The first line of data files
is read for the number and names of their columns. Exit code 1 when one of the
files has an error, else 0. A FILE of - is read from standard input.

  pretty  for people, on standard error: everything but hints
  json    {"diagnostics": [{file, range, severity, code, message}]} on standard
          output, hints included; lines and columns count from 0, in UTF-16 units`,
    options: {
        format: { value: 'pretty|json', help: 'How problems are printed. Usually pretty.' },
        hints: { help: 'Show hints too.' },
        'allow-read': ACCESS_OPTIONS['allow-read'] ?? { help: '' },
    },
    examples: [
        ['rulelang check rules/*.rulelang', 'all programs of a folder'],
        ['rulelang check control.rulelang --format json', 'for editors and other programs'],
    ],
    job: args => {
        if (args.positionals.length === 0) throw new UsageError('name the programs to check');
        return {
            kind: 'check',
            files: args.positionals,
            format: choiceOf(args, 'format', ['pretty', 'json'], 'pretty'),
            hints: args.has('hints'),
            ...accessOf(args),
        };
    },
};
