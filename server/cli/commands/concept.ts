import { say } from '#language/program/say.ts';
import { RUN_FORMATS } from '#server/protocol/jobs.ts';
import type { ConceptRequest } from '#server/remote/concepts.ts';
import { type Arguments, choiceOf, countOf, pairsOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { PARAMETER_OPTION } from '../evaluation-options.ts';
import { actionOf, SERVICE_DESCRIPTION, SERVICE_OPTIONS, scopeOf, serviceOf } from '../service-options.ts';

/** Options of each action beside the common ones. */
const ACTIONS = {
    list: ['format'],
    save: ['output'],
    run: ['param', 'reuse', 'format'],
    fetch: ['page', 'page-size', 'order-by', 'format'],
} as const;
const LARGEST_PAGE = 1000;

export const concept: Command = {
    name: 'concept',
    summary: 'List, save and run concepts of a platform service, and fetch their rows',
    usage: 'list|save|run|fetch PROJECT [arguments] [options]',
    description: `Works with the concepts of PROJECT in a platform service:

  list PROJECT           lists concepts, and whether their rows are up to date
  save PROJECT FILE…     saves the program in FILE under the name of its output
  run PROJECT CONCEPT    evaluates the concept and those that it depends on,
                         stores the rows and prints the first 10,000
  fetch PROJECT CONCEPT  prints stored rows, page by page

${SERVICE_DESCRIPTION}`,
    options: {
        ...PARAMETER_OPTION,
        reuse: { help: 'run: take stored rows where neither programs, parameters nor files have changed.' },
        page: { value: 'N', help: 'fetch: number of the page. Default: 1.' },
        'page-size': { value: 'N', help: `fetch: rows per page, at most ${LARGEST_PAGE}. Default: 30.` },
        'order-by': { value: 'COLUMN[:desc],…', help: 'fetch: sort by columns, by name or index.' },
        output: { value: 'NAME', help: 'save: the output that the concept is, where FILE has several.' },
        format: { value: RUN_FORMATS.join('|'), help: 'Output format. Default: table. list has table and json.' },
        ...SERVICE_OPTIONS,
    },
    examples: [
        ['rulelang concept save towns town.rulelang big.rulelang', 'two programs as concepts'],
        ['rulelang concept run towns big --param least=1000', 'with another value of a parameter'],
        ['rulelang concept fetch towns big --order-by P:desc --format csv', 'the first page as a file'],
        ['rulelang concept list towns --server https://rules.example.org/svc', 'elsewhere, with the token in RULELANG_TOKEN'],
    ],
    job: args => {
        const request = requestOf(args);
        const service = serviceOf(args);
        return async streams => (await import('#server/remote/main.ts')).concepts(request, service, streams());
    },
};

function requestOf(args: Arguments): ConceptRequest {
    const { action, words } = actionOf(args, ACTIONS);
    const [project, ...names] = words;
    if (project === undefined) throw new UsageError(say`name the project: rulelang concept ${action} PROJECT`);
    const about = { scope: scopeOf(args), project };
    switch (action) {
        case 'list':
            if (names.length > 0) throw new UsageError(say`takes no argument '${names[0]}'`);
            return { ...about, action, format: choiceOf(args, 'format', ['table', 'json'], 'table') };
        case 'save': {
            const output = args.value('output');
            if (names.length === 0) throw new UsageError(say`name the programs to save: rulelang concept save ${project} FILE…`);
            if (output !== undefined && names.length > 1) throw new UsageError(say`option '--output' is for one program`);
            return { ...about, action, files: names, ...(output !== undefined && { output }) };
        }
        case 'run':
            return {
                ...about,
                action,
                concept: oneConcept(names),
                parameters: pairsOf(args, 'param'),
                reuse: args.has('reuse'),
                format: choiceOf(args, 'format', RUN_FORMATS, 'table'),
            };
        case 'fetch': {
            const page = countOf(args, 'page');
            const pageSize = countOf(args, 'page-size');
            const orderBy = args.value('order-by');
            if (page === 0) throw new UsageError(say`option '--page' needs at least 1`);
            if (pageSize !== undefined && (pageSize < 1 || pageSize > LARGEST_PAGE))
                throw new UsageError(say`option '--page-size' needs a number from 1 to ${LARGEST_PAGE}`);
            return {
                ...about,
                action,
                concept: oneConcept(names),
                format: choiceOf(args, 'format', RUN_FORMATS, 'table'),
                ...(page !== undefined && { page }),
                ...(pageSize !== undefined && { pageSize }),
                ...(orderBy !== undefined && { orderBy }),
            };
        }
    }
}

function oneConcept([name, ...more]: readonly string[]): string {
    if (name === undefined) throw new UsageError(say`name the concept, too`);
    if (more.length > 0) throw new UsageError(say`one concept at a time, not also '${more[0]}'`);
    return name;
}
