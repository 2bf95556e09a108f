import { basename, dirname, extname, isAbsolute, resolve } from 'node:path';
import { contractName, sourceOfFile } from '#language/library/connected-sources.ts';
import { say } from '#language/program/say.ts';
import type { SourceRequest } from '#server/remote/sources.ts';
import { type Arguments, choiceOf, pairsOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { actionOf, SERVICE_DESCRIPTION, SERVICE_OPTIONS, scopeOf, serviceOf } from '../service-options.ts';

type Database = Extract<SourceRequest, { action: 'connect' }>['database'];

/** Options of each action beside the common ones. */
const OF_SOURCES = ['type', 'secret', 'schema', 'table', 'ignore-table', 'column', 'ignore-column', 'query', 'option'] as const;
const ACTIONS = {
    connect: [...OF_SOURCES, 'rows'],
    list: ['format'],
    infer: [...OF_SOURCES, 'model'],
    remove: ['all'],
} as const;

/** Files that no bind reads, but a model, or the services with a better word than this command has. */
const FURTHER_FILES: Readonly<Record<string, string>> = {
    xls: 'excel',
    ...Object.fromEntries(['png', 'jpg', 'jpeg', 'gif', 'webp'].map(ending => [ending, 'binaryfile'])),
};

export const data: Command = {
    name: 'data',
    summary: 'Connect sources with a platform service, and programs that read them',
    usage: 'connect|list|infer|remove [arguments] [options]',
    description: `Speaks with a platform service about files and databases:

  connect SOURCE  looks at it and keeps what it holds, so that programs of the
                  service can read it, with a password that none of them shows;
                  an image has no rows, and its facts come with infer alone
  list            what is connected
  infer SOURCE    prints a program that reads all of its tables; of a text, a
                  PDF or an image, the facts that a language model finds there.
                  A file that is named from here is so in the program, too
  remove ID…      forgets sources; with --all those of the scope

SOURCE is a file; a folder or a pattern, such as 'sales/year=*/*.csv', whose
files are one table; or an address: TYPE://USER@HOST:PORT/DATABASE.

${SERVICE_DESCRIPTION}`,
    options: {
        type: { value: 'TYPE', help: 'What the file is. Usually told by its name.' },
        secret: { value: 'NAME', help: 'The password is in the environment variable NAME.' },
        schema: { value: 'SCHEMA', help: 'Tables of this schema.' },
        table: { value: 'TABLE', repeats: true, help: 'Only this table or sheet; may be given several times.' },
        'ignore-table': { value: 'TABLE', repeats: true, help: 'Not this table.' },
        column: { value: 'COLUMN', repeats: true, help: 'Only this column, of any table or as TABLE.COLUMN.' },
        'ignore-column': { value: 'COLUMN', repeats: true, help: 'Not this column.' },
        query: { value: 'SQL', help: 'What this query gives, instead of tables; --table names it.' },
        option: { value: 'KEY=VALUE', repeats: true, help: 'An option as binds have it, such as delimiter=;' },
        rows: { help: 'connect: count rows, too.' },
        model: { help: 'infer: with the types of columns as @model.' },
        all: { help: 'remove: all sources of the scope.' },
        format: { value: 'table|json', help: 'list: how sources are printed. Usually table.' },
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
            return { scope, action, database: databaseOf(words, args), counts: args.has('rows') };
        case 'infer':
            return {
                scope,
                action,
                database: databaseOf(words, args),
                addModel: args.has('model'),
                // What was named from here is named from here in the program.
                ...(isNear(words[0], args) && { folder: process.cwd() }),
            };
        case 'remove':
            if (args.has('all') === words.length > 0) throw new UsageError(say`name the sources to remove by their ids, or give --all`);
            return { scope, action, ...(!args.has('all') && { ids: words }) };
    }
}

function databaseOf([source, ...more]: readonly string[], args: Arguments): Database {
    if (source === undefined) throw new UsageError(say`name the source: a file, or TYPE://USER@HOST:PORT/DATABASE`);
    if (more.length > 0) throw new UsageError(say`one source at a time, not also '${more[0]}'`);
    const schema = args.value('schema');
    const query = args.value('query');
    const listed = (name: string) => (args.values(name).length === 0 ? undefined : [...args.values(name)]);
    const lists = {
        tables: listed('table'),
        ignoreTables: listed('ignore-table'),
        selectedColumns: listed('column'),
        ignoreColumns: listed('ignore-column'),
    };
    const { options, ...place } = source.includes('://') ? addressed(source, args) : filed(source, args);
    const given = { ...options, ...Object.fromEntries(pairsOf(args, 'option')) };
    return {
        ...place,
        password: passwordOf(args),
        ...(schema !== undefined && { schema }),
        ...(query !== undefined && { query }),
        ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)),
        ...(Object.keys(given).length > 0 && { options: given }),
    };
}

type Place = Omit<Database, 'password'>;

function isNear(source = '', args: Arguments): boolean {
    return !source.includes('://') && !isAbsolute(source) && args.value('server') === undefined;
}

/** The services start relative paths elsewhere; those on another machine have their own files. */
function filed(path: string, args: Arguments): Place {
    const name = path.replace(/\*$/u, '');
    const found = sourceOfFile(name);
    const databaseType = args.value('type') ?? (found && contractName(found.type)) ?? FURTHER_FILES[extname(name).slice(1).toLowerCase()];
    if (databaseType === undefined) throw new UsageError(say`'${path}' does not tell by its name what it is; give --type`);
    const folder = args.value('server') === undefined ? dirname(resolve(path)) : dirname(path);
    const options = found?.options ?? {};
    return { databaseType, host: folder, databaseName: basename(path), username: '', ...(Object.keys(options).length > 0 && { options }) };
}

function addressed(address: string, args: Arguments): Place {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || url.hostname === '' || url.search !== '' || url.hash !== '')
        throw new UsageError(say`'${address}' is no address of a database: TYPE://USER@HOST:PORT/DATABASE`);
    if (url.password !== '') throw new UsageError(say`everybody on this machine sees a password in a command; give it with --secret NAME`);
    if (args.has('type')) throw new UsageError(say`'${address}' says its type itself`);
    return {
        databaseType: url.protocol.slice(0, -1),
        host: url.hostname,
        ...(url.port !== '' && { port: Number(url.port) }),
        databaseName: decodeURIComponent(url.pathname.slice(1)),
        username: decodeURIComponent(url.username),
    };
}

function passwordOf(args: Arguments): string {
    const name = args.value('secret');
    if (name === undefined) return '';
    const value = process.env[name];
    if (value === undefined) throw new UsageError(say`the environment has no variable '${name}'`);
    return value;
}
