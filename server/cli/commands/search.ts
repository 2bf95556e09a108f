import { say } from '#language/program/say.ts';
import { SEARCH_FORMATS } from '#server/protocol/jobs.ts';
import { choiceOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const search: Command = {
    name: 'search',
    summary: 'Find rules and facts by their structure, and rewrite them',
    usage: "'PATTERN [==> REPLACEMENT]' [PATH…] [options]",
    description: `Finds clauses by PATTERN, whatever their layout. Each PATH is a file, a folder
with its subfolders, or a pattern with *, **, ? and {a,b}. The default is the
current folder; - is standard input. The exit code is 1 if nothing is found.

PATTERN is a list of body items, which match in any order and among other items,
or a whole clause: a rule, or a fact with its dot. In it
  $X        is any term, the same one everywhere; $_ is any term
  $name(…)  is any predicate
  $...      is any further terms
  X         is any variable, the same one everywhere
A comparison also matches with its sides exchanged. REPLACEMENT replaces the
matched items; other items of the body stay. Without --write the edits are only
shown.`,
    options: {
        format: { value: SEARCH_FORMATS.join('|'), help: 'Text is a line for each match; json has ranges and the value of each name.' },
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
