import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';

export const index: Command = {
    name: 'index',
    summary: 'Write an index of definitions and uses for code hosts',
    usage: '[PATH…] --scip FILE',
    description: `Writes where predicates, parameters and variables of programs are defined and used,
and what comments say of them, as SCIP has it: code hosts and search engines lead
from a use to its definition with it. Each PATH is a file, a folder with the
folders below it, or a pattern with *, **, ? and {a,b}; without one, the current
folder, below which all of them have to be. Nothing is run.`,
    options: { scip: { value: 'FILE', help: 'The file that is written, such as index.scip.' } },
    examples: [['rulelang index --scip index.scip', 'all programs below the current folder']],
    job: args => {
        const scip = args.value('scip');
        if (scip === undefined) throw new UsageError(say`say which file to write: --scip FILE`);
        return { kind: 'index', paths: args.positionals.length === 0 ? ['.'] : args.positionals, scip, currentFolder: process.cwd() };
    },
};
