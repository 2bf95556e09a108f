import { dataSourceNamed } from '#language/library/data-sources.ts';
import { say } from '#language/program/say.ts';
import { ApiError, apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import { type DATABASE, DATABASE_TYPES, type DatabaseType, DOCUMENT_TYPES } from '#server/protocol/platform/database.ts';
import type { FieldFault } from '#server/protocol/platform/errors.ts';
import type { Read } from '#server/protocol/platform/schema.ts';
import { inferredProgram } from '#server/sources/inferred-program.ts';
import { predicateName } from '#server/sources/program-names.ts';
import { printBind } from '#server/sources/source-bind.ts';
import type { FoundTable } from '#server/sources/surveys/found-table.ts';
import type { Survey } from '#server/sources/surveys/source-description.ts';
import type { NewSource } from '#server/store/sources.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';
import { shown } from '../validate.ts';
import type { Asker } from '../workers.ts';

type Data = RouteHandlers<'connectSource' | 'listSources' | 'cleanupSources' | 'inferSchema'>;
type Database = Read<typeof DATABASE>;

/** Types that a host has to be named for: servers, and files. */
const HOSTED: ReadonlySet<DatabaseType> = new Set(['postgresql', 'mysql', 'mariadb', 'neo4j', 'snowflake', 'databricks', 'sqlite']);

/** Why a source cannot be used, in words for the caller. */
class Unreachable extends Error {}

/** Why no model looks at a source; `missing` is what the configuration lacks. */
function modelRefusal(missing: string | undefined): ApiError {
    return missing === undefined ? apiError('llm_failed', [say`this version asks no model`]) : apiError('llm_not_configured', [missing]);
}

export function dataRoutes({ sources, probes, folders, evaluator, models }: PlatformContext): Data {
    /** The tables of a source that the request wants. */
    const find = async (database: Database, type: DatabaseType, counts: boolean, asker: Asker): Promise<Survey> => {
        const { currentFolder } = evaluator;
        const question = { type, source: database, counts, currentFolder, folders };
        const answer = await probes.ask({ kind: 'survey', question }, asker).catch(error => {
            throw error instanceof ApiError && error.code === 'analysis_timeout'
                ? new Unreachable(say`'${shown(database.databaseName)}' cannot be read: ${error.message}`)
                : error;
        });
        if (answer.kind === 'unreadable') throw new Unreachable(answer.message);
        if (answer.kind !== 'survey') throw new TypeError(`a source was answered with ${answer.kind}`);
        return answer.value;
    };

    return {
        connectSource: async ({ body: { scope, database, computeRowCount } }, exchange) => {
            const type = checkedType(database);
            try {
                const { tables, place, username, password } = await find(database, type, computeRowCount, exchange);
                const records = tables.map(table => newSource(table, type, place, database.schema));
                const kept = await sources.keep(scope, records, { username, password, options: database.options ?? {} });
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
            if (type === 'text' || type === 'binaryfile') throw modelRefusal(models.missing());
            try {
                const { tables } = await find(database, type, false, exchange);
                return { data: inferredProgram(tables, { addBind, addModel }) };
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

function newSource(
    { name, kind, columns, rows, bind }: FoundTable,
    type: DatabaseType,
    place: Survey['place'],
    schema?: string,
): NewSource {
    return {
        name,
        type: kind,
        row_count: rows,
        database_type: type,
        host: place.host,
        port: place.port,
        database_name: place.databaseName,
        schema: given(schema) ? schema : null,
        columns,
        bind_annotation: printBind(predicateName(name), bind),
    };
}

/** Records are plain values; only their types are read-only. */
function mutable<T extends { readonly columns: readonly object[] }>(record: T): T & { columns: T['columns'][number][] } {
    return record as T & { columns: T['columns'][number][] };
}
