import { isAbsolute } from 'node:path';
import { say } from '#language/program/say.ts';
import type { SourceRequest } from '#server/remote/sources.ts';
import { type Arguments, choiceOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { actionOf, SERVICE_DESCRIPTION, SERVICE_OPTIONS, scopeOf, serviceOf } from '../service-options.ts';
import { type Database, databaseOf, SOURCE_OPTIONS } from '../source-options.ts';

/** Options of each action beside the common ones. */
const OF_SOURCES = Object.keys(SOURCE_OPTIONS);
const ACTIONS = {
    connect: [...OF_SOURCES, 'rows'],
    list: ['format'],
    infer: [...OF_SOURCES, 'model'],
    remove: ['all'],
} as const;

export const data: Command = {
    name: 'data',
    summary: 'Connect sources to a platform service, and infer programs from them',
    usage: 'connect|list|infer|remove [arguments] [options]',
    description: `Works with the files and databases of a platform service:

  connect SOURCE  connects a source, so that programs of the service can read it
                  without showing its password. An image has no rows: use infer
  list            lists connected sources
  infer SOURCE    prints a program that reads all tables of a source. For a
                  text, a PDF or an image, a language model extracts the facts.
                  Paths in the program are relative if SOURCE is
  remove ID…      removes sources; with --all, every source of the scope

SOURCE is a file; a folder or a pattern such as 'sales/year=*/*.csv', whose
files form one table; or an address: TYPE://USER@HOST:PORT/DATABASE.

${SERVICE_DESCRIPTION}`,
    options: {
        ...SOURCE_OPTIONS,
        rows: { help: 'connect: count the rows.' },
        model: { help: 'infer: write the types of columns as @model.' },
        all: { help: 'remove: all sources of the scope.' },
        format: { value: 'table|json', help: 'list: output format. Default: table.' },
        ...SERVICE_OPTIONS,
    },
    examples: [
        ['rulelang data infer towns.csv --model > towns.rulelang', 'a program to begin with'],
        ['rulelang data infer sales --type parquet --model', 'a program over all Parquet files below a folder'],
        ['rulelang data infer bill.pdf --option documentType=invoice', 'the facts of an invoice, found by a language model'],
        ['rulelang data connect postgresql://app@localhost/shop --secret PGPASSWORD', 'all tables, with the password in PGPASSWORD'],
        ['rulelang data list --format json', 'with the binds that read them'],
    ],
    job: args => {
        const request = requestOf(args);
        const service = serviceOf(args);
        return async streams => (await import('#server/remote/main.ts')).sources(request, service, streams());
    },
};

function requestOf(args: Arguments): SourceRequest {
    const { action, words } = actionOf(args, ACTIONS);
    const scope = scopeOf(args);
    switch (action) {
        case 'list':
            if (words.length > 0) throw new UsageError(say`takes no argument '${words[0]}'`);
            return { scope, action, format: choiceOf(args, 'format', ['table', 'json'], 'table') };
        case 'connect':
            return { scope, action, database: sourceIn(words, args), counts: args.has('rows') };
        case 'infer':
            return {
                scope,
                action,
                database: sourceIn(words, args),
                addModel: args.has('model'),
                // What was named from here is named from here in the program.
                ...(isNear(words[0], args) && { folder: process.cwd() }),
            };
        case 'remove':
            if (args.has('all') === words.length > 0) throw new UsageError(say`name the sources to remove by their ids, or give --all`);
            return { scope, action, ...(!args.has('all') && { ids: words }) };
    }
}

function sourceIn([source, ...more]: readonly string[], args: Arguments): Database {
    if (source === undefined) throw new UsageError(say`name the source: a file, or TYPE://USER@HOST:PORT/DATABASE`);
    if (more.length > 0) throw new UsageError(say`one source at a time, not also '${more[0]}'`);
    return databaseOf(source, args);
}

function isNear(source = '', args: Arguments): boolean {
    return !source.includes('://') && !isAbsolute(source) && args.value('server') === undefined;
}
