import { basename, dirname } from 'node:path';
import { Type } from 'typebox';
import { say } from '#language/program/say.ts';
import { factsNear } from '#server/agent/facts-near.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { type Tool, type ToolAnswer, ToolMisuse, tool } from './tool.ts';

const STRICT = { additionalProperties: false } as const;
const SCOPE = {
    scope: Type.Optional(
        Type.Unsafe<'user' | 'organization'>({ type: 'string', enum: ['user', 'organization'], description: 'Whose; user where absent.' }),
    ),
};
const PROJECT = { project: Type.String({ description: 'The id of a project, as list_projects gives it.' }) };
const PARAMETERS = {
    parameters: Type.Optional(Type.Array(Type.String(), { description: 'Values of parameters: "name=value".' })),
};
const ROWS = 50;
/** Facts around named values at most. */
const MOST_FACTS = 200;
const TEXTS = Type.Optional(Type.Array(Type.String()));

export const SERVICE_TOOLS: readonly Tool[] = [
    tool({
        name: 'list_projects',
        title: 'List projects',
        description: 'The projects of the platform service, with the ids that other tools ask for.',
        input: Type.Object({ ...SCOPE }, STRICT),
        isReadOnly: true,
        viewer: true,
        async call({ scope = 'user' }, { platform, signal }) {
            const projects = await platform().listProjects({ query: { scopes: scope } }, signal);
            return json(projects.map(({ id, name, description }) => ({ id, name, description })));
        },
    }),
    tool({
        name: 'list_concepts',
        title: 'List concepts',
        description: `The concepts of a project: saved programs, each with one output that others may read by its name. Gives their definitions, columns, and what
they depend on.`,
        input: Type.Object({ ...PROJECT, ...SCOPE }, STRICT),
        isReadOnly: true,
        viewer: true,
        async call({ project, scope = 'user' }, { platform, signal }) {
            return json(await platform().listConcepts({ path: { project_id: project }, query: { scope } }, signal));
        },
    }),
    tool({
        name: 'save_concept',
        title: 'Save a concept',
        description: `Saves a rulelang program as a concept of a project, or replaces the one of that name. It is read and checked, not run: diagnostics say what is wrong.
The name is that of its output, unless another is given.`,
        input: Type.Object(
            {
                ...PROJECT,
                definition: Type.String({ description: 'The text of the program.' }),
                name: Type.Optional(Type.String()),
                description: Type.Optional(Type.String()),
                ...SCOPE,
            },
            STRICT,
        ),
        isReadOnly: false,
        isDestructive: true,
        viewer: false,
        async call({ project, definition, name, description, scope = 'user' }, { platform, signal }) {
            const body = {
                definition,
                scope,
                ...(name !== undefined && { concept_name: name }),
                ...(description !== undefined && { description }),
            };
            return json(await platform().saveConcept({ path: { project_id: project }, body }, signal));
        },
    }),
    tool({
        name: 'run_concept',
        title: 'Run a concept',
        description: `Evaluates a saved concept with all that it depends on, stores its rows and gives the first ${ROWS}.`,
        input: Type.Object({ ...PROJECT, name: Type.String({ description: 'The name of the concept.' }), ...PARAMETERS, ...SCOPE }, STRICT),
        isReadOnly: false,
        viewer: false,
        async call({ project, name, parameters = [], scope = 'user' }, { platform, signal }) {
            const call = { path: { project_id: project, concept_name: name }, body: { scope, params: named(parameters) } };
            const { results, ...ran } = await platform().runConcept(call, signal);
            return json({ ...ran, results: results.slice(0, ROWS) });
        },
    }),
    tool({
        name: 'facts_near',
        title: 'Facts around values',
        description: `Stored facts around named values, over all concepts of a project: those that have one of the values, those that share a text with these, and so
on, the nearest first. Use it to find out what is known of something.`,
        input: Type.Object(
            {
                ...PROJECT,
                values: Type.Array(Type.String(), { minItems: 1, maxItems: 20 }),
                steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, description: '1 where absent.' })),
                ...SCOPE,
            },
            STRICT,
        ),
        isReadOnly: true,
        viewer: true,
        givesRows: true,
        async call({ project, values, steps = 1, scope = 'user' }, { platform, signal }) {
            return json(await factsNear({ client: platform(), project, scope, signal, values, steps, most: MOST_FACTS }));
        },
    }),
    tool({
        name: 'validate_rows',
        title: 'Check rows against a rule in words',
        description: `Has the language model of the services check stored rows of a concept against a rule in words, which is sent the rows. Each objection names its row.
For what can be written as a rule or a constraint, write one instead.`,
        input: Type.Object(
            {
                ...PROJECT,
                name: Type.String({ description: 'The name of the concept.' }),
                rule: Type.String({ description: 'In words: "Titles are in English."' }),
                limit: Type.Optional(
                    Type.Integer({ minimum: 1, maximum: 1000, description: 'Rows that are checked, from the first; 200 where absent.' }),
                ),
                ...SCOPE,
            },
            STRICT,
        ),
        isReadOnly: true,
        viewer: false,
        givesRows: true,
        async call({ project, name, rule, limit, scope = 'user' }, { platform, signal }) {
            const body = { concept_name: name, rule, scope, ...(limit !== undefined && { limit }) };
            return json(await platform().validateRows({ path: { project_id: project }, body }, signal));
        },
    }),
    tool({
        name: 'list_sources',
        title: 'List data sources',
        description: 'The files and databases that were connected, with their tables, columns and the @bind that reads each.',
        input: Type.Object({ ...SCOPE }, STRICT),
        isReadOnly: true,
        viewer: true,
        async call({ scope = 'user' }, { platform, signal }) {
            return json(await platform().listSources({ query: { scope } }, signal));
        },
    }),
    tool({
        name: 'infer_schema',
        title: 'Infer a program from a source',
        description: `Looks at a file or database and gives a rulelang program that reads all its tables: a @bind, a @model and a rule for each, and joins along foreign keys.
Of a text or a document (PDF, image) it gives the facts that the language model of the services finds there, which is sent the document. Nothing is stored.
Passwords are never given here: connect the source first.`,
        input: Type.Object(
            {
                type: Type.String({
                    description: 'csv, json, parquet, excel, sqlite, postgresql, mysql or mariadb; text, or binaryfile for PDF and images.',
                }),
                database: Type.String({ description: 'The path of the file, or the name of the database.' }),
                host: Type.Optional(Type.String({ description: 'Of a database on a server; absent for files.' })),
                port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
                username: Type.Optional(Type.String()),
                schema: Type.Optional(Type.String()),
                tables: TEXTS,
                options: Type.Optional(Type.Array(Type.String(), { description: 'As in a bind, each as "key=value": "delimiter=;".' })),
            },
            STRICT,
        ),
        isReadOnly: true,
        viewer: false,
        givesRows: true,
        async call({ type, database, host, port, username = '', schema, tables, options }, { platform, signal }) {
            const described = {
                databaseType: type,
                ...(host === undefined ? { host: dirname(database), databaseName: basename(database) } : { host, databaseName: database }),
                username,
                password: '',
                ...(port !== undefined && { port }),
                ...(schema !== undefined && { schema }),
                ...(tables !== undefined && { tables }),
                ...(options !== undefined && { options: named(options) }),
            };
            return { text: await platform().inferSchema({ body: { database: described, addModel: true } }, signal) };
        },
    }),
];

/** Values by name, of texts `name=value`. */
function named(texts: readonly string[]): Record<string, string> {
    return Object.fromEntries(
        texts.map(text => {
            const [name = '', ...value] = text.split('=');
            if (value.length === 0) throw new ToolMisuse(say`'${text}' is not of the form name=value`);
            return [name, value.join('=')];
        }),
    );
}

function json(value: unknown): ToolAnswer {
    return { text: jsonOf(value) };
}
