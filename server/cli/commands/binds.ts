import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const binds: Command = {
    name: 'binds',
    summary: 'Print where the data of a program come from and go',
    usage: 'FILE [options]',
    description: `Prints JSON: code is the program without its annotations, binds are its @bind and
@qbind annotations taken apart, inputs and outputs; passwords and keys are named
or masked. Nothing is run, and nothing but FILE is read. A FILE of - is standard input.`,
    options: { output: { value: 'PREDICATE', help: 'Binds of this predicate are outputs, like those of predicates with @output.' } },
    examples: [['rulelang binds control.rulelang', 'its sources and targets']],
    job: args => {
        const [file, ...more] = args.positionals;
        if (file === undefined || more.length > 0) throw new UsageError(say`name one program`);
        const output = args.value('output');
        return { kind: 'tool', tool: 'binds', file, ...(output !== undefined && { outputPredicate: output }) };
    },
};
