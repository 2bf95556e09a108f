import { say } from '#language/program/say.ts';
import { choiceOf, countOf, pairsOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { COMPUTING_OPTIONS, evaluationOf, READING_OPTIONS } from '../evaluation-options.ts';

/** Rows of each output that are printed where the command line does not say how many. */
const LIMIT = 20;

export const whatIf: Command = {
    name: 'what-if',
    summary: 'Show how other facts, rules or parameters would change the rows',
    usage: 'FILE [--without CLAUSE]… [--with CLAUSE]… [--set NAME=VALUE]… [options]',
    description: `Evaluates FILE, applies the changes in memory, and shows the rows of its outputs
that are added, removed or changed. FILE and its data stay as they are.

CLAUSE is a fact or a rule, written as in a program. --without removes a fact
even if a source or a rule gives it; _ or a variable in it stands for any value.
A rule to remove must be a rule of FILE.`,
    options: {
        without: { value: 'CLAUSE', repeats: true, help: 'Remove a fact or a rule.' },
        with: { value: 'CLAUSE', repeats: true, help: 'Add a fact or a rule.' },
        set: { value: 'NAME=VALUE', repeats: true, help: 'Give a parameter another value.' },
        output: { value: 'NAME', repeats: true, help: 'Compare only this output.' },
        explain: { help: 'Explain each printed row, by the changed program.' },
        limit: { value: 'N', help: `Print at most N rows of each output. Default: ${LIMIT} as text, all as JSON.` },
        format: { value: 'text|json', help: 'Output format. Default: text.' },
        // No scripts and no models: a change could make them do something else.
        ...COMPUTING_OPTIONS,
        ...READING_OPTIONS,
    },
    examples: [
        [`rulelang what-if reach.rulelang --without 'edge("k", "m")'`, 'what no longer holds without a fact'],
        [`rulelang what-if reach.rulelang --without 'edge("k", _)' --with 'edge("k", "z")'`, 'replace facts by others'],
        [`rulelang what-if reach.rulelang --without 'edge("k", "m")' --explain`, 'with the reason for each row'],
        ['rulelang what-if control.rulelang --set majority=66', 'what another majority changes'],
    ],
    job: args => {
        const [file, ...more] = args.positionals;
        if (file === undefined) throw new UsageError(say`name the program`);
        if (more.length > 0) throw new UsageError(say`one program at a time, not also '${more[0]}'`);
        const [added, removed, set] = [args.values('with'), args.values('without'), pairsOf(args, 'set')];
        if (added.length + removed.length + set.length === 0) throw new UsageError(say`say what is changed: --without, --with or --set`);
        const format = choiceOf(args, 'format', ['text', 'json'], 'text');
        const limit = countOf(args, 'limit') ?? (format === 'text' ? LIMIT : Number.POSITIVE_INFINITY);
        if (limit === 0) throw new UsageError(say`option '--limit' needs at least 1`);
        return {
            kind: 'what-if',
            file,
            added,
            removed,
            set,
            outputs: args.values('output'),
            limit,
            format,
            explain: args.has('explain'),
            ...evaluationOf(args),
        };
    },
};
