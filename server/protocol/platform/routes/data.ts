import { Type } from 'typebox';
import { DATABASE } from '../database.ts';
import { type RouteDescription, route } from '../route.ts';
import { defaulted, KIBIBYTE, optional, PROGRAM_TEXT, SCOPE, text } from '../schema.ts';

const source = Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    row_count: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    database_type: Type.String(),
    host: Type.String(),
    port: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    database_name: Type.String(),
    schema: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    scope: Type.String(),
    columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
    bind_annotation: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
});

/** Of a database, as lists of sources have it. */
const place = {
    database_type: source.properties.database_type,
    host: source.properties.host,
    port: source.properties.port,
    database_name: source.properties.database_name,
};

const words = optional(
    Type.String({
        maxLength: 1000,
        'x-may-be-empty': true,
        description: 'Each stands somewhere in the name of the source or of its database.',
    }),
);

const LONGEST = 64 * KIBIBYTE;
/** The place of the program; an addition of this server. */
const programPlace = optional(
    Type.Object({
        folder: text(LONGEST, { description: 'The absolute path of its folder, from which files are named.' }),
        root: optional(text(LONGEST, { description: 'Files below it are named relatively; usually those below the folder.' })),
    }),
);

export const DATA_ROUTES = {
    connectSource: route({
        method: 'POST',
        path: '/data/connect',
        summary: 'Looks at a source and keeps what it holds; a source that cannot be reached is no error',
        viewer: false,
        body: Type.Object({ scope: SCOPE, database: DATABASE, computeRowCount: defaulted(Type.Boolean(), false) }),
        data: Type.Object({
            connectionStatus: Type.Boolean(),
            sources: Type.Array(source),
            errorMessage: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        }),
        message: 'Connection successful',
        errors: ['invalid_scope', 'unsupported_database_type', 'invalid_document_type'],
    }),
    listSources: route({
        method: 'GET',
        path: '/data/list',
        summary: 'The sources that were connected, without what opens them',
        viewer: true,
        query: Type.Object({
            scope: SCOPE,
            // Conditions are an addition of this server.
            database_type: optional(Type.String()),
            host: optional(Type.String({ 'x-may-be-empty': true })),
            port: optional(Type.Integer({ minimum: 0, maximum: 65_535, description: '0 for those without one.' })),
            database_name: optional(Type.String()),
            words,
        }),
        data: Type.Array(source),
        message: 'Sources listed',
        errors: ['invalid_scope'],
    }),
    listDatabases: route({
        method: 'GET',
        path: '/data/databases',
        summary: 'The databases and files of the sources that were connected, and how many sources each has; an addition of this server',
        viewer: true,
        query: Type.Object({ scope: SCOPE, words }),
        data: Type.Array(Type.Object({ scope: Type.String(), type: Type.String(), ...place, sources: Type.Integer() })),
        message: 'Databases listed',
        errors: ['invalid_scope'],
    }),
    cleanupSources: route({
        method: 'POST',
        path: '/data/cleanup',
        summary: 'Forgets sources, or all of a scope',
        viewer: false,
        body: Type.Object({ scope: SCOPE, source_ids: optional(Type.Array(Type.String({ 'x-may-be-empty': true }))) }),
        data: Type.Object({ deleted: Type.Array(Type.String()), not_found: Type.Array(Type.String()) }),
        message: 'Sources deleted',
        errors: ['invalid_scope'],
    }),
    forgetPasswords: route({
        method: 'POST',
        path: '/data/forget-passwords',
        summary: 'Forgets the passwords of sources, and keeps all else of them; an addition of this server',
        viewer: false,
        body: Type.Object({ scope: SCOPE, source_ids: Type.Array(Type.String({ 'x-may-be-empty': true })) }),
        data: Type.Object({ forgotten: Type.Array(Type.String()), not_found: Type.Array(Type.String()) }),
        message: 'Passwords forgotten',
        errors: ['invalid_scope'],
    }),
    inferSchema: route({
        method: 'POST',
        path: '/data/infer-schema',
        summary: 'A program that reads a source; nothing is kept',
        viewer: false,
        body: Type.Object({
            database: DATABASE,
            addBind: defaulted(Type.Boolean(), true),
            addModel: defaulted(Type.Boolean(), false),
            addOutput: defaulted(Type.Boolean(), false),
            further: optional(Type.Array(DATABASE, { description: 'Further sources that the program reads.' })),
            place: programPlace,
        }),
        data: Type.String(),
        message: 'Schema inferred',
        errors: ['unsupported_database_type', 'invalid_document_type', 'source_unavailable', 'llm_not_configured', 'llm_failed'],
    }),
    writeBinds: route({
        method: 'POST',
        path: '/data/binds',
        summary:
            'The binds and models with which a program reads sources that were connected, but for those that it has; an addition of this server',
        viewer: true,
        body: Type.Object({
            source_ids: Type.Array(text(LONGEST, { mayBeEmpty: true })),
            program: defaulted(Type.Unsafe<string>({ ...PROGRAM_TEXT, 'x-may-be-empty': true }), ''),
            place: programPlace,
        }),
        data: Type.Object({ clauses: Type.String(), not_found: Type.Array(Type.String()) }),
        message: 'Binds written',
        errors: [],
    }),
} as const satisfies Record<string, RouteDescription>;
