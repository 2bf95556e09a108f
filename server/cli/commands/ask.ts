import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { SERVICE_DESCRIPTION, SERVICE_OPTIONS, serviceOf } from '../service-options.ts';

const { scope: _, ...OPTIONS } = SERVICE_OPTIONS;

export const ask: Command = {
    name: 'ask',
    summary: 'Have the language model of a platform service write a program',
    usage: 'TEXT --project PROJECT [options]',
    description: `Asks your language model for a program that does what TEXT says, checks the
program and prints it. The model receives the names, columns and descriptions of
the concepts in PROJECT, or only of those that TEXT names as @concept, and no
rows. Standard error has the number of rows of each output, and why an output is
empty. Nothing is saved.

${SERVICE_DESCRIPTION}`,
    options: {
        project: { value: 'PROJECT', help: 'The project whose concepts the program uses.' },
        ...OPTIONS,
    },
    examples: [
        ['rulelang ask "large cities of @city" --project towns', 'a program that reads the concept city'],
        ['rulelang ask "who controls whom" --project shares > control.rulelang', 'the program alone into a file'],
    ],
    job: args => {
        const [text, ...more] = args.positionals;
        const project = args.value('project');
        if (text === undefined || text.trim() === '') throw new UsageError(say`say what the program shall do`);
        if (more.length > 0) throw new UsageError(say`put the text into quotes: it goes on with '${more[0]}'`);
        if (project === undefined) throw new UsageError(say`name the project with --project`);
        const service = serviceOf(args);
        return async streams => (await import('#server/remote/main.ts')).programs({ text, project }, service, streams());
    },
};
