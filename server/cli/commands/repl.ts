import { RUN_FORMATS } from '#server/protocol/jobs.ts';
import { choiceOf, countOf } from '../arguments.ts';
import type { Command } from '../command.ts';
import { EVALUATION_OPTIONS, evaluationOf } from '../evaluation-options.ts';

export const repl: Command = {
    name: 'repl',
    summary: 'Type facts, rules and questions, and see the answers',
    usage: '[FILE…] [options]',
    description: `Reads clauses and questions from the terminal or from a pipe. A clause ends with
a dot and is added to the program, unless it has an error. You can continue an
unfinished clause on the next line. A question is the body of a rule:
  link("a", "b"). link("b", "c").
  reach(X, Y) <- link(X, Y).
  reach("a", X), not link(X, _)?
  ?- reach(X, "b").
  :why reach("a", "b")
  :help

Each FILE is included first. A clause waits until the predicates that it uses
are defined. Ctrl-C stops an answer, Ctrl-D ends the session. The last 1,000
lines are kept in a history that only you can read. Lines that hold a password
or begin with a blank are not kept.

Input from a pipe has no prompt. An error does not end it, but makes the exit
code 1. Only :save writes a file.`,
    options: {
        format: { value: RUN_FORMATS.join('|'), help: 'Output format, until :format changes it. Default: table.' },
        limit: { value: 'N|all', help: 'Print at most N rows of each answer.' },
        bail: { help: 'End at the first error if input comes from a pipe or a file.' },
        'no-history': { help: 'Neither read nor keep what is typed.' },
        ...EVALUATION_OPTIONS,
    },
    examples: [
        ['rulelang repl', 'start with an empty program'],
        ['rulelang repl control.rulelang --allow-net localhost', 'ask about a program and a database'],
        ['rulelang repl control.rulelang --bail < questions.txt', 'answer the questions of a file'],
    ],
    job: args => {
        const limit = args.value('limit') === 'all' ? ('all' as const) : countOf(args, 'limit');
        const request = {
            files: args.positionals,
            format: choiceOf(args, 'format', RUN_FORMATS, 'table'),
            bail: args.has('bail'),
            keepsHistory: !args.has('no-history'),
            run: {
                ...(limit === undefined ? {} : { limit }),
                strict: false,
                unordered: false,
                ...evaluationOf(args),
            },
        };
        return async streams => await (await import('#server/repl/main.ts')).repl(request, streams);
    },
};
