import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const index: Command = {
    name: 'index',
    summary: 'Write an index of definitions and uses for code hosts',
    usage: '[PATH…] --scip FILE',
    description: `Writes a SCIP index of the definitions, uses and comments of predicates,
parameters and variables. Code hosts and search engines use it to lead from a
use to its definition. Each PATH is a file, a folder with its subfolders, or a
pattern with *, **, ? and {a,b}, below the current folder, which is the default.
Nothing is run.`,
    options: { scip: { value: 'FILE', help: 'The file to write, such as index.scip.' } },
    examples: [['rulelang index --scip index.scip', 'all programs below the current folder']],
    job: args => {
        const scip = args.value('scip');
        if (scip === undefined) throw new UsageError(say`say which file to write: --scip FILE`);
        return { kind: 'index', paths: args.positionals.length === 0 ? ['.'] : args.positionals, scip, currentFolder: process.cwd() };
    },
};
