import { basename, dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { say } from '#language/program/say.ts';
import { isModelConfigured } from '#server/assistant/configured-model.ts';
import { ApiError, apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import { type DATABASE, DATABASE_TYPES, type DatabaseType, DOCUMENT_TYPES } from '#server/protocol/platform/database.ts';
import type { FieldFault } from '#server/protocol/platform/errors.ts';
import type { Read } from '#server/protocol/platform/schema.ts';
import { fileBind } from '#server/sources/file-bind.ts';
import type { FileColumns } from '#server/sources/file-columns.ts';
import { type FileType, isFileType } from '#server/sources/file-formats.ts';
import { type FoundTable, inferredProgram } from '#server/sources/inferred-program.ts';
import { predicateName } from '#server/sources/program-names.ts';
import type { NewSource } from '#server/store/sources.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';
import type { Asker } from '../threads.ts';
import { shown } from '../validate.ts';
import { modelRefusal } from './agent.ts';

type Data = RouteHandlers<'connectSource' | 'listSources' | 'cleanupSources' | 'inferSchema'>;
type Database = Read<typeof DATABASE>;

/** Types that a host has to be named for: servers, and files. */
const HOSTED: ReadonlySet<DatabaseType> = new Set(['postgresql', 'mysql', 'neo4j', 'snowflake', 'databricks']);
const ADDRESS = /^([a-z][a-z0-9+.-]+):\/\//iu;

/** Why a source cannot be used, in words for the caller. */
class Unreachable extends Error {}

interface Found extends FoundTable {
    readonly rows: number;
}

export function dataRoutes({ sources, probes, folders, evaluator, configuration }: PlatformContext): Data {
    /** The tables of a source that the request wants. */
    const find = async (database: Database, type: DatabaseType, asker: Asker): Promise<Found[]> => {
        if (!isFileType(type)) throw new Unreachable(say`no connector for '${type}' is part of this version`);
        if (given(database.query)) throw new Unreachable(say`a ${type} file has no queries`);
        const file = fileOf(database, type);
        const answer = await probes
            .ask({ kind: 'file-columns', question: { ...file, type, folders, currentFolder: evaluator.currentFolder } }, asker)
            .catch(error => {
                throw error instanceof ApiError && error.code === 'analysis_timeout'
                    ? new Unreachable(say`'${file.name}' cannot be read: ${error.message}`)
                    : error;
            });
        if (answer.kind === 'unreadable') throw new Unreachable(answer.message);
        if (answer.kind !== 'file-columns') throw new TypeError(`a file was answered with ${answer.kind}`);
        return chosenTables(tableOf(database, type, file, answer.value), database, basename(file.name));
    };

    return {
        connectSource: async ({ body: { scope, database, computeRowCount } }, exchange) => {
            const type = checkedType(database);
            try {
                const found = await find(database, type, exchange);
                const records = found.map(table => newSource(table, type, database, computeRowCount));
                const { username, password, options = {} } = database;
                const kept = await sources.keep(scope, records, { username, password, options });
                return { data: { connectionStatus: true, sources: kept.map(mutable), errorMessage: null } };
            } catch (error) {
                if (!(error instanceof Unreachable)) throw error;
                return { data: { connectionStatus: false, sources: [], errorMessage: error.message }, message: 'Connection failed' };
            }
        },
        listSources: async ({ query }) => ({ data: (await sources.list(query.scope)).map(mutable) }),
        cleanupSources: async ({ body: { scope, source_ids: ids } }) => {
            const deleted = await sources.forget(scope, ids);
            const gone = new Set(deleted);
            return { data: { deleted, not_found: [...new Set(ids)].filter(id => !gone.has(id)).sort() } };
        },
        inferSchema: async ({ body: { database, addBind, addModel } }, exchange) => {
            const type = checkedType(database);
            if (type === 'text' || type === 'binaryfile') throw modelRefusal(isModelConfigured(configuration));
            try {
                return { data: inferredProgram(await find(database, type, exchange), { addBind, addModel }) };
            } catch (error) {
                if (!(error instanceof Unreachable)) throw error;
                throw apiError('source_unavailable', [error.message, `${type} source '${shown(database.databaseName)}'`]);
            }
        },
    };
}

/** The type of a database, once the fields fit it. */
function checkedType(database: Database): DatabaseType {
    const type = DATABASE_TYPES.find(known => known === database.databaseType);
    if (type === undefined)
        throw apiError('unsupported_database_type', [shown(database.databaseType)], { details: { supported: DATABASE_TYPES } });
    const faults: FieldFault[] = [];
    const missing = (name: string): number =>
        faults.push({ path: `database.${name}`, issue: 'missing', expected: 'non-empty string', actual: 'string' });
    if (!given(database.url)) {
        if ((HOSTED.has(type) || dataSourceNamed(type)?.isFile) && !given(database.host)) missing('host');
        if (type !== 'dynamodb' && !given(database.databaseName)) missing('databaseName');
    }
    const { sampleLimit, documentType } = database.options ?? {};
    if (sampleLimit !== undefined && !/^\d+$/u.test(sampleLimit))
        faults.push({ path: 'database.options.sampleLimit', issue: 'bad_format', expected: 'string of digits', actual: 'string' });
    const [first, ...more] = faults;
    if (first !== undefined) throw invalidFields([first, ...more]);
    if (type === 'binaryfile' && documentType !== undefined && !DOCUMENT_TYPES.has(documentType))
        throw apiError('invalid_document_type', [shown(documentType)], { details: { supported: [...DOCUMENT_TYPES] } });
    return type;
}

function given(text: string | undefined): text is string {
    return text !== undefined && text.trim() !== '';
}

interface WantedFile {
    readonly folder: string;
    readonly name: string;
    /** Of the bind. */
    readonly options: ReadonlyMap<string, string>;
}

function fileOf({ url, host, databaseName, options = {} }: Database, type: FileType): WantedFile {
    const path = given(url) ? localPath(url) : undefined;
    const folder = path === undefined ? localPath(host) : dirname(path);
    const usual: [string, string][] = type === 'csv' ? [['useHeaders', 'true']] : [];
    return { folder, name: path === undefined ? databaseName : basename(path), options: new Map([...usual, ...Object.entries(options)]) };
}

/** A path, or the path of a `file:` address; other addresses lead to object stores and servers. */
function localPath(location: string): string {
    const scheme = ADDRESS.exec(location)?.[1]?.toLowerCase();
    if (scheme === undefined) return location;
    if (scheme !== 'file') throw new Unreachable(say`no connector for files at '${scheme}:' is part of this version`);
    try {
        return fileURLToPath(location);
    } catch {
        throw new Unreachable(say`the address names no file of this machine`);
    }
}

function tableOf(database: Database, type: FileType, file: WantedFile, found: FileColumns): Found {
    const { selectedColumns = [], ignoreColumns = [] } = database;
    const all = found.columns.map(({ name }) => name);
    const unknown = selectedColumns.find(name => !all.includes(name));
    if (unknown !== undefined) throw new Unreachable(say`'${file.name}' has no column '${shown(unknown)}'`);
    const wanted = (selectedColumns.length > 0 ? selectedColumns : all).filter(name => !ignoreColumns.includes(name));
    const options = new Map(file.options);
    if (wanted.length < all.length || selectedColumns.length > 0)
        options.set('selectedColumns', `[${wanted.map(name => chosenColumn(name, all, options)).join('; ')}]`);
    return {
        name: basename(file.name, extname(file.name)),
        columns: wanted.flatMap(name => found.columns.filter(column => column.name === name).slice(0, 1)),
        rows: found.rows,
        bind: predicate => fileBind(predicate, { type, options, folder: found.folder, name: file.name }),
    };
}

/** A column as the option of a bind names it: without a header, and where its name cannot be quoted, by number. */
function chosenColumn(name: string, all: readonly string[], options: ReadonlyMap<string, string>): string {
    const hasNames = options.get('useHeaders')?.trim().toLowerCase() !== 'false';
    return hasNames && !/['";]/u.test(name) ? `'${name}'` : String(all.indexOf(name));
}

/** A file is one table; `tables` may name it with its extension or without. */
function chosenTables(table: Found, { tables = [], ignoreTables = [] }: Database, file: string): Found[] {
    const isNamed = (name: string): boolean => name === table.name || name === file;
    const unknown = tables.find(name => !isNamed(name));
    if (unknown !== undefined) throw new Unreachable(say`table '${shown(unknown)}' does not exist`);
    return ignoreTables.some(isNamed) ? [] : [table];
}

function newSource(table: Found, type: DatabaseType, database: Database, counts: boolean): NewSource {
    const { host, port = 0, databaseName, schema } = database;
    return {
        name: table.name,
        type: 'file',
        row_count: counts ? table.rows : null,
        database_type: type,
        host,
        port: port === 0 ? null : port,
        database_name: databaseName,
        schema: given(schema) ? schema : null,
        columns: table.columns,
        bind_annotation: table.bind(predicateName(table.name)),
    };
}

/** Records are plain values; only their types are read-only. */
function mutable<T extends { readonly columns: readonly object[] }>(record: T): T & { columns: T['columns'][number][] } {
    return record as T & { columns: T['columns'][number][] };
}
