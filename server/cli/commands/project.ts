import { say } from '#language/program/say.ts';
import type { ProjectRequest } from '#server/remote/projects.ts';
import { type Arguments, choiceOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { actionOf, SERVICE_DESCRIPTION, SERVICE_OPTIONS, scopeOf, serviceOf } from '../service-options.ts';

/** Options of each action beside the common ones. */
const ACTIONS = { list: ['format'], save: [], export: ['to'], import: [] } as const;
const FORMATS = ['table', 'json'] as const;

export const project: Command = {
    name: 'project',
    summary: 'List, save, export and import projects of a platform service',
    usage: 'list|save|export|import [arguments] [options]',
    description: `Works with the projects of a platform service, which hold concepts:

  list          lists projects
  save ID NAME  creates a project, or renames the project with this ID
  export ID     prints a project with its concepts, without stored rows, as JSON
  import FILE   creates a new project from an exported one and prints its ID

${SERVICE_DESCRIPTION}`,
    options: {
        to: { value: 'FILE', help: 'export: write into FILE instead of printing.' },
        format: { value: FORMATS.join('|'), help: 'list: output format. Default: table.' },
        ...SERVICE_OPTIONS,
    },
    examples: [
        ['rulelang project save towns Towns', 'a project to save concepts in'],
        ['rulelang project export towns --to towns.json', 'to keep it, or to give it away'],
        ['rulelang project import towns.json --server https://rules.example.org/svc', 'elsewhere, with the token in RULELANG_TOKEN'],
    ],
    job: args => {
        const request = requestOf(args);
        const service = serviceOf(args);
        return async streams => (await import('#server/remote/main.ts')).projects(request, service, streams());
    },
};

function requestOf(args: Arguments): ProjectRequest {
    const { action, words } = actionOf(args, ACTIONS);
    const scope = scopeOf(args);
    switch (action) {
        case 'list':
            exactly(words, []);
            return { scope, action, format: choiceOf(args, 'format', FORMATS, 'table') };
        case 'save': {
            const [id, name] = exactly(words, ['ID', 'NAME']);
            return { scope, action, project: id ?? '', name: name ?? '' };
        }
        case 'export': {
            const [id] = exactly(words, ['ID']);
            const file = args.value('to');
            return { scope, action, project: id ?? '', ...(file !== undefined && { file }) };
        }
        case 'import': {
            const [file] = exactly(words, ['FILE']);
            return { scope, action, file: file ?? '' };
        }
    }
}

/** The words, where there are as many as are wanted. */
function exactly(words: readonly string[], wanted: readonly string[]): readonly string[] {
    if (words.length < wanted.length) throw new UsageError(say`needs ${wanted.join(' and ')}`);
    if (words.length > wanted.length) throw new UsageError(say`takes no argument '${words[wanted.length]}'`);
    return words;
}
