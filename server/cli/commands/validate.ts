import { say } from '#language/program/say.ts';
import { type Arguments, choiceOf, countOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { EVALUATION_OPTIONS, evaluationOf } from '../evaluation-options.ts';

/** Rows that are looked at where the command line does not say how many. */
const LIMIT = 1000;

export const validate: Command = {
    name: 'validate',
    summary: 'Have a language model check the rows of an output against a rule in words',
    usage: "FILE 'RULE' --allow-model [options]",
    description: `Evaluates FILE and sends the rows of its output, 50 at a time, with RULE to a
language model. Prints each row that the model objects to, with its reason. An
objection that names no row is dropped. The exit code is 1 if there is an
objection. Nothing is written.

The model may be wrong. Write a constraint instead if you can, such as
#F <- p(X), X < 0: every run checks it exactly.`,
    options: {
        output: { value: 'NAME', help: 'Check the rows of this output. Needed if the program has several.' },
        limit: { value: 'N', help: `Check at most N rows. Default: ${LIMIT}.` },
        format: { value: 'text|json', help: 'Output format. Default: text. JSON is an array of {row, fact, reason}.' },
        ...EVALUATION_OPTIONS,
    },
    examples: [
        [`rulelang validate staff.rulelang 'Titles are in English.' --allow-model`, 'the rows of the only output'],
        [
            `rulelang validate staff.rulelang 'A name is of a person.' --output staff --limit 100 --allow-model`,
            'the first 100 rows of one output',
        ],
    ],
    job: args => {
        const [file, rule, ...more] = args.positionals;
        if (file === undefined || rule === undefined || rule.trim() === '') throw new UsageError(say`name the program and the rule`);
        if (more.length > 0) throw new UsageError(say`one rule at a time, in quotes, not also '${more[0]}'`);
        if (!args.has('allow-model')) throw new UsageError(say`rows are sent to a language model: add --allow-model`);
        const output = args.value('output');
        return {
            kind: 'validate',
            file,
            rule,
            ...(output !== undefined && { output }),
            limit: limitOf(args),
            format: choiceOf(args, 'format', ['text', 'json'], 'text'),
            ...evaluationOf(args),
        };
    },
};

function limitOf(args: Arguments): number {
    const limit = countOf(args, 'limit') ?? LIMIT;
    if (limit === 0) throw new UsageError(say`option '--limit' needs at least 1`);
    return limit;
}
