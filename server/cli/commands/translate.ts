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
    summary: 'Translate SQL, RDF, an ontology or words to rules',
    usage: 'sql|rdf|owl|nl FILE [options]',
    description: `Translates FILE, or standard input if FILE is -, and prints a program:

  sql  a query. With --program, its tables are the predicates of PROGRAM, and
       new predicates get names that PROGRAM does not use. Without it, tables
       have the columns that the query names
  rdf  a document in Turtle, N-Triples, N3 or RDF/XML, as facts
  owl  an ontology, as rules
  nl   natural language, translated by the language model of a platform service

sql, rdf and owl use no language model. Parts without a translation are listed
on standard error with their places. A query with a window or a subquery stays a
query in the program. Nothing is run or written.

For nl:
${SERVICE_DESCRIPTION}`,
    options: {
        program: { value: 'PROGRAM', help: 'sql: the program whose predicates are the tables.' },
        name: { value: 'NAME', help: 'sql: the predicate of the result. Default: the name of FILE.' },
        project: { value: 'PROJECT', help: 'nl: the project whose concepts the program uses.' },
        ...READING_OPTIONS,
        ...ASKING,
    },
    examples: [
        ['rulelang translate sql report.sql --program shop.rulelang', 'a query over the predicates of a program'],
        ['rulelang translate owl family.ttl > family.rulelang', 'an ontology as rules'],
        ['rulelang translate nl wish.txt --project towns', 'words, with your language model'],
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
