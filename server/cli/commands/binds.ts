import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const binds: Command = {
    name: 'binds',
    summary: 'Print the sources and targets of a program',
    usage: 'FILE [options]',
    description: `Prints JSON: code is the program without its annotations; binds has the parts of
each @bind and @qbind; the rest are inputs and outputs. Passwords and keys are
named or masked. Only FILE is read, or standard input if FILE is -. Nothing is
run.`,
    options: { output: { value: 'PREDICATE', help: 'Binds of this predicate are outputs, like those of predicates with @output.' } },
    examples: [['rulelang binds control.rulelang', 'its sources and targets']],
    job: args => {
        const [file, ...more] = args.positionals;
        if (file === undefined || more.length > 0) throw new UsageError(say`name one program`);
        const output = args.value('output');
        return { kind: 'tool', tool: 'binds', file, ...(output !== undefined && { outputPredicate: output }) };
    },
};
