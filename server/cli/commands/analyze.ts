import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const analyze: Command = {
    name: 'analyze',
    summary: 'Print which predicates a program defines, and which it needs',
    usage: 'FILE',
    description: `Prints JSON. headPredicates have rules or facts. inputPredicates have @input or
a source, or rules use them and nothing defines them. Only FILE is read, or
standard input if FILE is -. Nothing is run.`,
    options: {},
    examples: [['rulelang analyze control.rulelang', 'what it offers and what it needs']],
    job: args => {
        const [file, ...more] = args.positionals;
        if (file === undefined || more.length > 0) throw new UsageError(say`name one program`);
        return { kind: 'tool', tool: 'analyze', file };
    },
};
