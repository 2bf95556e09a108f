import { say } from '#language/program/say.ts';
import { SEARCH_FORMATS } from '#server/protocol/jobs.ts';
import { choiceOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const search: Command = {
    name: 'search',
    summary: 'Find rules and facts by their structure, and rewrite them',
    usage: "'PATTERN [==> REPLACEMENT]' [PATH…] [options]",
    description: `Finds what has the form of PATTERN, however it is laid out. Each PATH is a file, a
folder with the folders below it, or a pattern with *, **, ? and {a,b}; without one,
the current folder. A PATH of - is read from standard input. Exit code 1 when
nothing is found.

A PATTERN is items of a body, which are found in any order and among others, or a
whole clause: a rule, or a fact with a dot at its end. In it
  $X        is any term, and the same wherever it stands again; $_ is any term
  $name(…)  is any predicate
  $...      is any further terms
  X         is any variable, and the same one wherever it stands again
A comparison is found with its sides exchanged, too. REPLACEMENT takes the place of
what is found; items that are not of the pattern stay. Without --write it is shown.`,
    options: {
        format: { value: SEARCH_FORMATS.join('|'), help: 'Text is a line for each place; json has ranges and what stands for each name.' },
        write: { help: 'Rewrite the files; of standard input, print the new text.' },
    },
    examples: [
        ["rulelang search 'edge($X, $Y), edge($Y, $Z)'", 'two steps, wherever they are taken'],
        ["rulelang search '$p($X) <- not $q($X)' rules", 'rules with a negation'],
        ["rulelang search 'owns($X, $Y, $...) ==> holds($Y, $X, $...)' --write", 'another predicate, and other places'],
    ],
    job: args => {
        const [pattern, ...paths] = args.positionals;
        if (pattern === undefined) throw new UsageError(say`say what to look for, such as 'edge($X, $Y)'`);
        const write = args.has('write');
        const format = choiceOf(args, 'format', SEARCH_FORMATS, 'text');
        if (write && !pattern.includes('==>'))
            throw new UsageError(say`option '--write' goes with a replacement: 'PATTERN ==> REPLACEMENT'`);
        if (write && format !== 'text' && paths.includes('-'))
            throw new UsageError(say`the new text goes to standard output, so places cannot: leave out --format ${format}`);
        return { kind: 'search', search: pattern, paths: paths.length === 0 ? ['.'] : paths, format, write };
    },
};
