import { say } from '#language/program/say.ts';
import { choiceOf, countOf, pairsOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { COMPUTING_OPTIONS, evaluationOf, READING_OPTIONS } from '../evaluation-options.ts';

/** Rows of each output that are printed where the command line does not say how many. */
const LIMIT = 100;
/** Seconds for what makes the differences. */
const SECONDS = 30;

export const diff: Command = {
    name: 'diff',
    summary: 'Show which rows differ between two programs, and why',
    usage: 'OLD NEW [--set NAME=VALUE]… [options]',
    description: `Evaluates both programs, each with its own sources, and shows which rows of
their outputs were added, removed or changed. Each row has a cause: the smallest
edit of facts, rules, parameters or source rows that was found to turn the row
of OLD into that of NEW. Nothing is written.

To compare one program over two sets of data, copy it beside the other data, or
name the data by a parameter and set it with --set.`,
    options: {
        set: { value: 'NAME=VALUE', repeats: true, help: 'Set a parameter of NEW to another value.' },
        output: { value: 'NAME', repeats: true, help: 'Compare only this output.' },
        limit: { value: 'N', help: `Print at most N rows of each output. Default: ${LIMIT}.` },
        causes: {
            value: 'SECONDS',
            help: `Search at most SECONDS for the causes of the differences; 0 prints rows only. Default: ${SECONDS}.`,
        },
        format: { value: 'text|json', help: 'Output format. Default: text.' },
        // No scripts and no models: programs between the two are evaluated, whose effects are unknown.
        ...COMPUTING_OPTIONS,
        ...READING_OPTIONS,
    },
    examples: [
        ['rulelang diff old/reach.rulelang reach.rulelang', 'what an edit of rules, facts or data does'],
        ['rulelang diff control.rulelang control.rulelang --set majority=66', 'the same program with another majority'],
        ['rulelang diff old.rulelang new.rulelang --format json', 'for other programs'],
    ],
    job: args => {
        const [file, later, ...more] = args.positionals;
        if (file === undefined || later === undefined) throw new UsageError(say`name two programs, the earlier one first`);
        if (more.length > 0) throw new UsageError(say`two programs at a time, not also '${more[0]}'`);
        const limit = countOf(args, 'limit') ?? LIMIT;
        if (limit === 0) throw new UsageError(say`option '--limit' needs at least 1`);
        return {
            kind: 'diff',
            file,
            later,
            set: pairsOf(args, 'set'),
            outputs: args.values('output'),
            limit,
            format: choiceOf(args, 'format', ['text', 'json'], 'text'),
            causes: (countOf(args, 'causes') ?? SECONDS) * 1000,
            ...evaluationOf(args),
        };
    },
};
