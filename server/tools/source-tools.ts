import { basename, dirname } from 'node:path';
import { Type } from 'typebox';
import { say } from '#language/program/say.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { namedTexts } from './named-texts.ts';
import { PROJECT, projectOf, SCOPE, scopeOf } from './project.ts';
import { type Scope, type Tool, tool } from './tool.ts';
import { ToolError } from './tool-error.ts';

const SOURCE = Type.String({ description: 'The name of a source, as list_sources gives it.' });

/** Tools that find and read the files and databases of the platform service. */
export const SOURCE_TOOLS: readonly Tool[] = [
    tool({
        name: 'list_sources',
        title: 'List data sources',
        description:
            'The files and databases that were connected, with their columns, how many rows they have, and the @bind that reads each.',
        input: {},
        inputWith: { projects: SCOPE },
        isReadOnly: true,
        viewer: true,
        async call(input, place) {
            const sources = await place.platform().listSources({ query: { scope: scopeOf(input, place) } }, place.signal);
            const shown = sources.map(({ name, type, columns, row_count, bind_annotation }) => ({
                name,
                type,
                columns,
                row_count,
                bind_annotation,
            }));
            return { kind: 'answer', data: { sources: shown } };
        },
    }),
    tool({
        name: 'infer_schema',
        title: 'Infer a program from a source',
        description: `Looks at a source and gives a rulelang program that reads its tables: a @bind, a @model and a rule for each, and joins along foreign keys.
Of a text or a document (PDF, image) it gives the facts that the language model of the services finds there, which is sent the document. Nothing is stored.`,
        input: { name: SOURCE },
        inputWith: {
            projects: SCOPE,
            sources: {
                name: Type.Optional(SOURCE),
                type: Type.Optional(
                    Type.String({
                        description:
                            'Of a source that is not connected, instead of its name: csv, json, parquet, excel, sqlite, postgresql, mysql or mariadb; text, or binaryfile for PDF and images. Passwords are never given here: connect such a source first.',
                    }),
                ),
                database: Type.Optional(Type.String({ description: 'The path of the file, or the name of the database.' })),
                host: Type.Optional(Type.String({ description: 'Of a database on a server; absent for files.' })),
                port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
                username: Type.Optional(Type.String()),
                schema: Type.Optional(Type.String()),
                tables: Type.Optional(Type.Array(Type.String())),
                options: Type.Optional(Type.Array(Type.String(), { description: 'As in a bind, each as "key=value": "delimiter=;".' })),
            },
        },
        isReadOnly: true,
        viewer: false,
        givesRows: true,
        async call({ name, scope, ...described }, place) {
            const { signal } = place;
            const client = place.platform();
            const isConnected = name !== undefined && Object.keys(described).length === 0;
            const database = isConnected
                ? await connectedSource(name, scopeOf({ scope }, place), client, signal)
                : describedSource({ name, ...described });
            const program = await client.inferSchema({ body: { database, addModel: true } }, signal);
            return { kind: 'answer', data: { rulelang_code: program }, text: program };
        },
    }),
    tool({
        name: 'translate',
        title: 'Translate a query',
        description:
            'A query of SQL, or statements of RDF, as a rulelang program. What the translators do not know is sent to the language model of the services.',
        input: { from: Type.Unsafe<'sql' | 'rdf'>({ type: 'string', enum: ['sql', 'rdf'] }), text: Type.String() },
        inputWith: { projects: PROJECT },
        isReadOnly: true,
        viewer: false,
        givesRows: false,
        async call({ from, text, ...input }, place) {
            const { client, project, signal } = projectOf(input, place);
            const path = { project_id: project };
            const { rulelang_program: program } =
                from === 'sql'
                    ? await client.translateSql({ path, body: { sql_data: text } }, signal)
                    : await client.translateRdf({ path, body: { rdf_data: text } }, signal);
            return { kind: 'answer', data: { rulelang_code: program }, text: program };
        },
    }),
];

async function connectedSource(name: string, scope: Scope, client: PlatformClient, signal: AbortSignal) {
    const all = await client.listSources({ query: { scope } }, signal);
    const source = all.find(one => one.name === name);
    if (source === undefined)
        throw new ToolError('source_unavailable', say`No source '${name}' is connected`, { sources: all.map(one => one.name) });
    const { database_type: databaseType, host, port, database_name: databaseName, schema } = source;
    return {
        databaseType,
        host,
        databaseName,
        username: '',
        password: '',
        ...(port !== null && { port }),
        ...(schema !== null && { schema }),
    };
}

interface Described {
    readonly name?: string | undefined;
    readonly type?: string;
    readonly database?: string;
    readonly host?: string;
    readonly port?: number;
    readonly username?: string;
    readonly schema?: string;
    readonly tables?: string[];
    readonly options?: readonly string[];
}

/** A source that may not be connected. A `ToolError` says what is missing. */
function describedSource({ name, type, database, host, port, username = '', schema, tables, options }: Described) {
    if (name !== undefined || type === undefined || database === undefined)
        throw new ToolError('validation_error', say`Give either 'name', a connected source, or 'type' and 'database'`);
    return {
        databaseType: type,
        ...(host === undefined ? { host: dirname(database), databaseName: basename(database) } : { host, databaseName: database }),
        username,
        password: '',
        ...(port !== undefined && { port }),
        ...(schema !== undefined && { schema }),
        ...(tables !== undefined && { tables }),
        ...(options !== undefined && { options: namedTexts(options) }),
    };
}
