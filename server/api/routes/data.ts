import { RunStopped } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { isRefusal, Refusal, refuse } from '#server/notices/refusal.ts';
import { ApiError, apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import { type DATABASE, DATABASE_TYPES, type DatabaseType, DOCUMENT_TYPES } from '#server/protocol/platform/database.ts';
import type { FieldFault } from '#server/protocol/platform/errors.ts';
import type { DATA_ROUTES } from '#server/protocol/platform/routes/data.ts';
import type { Read } from '#server/protocol/platform/schema.ts';
import { type InferredTable, inferredProgram } from '#server/sources/inferred-program.ts';
import { predicateName } from '#server/sources/program-names.ts';
import { bindAt, type ProgramPlace } from '#server/sources/program-place.ts';
import { printBind } from '#server/sources/source-bind.ts';
import type { FoundTable } from '#server/sources/surveys/found-table.ts';
import type { Survey, SurveyQuestion } from '#server/sources/surveys/source-description.ts';
import { wantedTables } from '#server/sources/surveys/wanted-tables.ts';
import type { ConnectedSource } from '#server/sources/written-binds.ts';
import type { NewSource, SourceRecord } from '#server/store/sources.ts';
import { readFacts } from '../document-reader.ts';
import { keptColumn } from '../kept-column.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';
import type { ToolAnswer } from '../tool-worker.ts';
import { shown } from '../validate.ts';
import type { Asker } from '../workers.ts';

type Database = Read<typeof DATABASE>;

/** Types whose databases a name or a region finds, without a host or folder. */
const HOSTLESS: ReadonlySet<DatabaseType> = new Set(['bigquery', 'dynamodb']);

export function dataRoutes({
    sources,
    probes,
    tools,
    folders,
    evaluator,
    models,
}: PlatformContext): RouteHandlers<keyof typeof DATA_ROUTES> {
    const ask = async (kind: 'survey' | 'read-document', question: SurveyQuestion, asker: Asker): Promise<ToolAnswer> => {
        const answer = await probes.ask({ kind, question }, asker).catch(error => {
            throw error instanceof ApiError && error.code === 'analysis_timeout'
                ? new Refusal(say`'${shown(question.source.databaseName)}' cannot be read: ${error.message}`, 'source')
                : error;
        });
        if (answer.kind === 'unreadable') refuse(answer.message, 'source');
        return answer;
    };
    const asked = (database: Database, type: DatabaseType): SurveyQuestion => {
        return { type, source: database, counts: false, currentFolder: evaluator.currentFolder, folders };
    };
    /** The tables of a source that the request wants. */
    const find = async (question: SurveyQuestion, asker: Asker): Promise<Survey> => {
        const answer = await ask('survey', question, asker);
        if (answer.kind !== 'survey') throw new TypeError(`a source was answered with ${answer.kind}`);
        return answer.value;
    };
    /** The tables that the user's model finds in a document, with their facts, and a remark about those that are left out. */
    const readTables = async (database: Database, type: DatabaseType, asker: Asker): Promise<InferredTables> => {
        const model = models.model(asker.caller.username);
        const answer = await ask('read-document', asked(database, type), asker);
        if (answer.kind !== 'document') throw new TypeError(`a document was answered with ${answer.kind}`);
        const documentType = DOCUMENT_TYPES.find(known => type === 'binaryfile' && known === database.options?.documentType);
        const facts = await readFacts(answer.value, documentType, model, asker.departure);
        return { tables: wantedOf(facts.tables(), database), remark: facts.remark };
    };
    const tablesOf = async (database: Database, { place, addOutput }: InferredPlace, asker: Asker): Promise<InferredTables> => {
        const type = checkedType(database);
        try {
            if (type === 'text' || type === 'binaryfile') return await readTables(database, type, asker);
            const { tables } = await find({ ...asked(database, type), marksUnknown: addOutput }, asker);
            return {
                tables: tables.map(table => boundTable({ ...table, bind: bindAt(table.bind, evaluator.currentFolder, place) })),
                remark: '',
            };
        } catch (error) {
            if (!isRefusal(error, 'source')) throw error;
            throw apiError('source_unavailable', [error.message, `${type} source '${shown(database.databaseName)}'`]);
        }
    };

    return {
        connectSource: async ({ body: { scope, database, computeRowCount } }, exchange) => {
            const type = checkedType(database);
            try {
                const { tables, place, username, password } = await find({ ...asked(database, type), counts: computeRowCount }, exchange);
                const records = tables.map(table => newSource(table, type, place, database.schema));
                const kept = await sources.keep(scope, records, { username, password, options: database.options ?? {} });
                return { data: { connectionStatus: true, sources: kept.map(shownSource), errorMessage: null } };
            } catch (error) {
                if (!isRefusal(error, 'source')) throw error;
                return { data: { connectionStatus: false, sources: [], errorMessage: error.message }, message: 'Connection failed' };
            }
        },
        listSources: async ({ query: { scope, ...filter } }) => ({ data: (await sources.list(scope, filter)).map(shownSource) }),
        listDatabases: async ({ query: { scope, ...filter } }) => ({ data: await sources.databases(scope, filter) }),
        cleanupSources: async ({ body: { scope, source_ids: ids } }) => {
            const deleted = await sources.forget(scope, ids);
            const gone = new Set(deleted);
            return { data: { deleted, not_found: [...new Set(ids)].filter(id => !gone.has(id)).sort() } };
        },
        forgetPasswords: async ({ body: { scope, source_ids: ids } }) => {
            const forgotten = await sources.forgetPasswords(scope, ids);
            const known = new Set(forgotten);
            return { data: { forgotten, not_found: [...new Set(ids)].filter(id => !known.has(id)).sort() } };
        },
        inferSchema: async ({ body: { database, further = [], place, ...parts } }, exchange) => {
            const found: InferredTables[] = [];
            for (const one of [database, ...further]) found.push(await tablesOf(one, { place, addOutput: parts.addOutput }, exchange));
            const program = inferredProgram(
                found.map(({ tables }) => tables),
                parts,
            );
            return { data: program + found.map(({ remark }) => remark).join('') };
        },
        writeBinds: async ({ body: { source_ids: ids, program, place } }, exchange) => {
            const known = new Map(
                (await Promise.all([sources.list('user'), sources.list('organization')])).flat().map(source => [source.id, source]),
            );
            const wanted = [...new Set(ids)].map(id => ({ id, source: known.get(id) }));
            const answer = await tools.ask(
                {
                    kind: 'write-binds',
                    wanted: {
                        sources: wanted.flatMap(({ source }) => (source === undefined ? [] : [connectedSource(source)])),
                        program,
                        currentFolder: evaluator.currentFolder,
                        ...(place && { place }),
                    },
                },
                exchange,
            );
            if (answer.kind !== 'program') throw new TypeError(`binds were answered with ${answer.kind}`);
            return {
                data: { clauses: answer.text ?? '', not_found: wanted.flatMap(({ id, source }) => (source === undefined ? [id] : [])) },
            };
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
        if (!HOSTLESS.has(type) && !given(database.host)) missing('host');
        if (type !== 'dynamodb' && !given(database.databaseName)) missing('databaseName');
    }
    const { sampleLimit, documentType } = database.options ?? {};
    if (sampleLimit !== undefined && !/^\d+$/u.test(sampleLimit))
        faults.push({ path: 'database.options.sampleLimit', issue: 'bad_format', expected: 'string of digits', actual: 'string' });
    const [first, ...more] = faults;
    if (first !== undefined) throw invalidFields([first, ...more]);
    if (type === 'binaryfile' && documentType !== undefined && !DOCUMENT_TYPES.some(known => known === documentType))
        throw apiError('invalid_document_type', [shown(documentType)], { details: { supported: DOCUMENT_TYPES } });
    return type;
}

/** The place of a program, and whether it is to be run as it is. */
interface InferredPlace {
    readonly place: ProgramPlace | undefined;
    readonly addOutput: boolean;
}

/** Tables that a program is inferred from, and a last line for it. */
interface InferredTables {
    readonly tables: readonly InferredTable[];
    readonly remark: string;
}

function boundTable({ name, columns, foreignKeys, bind }: FoundTable): InferredTable {
    return { name, columns, foreignKeys, rowsOf: predicate => printBind(predicate, bind) };
}

/** Returns the tables of a document that the request wants. */
function wantedOf(tables: readonly InferredTable[], database: Database): readonly InferredTable[] {
    try {
        return wantedTables(tables, database, database.databaseName);
    } catch (error) {
        if (error instanceof RunStopped) refuse(error.message, 'source');
        throw error;
    }
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
        columns: columns.map(({ name: column, type, isLong = false }) => ({ name: column, type, isLong })),
        bind_annotation: printBind(predicateName(name), bind),
    };
}

/** A record as the platform shows it. */
function shownSource({ columns, ...record }: SourceRecord) {
    return { ...record, columns: columns.map(({ name, type }) => ({ name, type })) };
}

function connectedSource({ name, columns, bind_annotation: bind }: SourceRecord): ConnectedSource {
    return { name, bind, columns: columns.map(keptColumn) };
}
