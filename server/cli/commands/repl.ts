import { RUN_FORMATS } from '#server/protocol/jobs.ts';
import { choiceOf, countOf } from '../arguments.ts';
import type { Command } from '../command.ts';
import { EVALUATION_OPTIONS, evaluationOf } from '../evaluation-options.ts';

export const repl: Command = {
    name: 'repl',
    summary: 'Type facts, rules and questions, and see the answers',
    usage: '[FILE…] [options]',
    description: `Reads clauses and questions from the terminal, or from a pipe. A clause that ends
with a dot is added to the program, unless it has an error; what is not finished
goes on in the next line. Questions are the bodies of rules:
  link("a", "b"). link("b", "c").
  reach(X, Y) <- link(X, Y).
  reach("a", X), not link(X, _)?
  ?- reach(X, "b").
  :why reach("a", "b")
  :help

Each FILE is included first. A clause that uses what is not defined yet waits for
it. Ctrl-C stops an answer, Ctrl-D ends. What is typed is kept for the next time,
for you alone, up to 1,000 lines, without lines that hold a password or begin
with a blank.

From a pipe there is no prompt and errors do not end it; the exit code is 1 where
there was one. Nothing is written but by :save.`,
    options: {
        format: { value: RUN_FORMATS.join('|'), help: 'Output format, until :format changes it. Default: table.' },
        limit: { value: 'N|all', help: 'Print N rows of each answer.' },
        bail: { help: 'End at the first error where input does not come from a terminal.' },
        'no-history': { help: 'Neither read nor keep what is typed.' },
        ...EVALUATION_OPTIONS,
    },
    examples: [
        ['rulelang repl', 'begin with nothing'],
        ['rulelang repl control.rulelang --allow-net localhost', 'ask about a program and a database'],
        ['rulelang repl control.rulelang --bail < questions.txt', 'ask what stands in a file'],
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
