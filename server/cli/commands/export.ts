import { say } from '#language/program/say.ts';
import { EXPORT_FORMATS } from '#server/protocol/jobs.ts';
import { choiceOf, countOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { EVALUATION_OPTIONS, evaluationOf, WRITING_OPTION } from '../evaluation-options.ts';

/** Rows of a predicate on a page. */
const ROWS = 100;

export const exportCommand: Command = {
    name: 'export',
    summary: 'Print a notebook as a page with its rows, or as a program',
    usage: 'NOTEBOOK [options]',
    description: `Prints NOTEBOOK, a file whose name ends in .rulelangnb, on standard output.

Formats:
  html     a page with the text, the cells and their rows, which are computed
           without writing any file. The page works alone, without scripts
  program  a program: the text as comments, queries as rules`,
    options: {
        format: { value: EXPORT_FORMATS.join('|'), help: 'Output format. Default: html.' },
        limit: { value: 'N', help: 'Show at most N rows of each predicate. Default: 100.' },
        ...EVALUATION_OPTIONS,
        ...WRITING_OPTION,
    },
    examples: [
        ['rulelang export groups.rulelangnb > groups.html', 'to read in a browser'],
        ['rulelang export groups.rulelangnb --format program > groups.rulelang', 'to continue with a program'],
    ],
    job: args => {
        const [file, ...more] = args.positionals;
        if (file === undefined || more.length > 0) throw new UsageError(say`name one notebook`);
        return {
            kind: 'export',
            file,
            format: choiceOf(args, 'format', EXPORT_FORMATS, 'html'),
            limit: countOf(args, 'limit') ?? ROWS,
            ...evaluationOf(args),
            noWrite: true,
        };
    },
};
