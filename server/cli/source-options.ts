import { basename, dirname, extname, resolve } from 'node:path';
import { contractName, sourceOfFile } from '#language/library/connected-sources.ts';
import { say } from '#language/program/say.ts';
import type { SourceRequest } from '#server/remote/sources.ts';
import { type Arguments, type Options, pairsOf, UsageError } from './arguments.ts';

export type Database = Extract<SourceRequest, { action: 'connect' }>['database'];

/** Options that describe a file or database and choose among its tables. */
export const SOURCE_OPTIONS: Options = {
    type: { value: 'TYPE', help: 'The type of the file. Default: as the ending of its name says.' },
    secret: { value: 'NAME', help: 'Take the password from the environment variable NAME.' },
    schema: { value: 'SCHEMA', help: 'Use the tables of this schema.' },
    table: { value: 'TABLE', repeats: true, help: 'Use only this table or sheet. May be repeated.' },
    'ignore-table': { value: 'TABLE', repeats: true, help: 'Leave this table out.' },
    column: { value: 'COLUMN', repeats: true, help: 'Use only this column, of any table or as TABLE.COLUMN.' },
    'ignore-column': { value: 'COLUMN', repeats: true, help: 'Leave this column out.' },
    query: { value: 'SQL', help: 'Use the rows of this query instead of tables; --table gives them a name.' },
    option: { value: 'KEY=VALUE', repeats: true, help: 'An option of a bind, such as delimiter=;' },
};

/** Files that no bind reads, but a model, or the services with a better word than this command has. */
const FURTHER_FILES: Readonly<Record<string, string>> = {
    xls: 'excel',
    ...Object.fromEntries(['png', 'jpg', 'jpeg', 'gif', 'webp'].map(ending => [ending, 'binaryfile'])),
};

/** The file or database at `source`, with the options. */
export function databaseOf(source: string, args: Arguments): Database {
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
