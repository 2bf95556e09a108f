import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const analyze: Command = {
    name: 'analyze',
    summary: 'Print which predicates a program defines, and which it needs',
    usage: 'FILE',
    description: `Prints JSON: headPredicates are those with rules or facts, inputPredicates those of
@input, those bound to a source, and those that rules use and nothing defines.
Nothing is run, and nothing but FILE is read. A FILE of - is standard input.`,
    options: {},
    examples: [['rulelang analyze control.rulelang', 'what it offers and what it needs']],
    job: args => {
        const [file, ...more] = args.positionals;
        if (file === undefined || more.length > 0) throw new UsageError(say`name one program`);
        return { kind: 'tool', tool: 'analyze', file };
    },
};
