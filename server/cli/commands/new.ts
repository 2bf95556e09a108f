import { say } from '#language/program/say.ts';
import { writeNewFiles } from '#server/files/new-files.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { NEW_PROGRAM, NEW_PROJECT } from '../new-project.ts';

export const newProject: Command = {
    name: 'new',
    summary: 'Create a small working project to start from',
    usage: '[DIR]',
    description: `Writes a program, a CSV file with its data, test cases and rulelang.json into
DIR, by default into the current folder. If one of these files exists, nothing
is written and the exit code is 2.`,
    options: {},
    examples: [
        ['rulelang new orders && cd orders', 'a folder with a project'],
        ['rulelang run', 'in it: the program that rulelang.json names'],
        ['rulelang test', 'its test cases'],
    ],
    job: ({ positionals: [folder = '.', more] }) => {
        if (more !== undefined) throw new UsageError(say`needs one folder, not also '${more}'`);
        return async () => {
            const taken = writeNewFiles(folder, NEW_PROJECT);
            if (taken !== undefined) throw new UsageError(say`'${taken}' is in ${folder} already, and nothing is written over it`);
            const enter = folder === '.' ? '' : `  cd ${folder}\n`;
            return say`Wrote ${[...NEW_PROJECT.keys()].join(', ')}

Next:
${enter}  rulelang run     what ${NEW_PROGRAM} finds in data/orders.csv
  rulelang test    its test cases
  rulelang repl ${NEW_PROGRAM}
`;
        };
    },
};
