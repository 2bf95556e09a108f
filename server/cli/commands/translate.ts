import { basename, extname } from 'node:path';
import { say } from '#language/program/say.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { accessOf, READING_OPTIONS } from '../evaluation-options.ts';
import { actionOf, SERVICE_DESCRIPTION, SERVICE_OPTIONS, serviceOf } from '../service-options.ts';

const { scope: _, ...ASKING } = SERVICE_OPTIONS;
const READING = Object.keys(READING_OPTIONS);
const KINDS = {
    sql: ['name', 'program', ...READING],
    rdf: [],
    owl: [],
    nl: ['project', ...Object.keys(ASKING)],
} as const;

export const translate: Command = {
    name: 'translate',
    summary: 'Print SQL, RDF, an ontology or words as rules',
    usage: 'sql|rdf|owl|nl FILE [options]',
    description: `Prints what FILE says as a program:

  sql  a query. Where PROGRAM is given, its predicates are the tables, and what
       the rules define gets a name that it does not have; else the columns of a
       table are those that the query names
  rdf  the triples of a document, in Turtle, N-Triples, N3 or RDF/XML, as facts
  owl  an ontology, as rules
  nl   words, which the language model of a platform service makes rules of

The first three ask nobody. What no rules are written for is listed on standard
error, at its place in FILE: a query with a window or a subquery stays a query in
the program. Nothing is run or written. A FILE of - is standard input.

For nl: ${SERVICE_DESCRIPTION.replace(/^T/u, 't')}`,
    options: {
        program: { value: 'PROGRAM', help: 'sql: the program that has the tables.' },
        name: { value: 'NAME', help: 'sql: what the rows of the query are called. Default: as FILE.' },
        project: { value: 'PROJECT', help: 'nl: the project whose concepts the words are about.' },
        ...READING_OPTIONS,
        ...ASKING,
    },
    examples: [
        ['rulelang translate sql report.sql --program shop.rulelang', 'a query over the predicates of a program'],
        ['rulelang translate owl family.ttl > family.rulelang', 'an ontology as rules'],
        ['rulelang translate nl wish.txt --project towns', 'words, by the language model that is configured'],
    ],
    job: args => {
        const { action: kind, words } = actionOf<keyof typeof KINDS>(args, KINDS);
        const [file, ...more] = words;
        if (file === undefined || more.length > 0) throw new UsageError(say`name one file to translate`);
        if (kind === 'nl') return translateWords(file, args);
        const program = args.value('program');
        const name = args.value('name') ?? (file === '-' ? 'query' : basename(file, extname(file)));
        const request = { kind, file, name, ...(program !== undefined && { program }), ...accessOf(args) };
        return async streams => (await import('#server/translate/main.ts')).translateFile(request, streams());
    },
};

function translateWords(file: string, args: Arguments): ReturnType<Command['job']> {
    const project = args.value('project');
    if (project === undefined) throw new UsageError(say`name the project with --project`);
    const service = serviceOf(args);
    return async streams => (await import('#server/remote/main.ts')).programs({ file, project }, service, streams());
}
